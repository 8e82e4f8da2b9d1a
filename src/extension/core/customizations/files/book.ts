import type { Customization } from './customization.ts';

export interface Parsed<T> {
  readonly entries: ReadonlyMap<string, T>;
  /** One sentence about each file that cannot be used. */
  readonly problems: readonly string[];
}

/** Things of one kind by name, parsed again only when what they are made of has changed. */
export class Book<T> {
  private readonly items: () => readonly Customization[];
  private readonly parse: (items: readonly Customization[]) => Promise<Parsed<T>>;
  private parsed: Parsed<T> = { entries: new Map(), problems: [] };
  /** The customizations that the entries were parsed from. */
  private of: readonly Customization[] = [];
  private reading: Promise<void> = Promise.resolve();

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

  /** One after the other: of two that come close together the later one counts. */
  refresh(): Promise<void> {
    const next = () => this.readAgain();
    // One that failed has told its caller, and keeps nobody else from reading.
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

/** A customization that was not read again is the same object. */
function isAlike(one: Customization, other: Customization): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
