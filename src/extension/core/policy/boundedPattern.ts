import { createContext, Script } from 'node:vm';

/** Milliseconds for one text. */
const limitMs = 200;
/** Letters that no pattern takes long for. */
const shortText = 100;

const test = new Script('pattern.test(text)');

/**
 * A regular expression that a file brings. Over a long text some take longer than anybody waits (`.*a.*b.*c` over one
 * without a `c`), and nothing else runs meanwhile, so its engine is interrupted then.
 */
export class BoundedPattern extends RegExp {
  private readonly whenSlow: boolean;
  private context: { readonly pattern: RegExp; text: string } | undefined;

  /** @param whenSlow counts as the result where it takes too long */
  constructor(source: string, whenSlow: boolean) {
    super(source);
    this.whenSlow = whenSlow;
  }

  override test(text: string): boolean {
    if (text.length <= shortText && !this.isRepetitive) return super.test(text);
    const context = this.contextOf();
    context.text = text;
    try {
      return test.runInContext(context, { timeout: limitMs }) === true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      return this.whenSlow;
    }
  }

  private contextOf() {
    if (this.context) return this.context;
    const context = { pattern: new RegExp(this.source), text: '' };
    createContext(context);
    this.context = context;
    return context;
  }

  /** Each open repetition multiplies the time by the length of the text. */
  private get isRepetitive(): boolean {
    return (this.source.match(/[*+]|\{\d+,/g)?.length ?? 0) > 3;
  }
}
