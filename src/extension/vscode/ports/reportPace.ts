/*
 * When problems that language tools report can be believed. A report says of which file it is and not of which text,
 * and tools check one text for a while after the next one stands there:
 *
 *     change 1        change 2
 *        ├──── looks ────┼──► report of 1       (old news, after change 2)
 *                        ├──────── looks ────────► report of 2
 *                        └─ other files that depend on it ─────► their reports
 *
 * So the reports after a change are believed once so much time has passed that those tools have always been done by
 * then, and nobody reports any more. How long they take is learned from each change that is left alone for a while.
 */

/** Milliseconds. Tools report in several rounds: none has come for so long. */
const quiet = 400;
/** So long is waited after a change as long as little is known; one that was left alone for so long teaches more. */
const usual = 2_500;
/** Nobody waits longer after a change, however slow the tools are. */
const longest = 6_000;
/** When no tool for a language has ever been heard of here, an edit should not wait long. */
const maxSilenceMs = 700;
/** Later reports belong to something else than the change before them. */
const farAway = 10_000;
/** So many changes teach enough; until then the usual time is the least. */
const lessons = 12;
const remembered = 20;
/** A tool may need somewhat longer than ever before. */
const margin = 2;

interface Burst {
  /** When the text changed. */
  readonly at: number;
  readonly lastReport: number | undefined;
}

/** Times are milliseconds of any one clock; languages have VS Code's ids. */
export class ReportPace {
  /** The stated end of all waiting. */
  static readonly limit = longest + quiet;
  /** Languages that some tool has spoken about. */
  private readonly heard = new Set<string>();
  /** When texts of the others changed last. */
  private readonly unheard = new Map<string, number>();
  /** How long the tools took for the last changes, oldest first. */
  private readonly taken: number[] = [];
  private burst: Burst | undefined;
  private lastReport = Number.NEGATIVE_INFINITY;

  /**
   * A text has changed, or was opened, so that tools check it. A language that nobody has ever spoken about teaches
   * nothing, and nobody need wait for it.
   */
  change(now: number, language: string): void {
    if (this.heard.size === 0 || this.heard.has(language)) this.begin(now);
    else this.unheard.set(language, now);
  }

  /** @param languages of the open texts that it is about */
  report(now: number, languages: readonly string[]): void {
    for (const language of languages) this.hear(language);
    this.lastReport = now;
    if (this.burst && now - this.burst.at < farAway) this.burst = { ...this.burst, lastReport: now };
  }

  /** Some tool has reported since the last change. */
  get hasAnswered(): boolean {
    return this.burst?.lastReport !== undefined;
  }

  /** Tools have lately taken longer than anybody waits, so what they said is about an older text. */
  get isSlow(): boolean {
    const last = this.taken.slice(-2);
    return last.length === 2 && last.every(time => time > longest);
  }

  /** Milliseconds until the reports can be believed, if no other comes. @param language of the text; else of any */
  untilSettled(now: number, language?: string): number {
    const isHeard = language === undefined ? this.heard.size > 0 : this.heard.has(language);
    const patience = isHeard ? this.patience : Math.min(this.patience, maxSilenceMs);
    const asked = this.burst ? this.burst.at + patience : now;
    return Math.max(asked, this.lastReport + quiet) - now;
  }

  private begin(at: number): void {
    this.learn(at);
    this.burst = { at, lastReport: undefined };
  }

  /** Tools that speak for the first time have checked texts that changed before. */
  private hear(language: string): void {
    this.heard.add(language);
    const changed = this.unheard.get(language);
    this.unheard.delete(language);
    if (changed !== undefined && changed > (this.burst?.at ?? Number.NEGATIVE_INFINITY)) this.begin(changed);
  }

  private get patience(): number {
    const least = this.taken.length < lessons ? usual : 0;
    return Math.min(longest, Math.max(least, margin * Math.max(0, ...this.taken)));
  }

  /** A change that another followed soon teaches nothing: its reports may not have come yet. */
  private learn(now: number): void {
    const { at, lastReport } = this.burst ?? { at: now };
    if (lastReport === undefined || now - at < usual) return;
    this.taken.push(lastReport - at);
    if (this.taken.length > remembered) this.taken.shift();
  }
}
