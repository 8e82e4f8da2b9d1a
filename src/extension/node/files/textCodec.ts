/*
 * Decodes and encodes all text files:
 *
 *     byte order mark ─► user's choice ─► UTF-8 ─► as remembered ─► UTF-16 without a mark ─► guess ─► no text
 *
 * A guessed encoding is remembered by path, so that an edit cannot change the guess.
 */

import { t } from '../../../protocol/language.ts';
import { once } from '../../base/once.ts';
import { type ChosenEncodings, encodingName, noChosenEncodings } from '../../platform/fileEncodings.ts';
import { FileError, type TextFile, type TextFormat, utf8Format } from '../../platform/fileSystem.ts';
import {
  decodeText,
  decodeUnicode,
  decodeUnmarkedUtf16,
  encodeUnicode,
  hasByteOrderMark,
  hasControlCharacters,
  isPlausible,
  isUtf16,
} from './textBytes.ts';

const loadLegacy = once(() => import('./legacyEncodings.ts'));
const loadGuesses = once(() => import('./guessEncoding.ts'));

/** Maximum number of files with a remembered encoding. */
const maxRemembered = 2000;

export class TextCodec {
  private readonly encodings: ChosenEncodings;
  /** By path, oldest first. */
  private readonly remembered = new Map<string, string>();

  constructor(encodings: ChosenEncodings = noChosenEncodings) {
    this.encodings = encodings;
  }

  async decode(path: string, bytes: Uint8Array): Promise<TextFile | undefined> {
    const unicode = decodeText(bytes);
    if (hasByteOrderMark(bytes)) return unicode;
    const chosen = await this.encodings.findChosen(path, unicode ? 'utf8' : 'other');
    // ASCII decoded as UTF-16 would be Chinese.
    if (chosen !== undefined && !chosen.startsWith('utf8') && !(unicode && isUtf16(chosen))) {
      const text = await decodeAs(bytes, chosen);
      if (text !== undefined) return { text, format: { encoding: chosen, bom: false } };
    }
    const before = this.remembered.get(path);
    if (unicode) {
      const isAscii = unicode.text.length === bytes.length;
      const isAsBefore = before !== undefined && isAscii && (bytes.length === 0 || !isUtf16(before));
      return isAsBefore ? { ...unicode, format: { encoding: before, bom: false }, guessed: true } : unicode;
    }
    const guessed = await guess(bytes, before);
    if (guessed) this.remember(path, guessed.format);
    return guessed;
  }

  async encode(path: string, text: string, format: TextFormat): Promise<Uint8Array> {
    if (!text.isWellFormed()) {
      throw new FileError('notText', path, () =>
        t('The text for {0} contains an incomplete character and cannot be stored.', path),
      );
    }
    const { encoding } = format;
    const bytes = encodeUnicode(text, format) ?? (await loadLegacy()).encodeLegacy(text, encoding);
    if (typeof bytes === 'number') throw unencodable(path, text, encoding, bytes);
    if (bytes) return bytes;
    throw new FileError('other', path, () => t('The encoding {0} is not known.', encodingName(encoding)));
  }

  async newFormat(path: string): Promise<TextFormat> {
    const chosen = (await this.encodings.findChosen(path, 'none')) ?? utf8Format.encoding;
    // Writes a mark like VS Code, because few programs read UTF-16 without one.
    return { encoding: chosen === 'utf8bom' ? 'utf8' : chosen, bom: chosen === 'utf8bom' || isUtf16(chosen) };
  }

  /** Call after a file was written in this format. */
  remember(path: string, { encoding, bom }: TextFormat): void {
    this.remembered.delete(path);
    if (encoding === 'utf8' || bom) return;
    this.remembered.set(path, encoding);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > maxRemembered && oldest !== undefined) this.remembered.delete(oldest);
  }
}

async function guess(bytes: Uint8Array, before: string | undefined): Promise<TextFile | undefined> {
  const asBefore = before && (await decodeAs(bytes, before));
  if (asBefore !== undefined && before) return guessedFile(asBefore, before);
  const unmarked = decodeUnmarkedUtf16(bytes);
  if (unmarked || hasControlCharacters(Buffer.from(bytes).toString('latin1'))) return unmarked;
  for (const encoding of (await loadGuesses()).guessEncodings(bytes)) {
    const text = await decodeAs(bytes, encoding);
    if (text !== undefined && isPlausible(text)) return guessedFile(text, encoding);
  }
  return undefined;
}

function guessedFile(text: string, encoding: string): TextFile {
  return { text, format: { encoding, bom: false }, guessed: true };
}

/** Returns `undefined` for invalid bytes or an unknown encoding. */
async function decodeAs(bytes: Uint8Array, encoding: string): Promise<string | undefined> {
  if (encoding === 'utf8' || isUtf16(encoding)) return decodeUnicode(bytes, encoding);
  return bytes.includes(0) ? undefined : (await loadLegacy()).decodeLegacy(bytes, encoding);
}

function unencodable(path: string, text: string, encoding: string, at: number): FileError {
  const point = text.codePointAt(at) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const line = text.slice(0, at).split('\n').length;
  return new FileError('unencodable', path, () =>
    t(
      '{0} is encoded in {1}, which lacks {2} ({3}, line {4}).',
      path,
      encodingName(encoding),
      String.fromCodePoint(point),
      code,
      line,
    ),
  );
}
