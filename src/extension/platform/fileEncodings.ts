import type { TextFormat } from './fileSystem.ts';

/** Finds the encoding that a user chose for a file, by a setting or in an editor. */
export interface ChosenEncodings {
  /**
   * @returns VS Code's identifier of the encoding; `undefined` if the user chose none
   * @param content `other`: bytes that are not UTF-8; `none`: the file does not exist yet
   */
  findChosen(path: string, content: 'utf8' | 'other' | 'none'): Promise<string | undefined>;
}

/** For runs without an editor, which have no encoding settings. */
export const noChosenEncodings: ChosenEncodings = { findChosen: async () => undefined };

export function isSameFormat(a: TextFormat, b: TextFormat): boolean {
  return a.encoding === b.encoding && a.bom === b.bom;
}

const names: Readonly<Record<string, string>> = {
  utf8: 'UTF-8',
  utf16le: 'UTF-16 LE',
  utf16be: 'UTF-16 BE',
  shiftjis: 'Shift_JIS',
  eucjp: 'EUC-JP',
  euckr: 'EUC-KR',
  koi8r: 'KOI8-R',
  koi8u: 'KOI8-U',
};

/** Returns the common name of an encoding. */
export function encodingName(encoding: string): string {
  const [, family, number] = /^(windows|iso8859)(\d+)$/.exec(encoding) ?? [];
  if (family === 'windows') return `Windows-${number}`;
  return family ? `ISO-8859-${number}` : (names[encoding] ?? encoding.toUpperCase());
}
