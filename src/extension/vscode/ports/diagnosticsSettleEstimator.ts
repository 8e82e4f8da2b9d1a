/*
 * Estimates when reported problems can be trusted. A report names its file but not the text version, and tools keep
 * checking one version for a while after the next change:
 *
 *     change 1        change 2
 *        ├─── checks ────┼──► report of 1       (outdated after change 2)
 *                        ├─────── checks ───────► report of 2
 *                        └─ other files that depend on it ─────► their reports
 *
 * Reports after a change are trusted once tools have always been done by then, and no report has arrived for a while.
 * The time they take is learned from each change that no other follows soon.
 */

/** Milliseconds without a report. Tools report in several rounds. */
const quiet = 400;
/** Wait after a change while little is known. A change that is followed by no other for this long is learned from. */
const usual = 2_500;
/** Maximal wait after a change, however slow the tools are. */
const longest = 6_000;
/** If no tool has ever reported on a language, an edit should not wait long. */
const maxSilenceMs = 700;
/** Later reports do not belong to the last change. */
const farAway = 10_000;
/** Number of changes to learn from; until then the usual time is the minimum. */
const lessons = 12;
const remembered = 20;
/** A tool may need somewhat longer than ever before. */
const margin = 2;

interface Burst {
  /** Time of the text change. */
  readonly at: number;
  readonly lastReport: number | undefined;
}

/** Times are milliseconds of any one clock. Languages are VS Code's ids. */
export class DiagnosticsSettleEstimator {
  /** Documented maximum of all waiting. */
  static readonly limit = longest + quiet;
  /** Languages that some tool has reported on. */
  private readonly heard = new Set<string>();
  /** Time of the last text change in each other language. */
  private readonly unheard = new Map<string, number>();
  /** Durations of the tools after recent changes, oldest first. */
  private readonly taken: number[] = [];
  private burst: Burst | undefined;
  private lastReport = Number.NEGATIVE_INFINITY;

  /**
   * Call when a text was changed or opened, so that tools check it. A language without any reports so far is not
   * learned from, and nobody needs to wait for it.
   */
  change(now: number, language: string): void {
    if (this.heard.size === 0 || this.heard.has(language)) this.begin(now);
    else this.unheard.set(language, now);
  }

  /** @param languages of the affected open texts */
  report(now: number, languages: readonly string[]): void {
    for (const language of languages) this.hear(language);
    this.lastReport = now;
    if (this.burst && now - this.burst.at < farAway) this.burst = { ...this.burst, lastReport: now };
  }

  /** True if some tool has reported since the last change. */
  get hasAnswered(): boolean {
    return this.burst?.lastReport !== undefined;
  }

  /** True if tools recently took longer than the limit, so that their reports are about an older text. */
  get isSlow(): boolean {
    const last = this.taken.slice(-2);
    return last.length === 2 && last.every(time => time > longest);
  }

  /**
   * Returns milliseconds until the reports can be trusted, if no other arrives.
   * @param language of the text; absent for any
   */
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

  /** Tools that report for the first time have checked earlier changes. */
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

  /** Nothing is learned from a change that another followed soon: its reports may be missing. */
  private learn(now: number): void {
    const { at, lastReport } = this.burst ?? { at: now };
    if (lastReport === undefined || now - at < usual) return;
    this.taken.push(lastReport - at);
    if (this.taken.length > remembered) this.taken.shift();
  }
}
