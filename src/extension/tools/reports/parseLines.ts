/* Coverage formats that are parsed line by line, so that large files take little memory. */

import { Coverage, type CoveredFile } from './report.ts';

interface LineReport {
  readonly files: readonly CoveredFile[];
  /** True if the report is incomplete. */
  readonly isCut: boolean;
}

/** Bytes decoded at once, before yielding to other work. */
const chunkSize = 4 * 1024 * 1024;

/** Calls a function for each line, or each part after another separator. */
async function eachLine(
  bytes: Uint8Array,
  signal: AbortSignal,
  take: (line: string) => void,
  end = '\n',
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for (let from = 0; from < bytes.length; from += chunkSize) {
    const lines = (rest + decoder.decode(bytes.subarray(from, from + chunkSize), { stream: true })).split(
      end,
    );
    rest = lines.pop()!;
    for (const line of lines) take(line);
    await new Promise(resolve => setTimeout(resolve, 0));
    signal.throwIfAborted();
  }
  if (rest !== '') take(rest);
}

export async function parseLcov(bytes: Uint8Array, signal: AbortSignal): Promise<LineReport> {
  const coverage = new Coverage();
  let path = '';
  await eachLine(bytes, signal, line => {
    if (line.startsWith('DA:')) {
      const [, number, hits] = /^DA:(\d+),(\d+)/.exec(line) ?? [];
      if (number !== undefined) coverage.add(path, Number(number), Number(hits));
    } else if (line.startsWith('SF:')) path = line.slice(3).trim();
    else if (line.startsWith('end_of_record')) path = '';
  });
  return { files: coverage.all, isCut: path !== '' };
}

/** Go's blocks: `name.go:first.column,last.column statements count`. */
export async function parseGoCover(bytes: Uint8Array, signal: AbortSignal): Promise<LineReport> {
  const coverage = new Coverage();
  let isCut = false;
  await eachLine(bytes, signal, line => {
    const [, path, first, last, hits] = /^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)\s*$/.exec(line) ?? [];
    isCut = path === undefined && line.trim() !== '' && !line.startsWith('mode:');
    if (path === undefined) return;
    for (let at = Number(first); at <= Math.min(Number(last), Number(first) + 10_000); at++)
      coverage.add(path, at, Number(hits));
  });
  return { files: coverage.all, isCut };
}

/** The XML may be a single line with attributes in any order. Other elements are ignored. */
export async function parseCobertura(bytes: Uint8Array, signal: AbortSignal): Promise<LineReport> {
  const coverage = new Coverage();
  let [path, isCut, isInMethod] = ['', true, false];
  const take = (text: string) => {
    const element = `${text.slice(text.lastIndexOf('<'))}>`;
    if (/^<class\s/.test(element)) path = decodeXml(attribute(element, 'filename') ?? '');
    // The lines of a method are repeated in its class.
    else if (/^<methods\b.*[^/]>$/s.test(element)) isInMethod = true;
    else if (element.startsWith('</methods')) isInMethod = false;
    else if (element.startsWith('</coverage')) isCut = false;
    else if (/^<line\s/.test(element) && !isInMethod) {
      const [number, hits] = [attribute(element, 'number'), attribute(element, 'hits')];
      if (number !== undefined && hits !== undefined) coverage.add(path, Number(number), Number(hits));
    }
  };
  await eachLine(bytes, signal, take, '>');
  return { files: coverage.all, isCut };
}

function attribute(element: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1];
}

function decodeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
