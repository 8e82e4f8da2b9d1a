/* Prints the progress of a program that takes minutes: current stage, times, and signs of life. */

export interface StagesOptions {
  readonly write?: (line: string) => void;
  /** Milliseconds of silence after which a stage prints that it still runs. */
  readonly silenceMs?: number;
}

export class Stages {
  private readonly count: number;
  private readonly write: (line: string) => void;
  private readonly silenceMs: number;
  private readonly begun = performance.now();
  private done = 0;

  /** @param count number of stages */
  constructor(count: number, { write = console.log, silenceMs = 15_000 }: StagesOptions = {}) {
    this.count = count;
    this.write = write;
    this.silenceMs = silenceMs;
  }

  /** Formatted time since the first stage. */
  get elapsed(): string {
    return describeTime(performance.now() - this.begun);
  }

  /** @param work gets a function to report its current part */
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
