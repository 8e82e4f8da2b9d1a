import { testWithTimeout } from '../../platform/patterns/testWithTimeout.ts';

/** Milliseconds per text. */
const limitMs = 200;
/** Characters for which a pattern with few repetitions is always fast. */
const shortText = 100;

/** A regular expression of a rule or a hook, with a time limit, since it may be slow on long text. */
export class TimeLimitedPattern extends RegExp {
  private readonly plain: RegExp;
  private readonly whenSlow: boolean;

  /** @param whenSlow the result if the limit is reached */
  constructor(source: string, whenSlow: boolean) {
    super(source);
    this.plain = new RegExp(source);
    this.whenSlow = whenSlow;
  }

  override test(text: string): boolean {
    if (text.length <= shortText && !this.isRepetitive) return this.plain.test(text);
    return testWithTimeout(limitMs, this.plain, [text])?.[0] ?? this.whenSlow;
  }

  /** Each open repetition can multiply the time by the text's length. */
  private get isRepetitive(): boolean {
    return (this.source.match(/[*+]|\{\d+,/g)?.length ?? 0) > 3;
  }
}
