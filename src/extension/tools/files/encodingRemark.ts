import { encodingName } from '../../platform/fileEncodings.ts';
import type { TextFile } from '../../platform/fileSystem.ts';

/** Names the encoding that a file was read in, for a model; `undefined`: UTF-8, which goes without saying. */
export function describeEncoding({ format, guessed }: Omit<TextFile, 'text'>): string | undefined {
  if (format.encoding === 'utf8') return undefined;
  return encodingName(format.encoding) + (guessed ? ', guessed' : '');
}

/** The same as a line above the text. */
export function encodingRemark(file: Omit<TextFile, 'text'>): string | undefined {
  const encoding = describeEncoding(file);
  return encoding && `[Encoding: ${encoding}. Edits keep it.]`;
}
