import { plainTerminalText, readableOutput } from './terminalText.ts';
import { cutMiddle } from './text.ts';
import { wrapUntrusted } from './untrusted.ts';

/** Characters of output shown in the card. */
const shownLimit = 8_000;

/** Replaces the output of a command that printed only blanks. */
export const noOutput = '(no output)';

export interface LimitedOutput {
  readonly forModel: string;
  readonly forUser: string;
  /** Path of the file with the full output, if the output was cut. */
  readonly outputPath?: string;
}

/** Cuts a long output in the middle. Saves the full output to a file and tells the model its path. */
export async function limitOutput(
  raw: string,
  limit: number,
  save: (text: string) => Promise<string | undefined>,
): Promise<LimitedOutput> {
  const readable = readableOutput(raw);
  if (readable === undefined) {
    const sentence = `(binary output of ${raw.length} characters, left out)`;
    return { forModel: sentence, forUser: sentence };
  }
  const text = plainTerminalText(readable);
  if (text.trim() === '') return { forModel: noOutput, forUser: '' };
  const forUser = cutMiddle(text, shownLimit, 0.3);
  if (text.length <= limit) return { forModel: wrapUntrusted('untrusted_output', text), forUser };
  const outputPath = await save(text);
  const rest = outputPath
    ? `The whole is in ${outputPath}: read parts of it with read_file.`
    : 'The whole could not be kept in a file.';
  const note = `The output has ${text.length} characters and is cut in the middle. ${rest}`;
  const forModel = `${wrapUntrusted('untrusted_output', cutMiddle(text, limit))}\n${note}`;
  return { forModel, forUser, outputPath: outputPath || undefined };
}
