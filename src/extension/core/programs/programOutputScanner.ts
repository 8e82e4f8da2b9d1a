import { plainTerminalText } from '../../base/terminalText.ts';
import { headOf, tailOf } from '../../base/text.ts';

const addressPattern =
  /\bhttps?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|[\w-]+\.localhost)(?![\w.-])(?::\d{1,5})?(?:\/[^\s"'<>)\]]*)?/i;
const portPattern = /\blisten(?:ing|s)?\b[^\n]{0,40}?(?:\bport\W{0,3}|\s:)(\d{2,5})\b/i;
const errorPattern =
  /\b(?:error|exception|fatal|panic(?:ked)?|traceback|unhandled|failed to|cannot find|EADDRINUSE)\b|\w(?:Error|Exception)\b/i;
const fineWords = /\b(?:no|0|without) (?:errors?|exceptions?)\b/i;

/** Characters read of a line; the rest is ignored. */
const lineLength = 2000;
/** Lines after an error that may belong to it, such as a stack trace. */
const maxFollowing = 4;
/** Distinct errors that are tracked. After these, output is no longer searched. */
const maxKnown = 500;

/** Reads a program's output line by line, for its local URL and its errors, each once. */
export class ProgramOutputScanner {
  /** The first URL of this machine in the output. */
  address: string | undefined;
  private readonly known = new Set<string>();
  private rest = '';
  private following = 0;
  private taken: string[] = [];

  /** Number of distinct errors. */
  get errors(): number {
    return this.known.size;
  }

  add(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = tailOf(lines.pop() ?? '', lineLength);
    for (const line of lines) this.addLine(headOf(plainTerminalText(line), lineLength).trimEnd());
  }

  /** Returns errors since the last call, with their following lines. */
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
    // Digits are ignored, so that times and positions do not distinguish errors.
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
