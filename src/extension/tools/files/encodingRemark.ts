import { encodingName } from '../../platform/fileEncodings.ts';
import type { TextFile } from '../../platform/fileSystem.ts';

/** Names the encoding of a file for a model; `undefined` for UTF-8, the default. */
export function describeEncoding({ format, guessed }: Omit<TextFile, 'text'>): string | undefined {
  if (format.encoding === 'utf8') return undefined;
  return encodingName(format.encoding) + (guessed ? ', guessed' : '');
}

/** Returns the encoding as a line to put above the text. */
export function encodingRemark(file: Omit<TextFile, 'text'>): string | undefined {
  const encoding = describeEncoding(file);
  return encoding && `[Encoding: ${encoding}. Edits keep it.]`;
}
