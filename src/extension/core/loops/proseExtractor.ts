/*
 * Separates prose from text that repeats by nature: code, tables, lists, headings, quotes, dividers, drawings, JSON,
 * and test output. It reads character by character, so that chunk boundaries do not matter, and buffers the beginning
 * of a line only until its type is known.
 */

interface ProseSink {
  prose(code: number): void;
  /** Marks other content, so that following prose does not continue the earlier one. */
  broken(): void;
}

type Place =
  /** In the indentation, or before it. */
  | 'start'
  /** Ticks or tildes that may become a fence, digits a list, punctuation a divider. */
  | 'ticks'
  | 'digits'
  | 'afterDigits'
  | 'symbols'
  | 'prose'
  | 'structure'
  /** Rest of an overlong structured line, treated as prose. */
  | 'overlong'
  /** After the opening ticks of a fence; then inside it: at a line's start, in ticks that may close it, later. */
  | 'opening'
  | 'fencedStart'
  | 'closing'
  | 'fencedLine';

/** A longer line of punctuation is not a divider, but a stuck model. */
const maxDividerLength = 1000;
/** The same limit for one line of a table or JSON. */
const maxStructureLength = 4000;

export class ProseExtractor {
  private readonly sink: ProseSink;
  private place: Place = 'start';
  private held: number[] = [];
  private isIndented = false;
  /** Length of the current run or line. */
  private count = 0;
  private fenceCode = 0;
  private fenceLength = 0;

  constructor(sink: ProseSink) {
    this.sink = sink;
  }

  reset(): void {
    this.place = 'start';
    this.held = [];
    this.isIndented = false;
  }

  read(code: number): void {
    switch (this.place) {
      case 'start':
        this.readStart(code);
        break;
      case 'ticks':
        this.readTicks(code);
        break;
      case 'digits':
        this.readDigits(code);
        break;
      case 'afterDigits':
        if (isSpace(code) || code === newline) this.beStructure(code);
        else this.beProse(code);
        break;
      case 'symbols':
        this.readSymbols(code);
        break;
      case 'prose':
      case 'overlong':
        this.readProse(code);
        break;
      case 'structure':
        if (code === newline) this.reset();
        else if (++this.count > maxStructureLength) this.place = 'overlong';
        break;
      case 'opening':
      case 'fencedStart':
      case 'closing':
      case 'fencedLine':
        this.readFenced(code);
    }
  }

  private readStart(code: number): void {
    if (isSpace(code)) {
      this.hold(code);
      // One space may be a typo; two are a continued list, code or a drawing, unless the line is blank.
      this.isIndented = this.held.length > 1 || code === tab;
      if (this.held.length > maxDividerLength) this.beProse(code);
    } else if (code === newline) this.beProse(code);
    else if (code === tick || code === tilde) {
      this.place = 'ticks';
      this.count = 1;
      this.fenceCode = code;
      this.hold(code);
    } else if (this.isIndented || opensStructure(code)) this.beStructure(code);
    else if (isDigit(code)) {
      this.place = 'digits';
      this.hold(code);
    } else if (isWordLike(code)) this.beProse(code);
    else {
      this.place = 'symbols';
      this.count = 0;
      this.hold(code);
    }
  }

  private readTicks(code: number): void {
    if (code === this.fenceCode && this.count < maxDividerLength) {
      this.count++;
      this.hold(code);
    } else if (this.count >= 3 && code !== this.fenceCode) {
      this.sink.broken();
      this.held = [];
      this.fenceLength = this.count;
      this.place = 'opening';
      this.readFenced(code);
    } else if (this.isIndented) this.beStructure(code);
    else this.beProse(code);
  }

  private readDigits(code: number): void {
    if (isDigit(code) && this.held.length < 12) this.hold(code);
    else if (code === dot || code === closingBracket) {
      this.place = 'afterDigits';
      this.hold(code);
    } else this.beProse(code);
  }

  private readSymbols(code: number): void {
    const isListItem = isSpace(code) && this.held.at(-1) === asterisk && this.count === 0;
    if (code === newline || isListItem || breaksProse(code)) this.beStructure(code);
    else if (isWordLike(code) || isDigit(code) || ++this.count > maxDividerLength) this.beProse(code);
    else this.hold(code);
  }

  private readProse(code: number): void {
    if (this.place === 'prose' && breaksProse(code)) {
      this.beStructure(code);
      return;
    }
    this.sink.prose(code);
    if (code === newline) this.place = 'start';
  }

  private readFenced(code: number): void {
    if (code === newline) {
      if (this.place === 'closing' && this.count >= this.fenceLength) this.reset();
      else this.place = 'fencedStart';
    } else if (this.place === 'opening') {
      // A further tick means inline code written with three ticks.
      if (code === tick && this.fenceCode === tick) this.beStructure(code);
    } else if (this.place === 'fencedStart' && code === this.fenceCode) {
      this.place = 'closing';
      this.count = 1;
    } else if (this.place === 'closing' && code === this.fenceCode) this.count++;
    else if (!isSpace(code)) this.place = 'fencedLine';
  }

  private hold(code: number): void {
    this.held.push(code);
  }

  private beProse(code: number): void {
    const { held } = this;
    this.reset();
    this.place = code === newline ? 'start' : 'prose';
    for (const each of held) this.sink.prose(each);
    this.sink.prose(code);
  }

  private beStructure(code: number): void {
    this.reset();
    this.count = 0;
    if (code !== newline) this.place = 'structure';
    this.sink.broken();
  }
}

/** Characters that start lists, headings, quotes, tables, JSON, markup, diffs, commands and paths. */
function opensStructure(code: number): boolean {
  return '#$+-/<>@[\\]{|}'.includes(String.fromCharCode(code)) || isDrawn(code);
}

function breaksProse(code: number): boolean {
  return code === pipe || (code >= 0x2500 && code <= 0x259f);
}

/** Dashes, bullets, arrows, lines, blocks, shapes, check marks and spinners, but no letters and few emoji. */
function isDrawn(code: number): boolean {
  return (
    (code >= 0x2010 && code <= 0x2015) ||
    (code >= 0x2020 && code <= 0x2024) ||
    (code >= 0x2190 && code <= 0x28ff) ||
    code === 0xb7
  );
}

/** Characters that are neither ASCII punctuation nor drawings start a word. */
function isWordLike(code: number): boolean {
  return code > 0x7f ? !isDrawn(code) : /[A-Za-z]/.test(String.fromCharCode(code));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === tab || code === 0x0d;
}

const tab = 0x09;
const newline = 0x0a;
const closingBracket = 0x29;
const asterisk = 0x2a;
const dot = 0x2e;
const tick = 0x60;
const pipe = 0x7c;
const tilde = 0x7e;
