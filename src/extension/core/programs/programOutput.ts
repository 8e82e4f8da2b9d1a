import { plainTerminalText } from '../../base/terminalText.ts';
import { headOf, tailOf } from '../../base/text.ts';

const addressPattern =
  /\bhttps?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|[\w-]+\.localhost)(?![\w.-])(?::\d{1,5})?(?:\/[^\s"'<>)\]]*)?/i;
const portPattern = /\blisten(?:ing|s)?\b[^\n]{0,40}?(?:\bport\W{0,3}|\s:)(\d{2,5})\b/i;
const errorPattern =
  /\b(?:error|exception|fatal|panic(?:ked)?|traceback|unhandled|failed to|cannot find|EADDRINUSE)\b|\w(?:Error|Exception)\b/i;
const fineWords = /\b(?:no|0|without) (?:errors?|exceptions?)\b/i;

/** Characters of a line that are read; of the rest nothing is known. */
const lineLength = 2000;
/** Lines behind an error that may belong to it, as of a stack. */
const maxFollowing = 4;
/** Errors that are told apart; a program that prints more of them is not read for errors any more. */
const maxKnown = 500;

/** Reads what a running program prints, line by line: where it can be reached, and its errors, each once. */
export class ProgramOutput {
  /** The first address of this machine that was printed. */
  address: string | undefined;
  private readonly known = new Set<string>();
  private rest = '';
  private following = 0;
  private taken: string[] = [];

  /** How many different errors were printed. */
  get errors(): number {
    return this.known.size;
  }

  add(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = tailOf(lines.pop() ?? '', lineLength);
    for (const line of lines) this.addLine(headOf(plainTerminalText(line), lineLength).trimEnd());
  }

  /** Gives the errors that came since this was asked last, with the lines that belong to them. */
  takeErrors(): readonly string[] {
    return this.taken.splice(0);
  }

  private addLine(line: string): void {
    this.address ??= addressIn(line);
    if (this.following > 0 && /^\s+\S/.test(line)) {
      this.following--;
      this.taken.push(line);
      return;
    }
    this.following = 0;
    if (!errorPattern.test(line) || fineWords.test(line)) return;
    // The same error at another time or place is the same error.
    const key = line.replace(/\d+/g, '0');
    if (this.known.has(key) || this.known.size >= maxKnown) return;
    this.known.add(key);
    this.taken.push(line);
    this.following = maxFollowing;
  }
}

function addressIn(line: string): string | undefined {
  const address = addressPattern.exec(line)?.[0];
  if (address !== undefined)
    return address.replace(/\/\/(?:0\.0\.0\.0|\[::1?\])/, '//localhost').replace(/[.,;]$/, '');
  const port = portPattern.exec(line)?.[1];
  return port === undefined || Number(port) > 65_535 ? undefined : `http://localhost:${port}`;
}
