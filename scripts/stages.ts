/* What a program that takes minutes says while it works: where it is, how long that took, and that it still lives. */

export interface StagesOptions {
  readonly write?: (line: string) => void;
  /** How long a stage may say nothing. */
  readonly silenceMs?: number;
}

export class Stages {
  private readonly count: number;
  private readonly write: (line: string) => void;
  private readonly silenceMs: number;
  private readonly begun = performance.now();
  private done = 0;

  /** @param count how many stages there will be */
  constructor(count: number, { write = console.log, silenceMs = 15_000 }: StagesOptions = {}) {
    this.count = count;
    this.write = write;
    this.silenceMs = silenceMs;
  }

  /** Since the first stage, as people say it. */
  get elapsed(): string {
    return describeTime(performance.now() - this.begun);
  }

  /** @param work gets a way to say which part it is at */
  async run<T>(name: string, work: (notify: (part: string) => void) => Promise<T>): Promise<T> {
    const begun = performance.now();
    const soFar = () => describeTime(performance.now() - begun);
    this.done += 1;
    this.write(`[${this.done}/${this.count}] ${name} …`);
    const timer = setInterval(() => this.write(`      still at it after ${soFar()}`), this.silenceMs);
    try {
      const result = await work(part => this.write(`      ${part} …`));
      this.write(`      done in ${soFar()}`);
      return result;
    } finally {
      clearInterval(timer);
    }
  }
}

export function describeTime(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const rest = seconds % 60;
  if (seconds < 60) return `${seconds} s`;
  return rest === 0 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}
