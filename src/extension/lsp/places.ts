/* Converts between positions of the protocol (from 0, URIs) and of Folio (from 1, paths). */

import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CodePosition } from '../platform/languages.ts';
import type { Range } from './answers.ts';

export function toUri(path: string): string {
  return pathToFileURL(path).href;
}

/** Returns `undefined` if it is no local file. Servers write the URI of a file in several ways. */
export function toPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

export function toLspPosition({ line, column }: Pick<CodePosition, 'line' | 'column'>) {
  return { line: line - 1, character: column - 1 };
}

export function toCodePosition(path: string, { start }: Range): CodePosition {
  return { path, line: start.line + 1, column: start.character + 1 };
}

/** From 1, both inclusive. */
export function linesOf({ start, end }: Range): { readonly first: number; readonly last: number } {
  return { first: start.line + 1, last: Math.max(start.line, end.line) + 1 };
}
