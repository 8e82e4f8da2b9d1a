import { testWithTimeout } from '../../platform/patterns/testWithTimeout.ts';

/** Milliseconds for one text. */
const limitMs = 200;
/** Letters that no pattern with few repetitions takes long for. */
const shortText = 100;

/** A regular expression of a rule or a hook, which over a long text may take longer than anybody waits. */
export class BoundedPattern extends RegExp {
  private readonly plain: RegExp;
  private readonly whenSlow: boolean;

  /** @param whenSlow counts as the result where it takes too long */
  constructor(source: string, whenSlow: boolean) {
    super(source);
    this.plain = new RegExp(source);
    this.whenSlow = whenSlow;
  }

  override test(text: string): boolean {
    if (text.length <= shortText && !this.isRepetitive) return this.plain.test(text);
    return testWithTimeout(limitMs, this.plain, [text])?.[0] ?? this.whenSlow;
  }

  /** Each open repetition multiplies the time by the length of the text. */
  private get isRepetitive(): boolean {
    return (this.source.match(/[*+]|\{\d+,/g)?.length ?? 0) > 3;
  }
}
