import type { Customization } from './customization.ts';

export interface ParsedEntries<T> {
  readonly entries: ReadonlyMap<string, T>;
  /** One sentence for each file that cannot be used. */
  readonly problems: readonly string[];
}

/** Parsed things of one kind by name. They are only parsed again when their customizations have changed. */
export class ParsedCustomizations<T> {
  private readonly items: () => readonly Customization[];
  private readonly parse: (items: readonly Customization[]) => Promise<ParsedEntries<T>>;
  private parsed: ParsedEntries<T> = { entries: new Map(), problems: [] };
  /** The customizations of the current entries. */
  private of: readonly Customization[] = [];
  private reading: Promise<void> = Promise.resolve();

  /** @param items the least important first */
  constructor(
    items: () => readonly Customization[],
    parse: (items: readonly Customization[]) => Promise<ParsedEntries<T>>,
  ) {
    this.items = items;
    this.parse = parse;
  }

  /** State of the last refresh. */
  get entries(): ReadonlyMap<string, T> {
    return this.parsed.entries;
  }

  get problems(): readonly string[] {
    return this.parsed.problems;
  }

  /** Refreshes run one after another, so that the later one wins. */
  refresh(): Promise<void> {
    const next = () => this.readAgain();
    // A failure was reported to its caller and must not block the next.
    this.reading = this.reading.then(next, next);
    return this.reading;
  }

  private async readAgain(): Promise<void> {
    const items = this.items();
    const isSame =
      items.length === this.of.length && items.every((item, index) => isAlike(item, this.of[index]!));
    if (isSame) return;
    this.parsed = await this.parse(items);
    this.of = items;
  }
}

/** An unchanged customization is the same object. */
function isAlike(one: Customization, other: Customization): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
