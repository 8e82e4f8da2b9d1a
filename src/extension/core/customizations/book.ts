import type { Customization } from './customization.ts';

export interface Parsed<T> {
  readonly entries: ReadonlyMap<string, T>;
  /** One sentence about each file that cannot be used. */
  readonly problems: readonly string[];
}

/** Things of one kind by name, parsed anew only when what they are made of has changed. */
export class Book<T> {
  private readonly items: () => readonly Customization[];
  private readonly parse: (items: readonly Customization[]) => Promise<Parsed<T>>;
  private parsed: Parsed<T> = { entries: new Map(), problems: [] };
  private of = '[]';

  /** @param items the least important first */
  constructor(
    items: () => readonly Customization[],
    parse: (items: readonly Customization[]) => Promise<Parsed<T>>,
  ) {
    this.items = items;
    this.parse = parse;
  }

  /** As of the last refresh. */
  get entries(): ReadonlyMap<string, T> {
    return this.parsed.entries;
  }

  get problems(): readonly string[] {
    return this.parsed.problems;
  }

  async refresh(): Promise<void> {
    const items = this.items();
    const of = JSON.stringify(items);
    if (of === this.of) return;
    this.parsed = await this.parse(items);
    this.of = of;
  }
}
