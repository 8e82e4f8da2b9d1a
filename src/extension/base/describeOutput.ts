import { plainTerminalText, readableOutput } from './terminalText.ts';
import { cutMiddle } from './text.ts';
import { fence } from './untrusted.ts';

/** Characters of output shown in the card. */
const shownLimit = 8_000;

/** Replaces the output of a command that printed only blanks. */
export const noOutput = '(no output)';

export interface DescribedOutput {
  readonly forModel: string;
  readonly forUser: string;
  /** Path of the file with the full output, if the output was cut. */
  readonly outputPath?: string;
}

/** Cuts a long output in the middle. Saves the full output to a file and tells the model its path. */
export async function describeOutput(
  raw: string,
  limit: number,
  save: (text: string) => Promise<string | undefined>,
): Promise<DescribedOutput> {
  const readable = readableOutput(raw);
  if (readable === undefined) {
    const sentence = `(binary output of ${raw.length} characters, left out)`;
    return { forModel: sentence, forUser: sentence };
  }
  const text = plainTerminalText(readable);
  if (text.trim() === '') return { forModel: noOutput, forUser: '' };
  const forUser = cutMiddle(text, shownLimit, 0.3);
  if (text.length <= limit) return { forModel: fence('untrusted_output', text), forUser };
  const outputPath = await save(text);
  const rest = outputPath
    ? `The whole is in ${outputPath}: read parts of it with read_file.`
    : 'The whole could not be kept in a file.';
  const note = `The output has ${text.length} characters and is cut in the middle. ${rest}`;
  const forModel = `${fence('untrusted_output', cutMiddle(text, limit))}\n${note}`;
  return { forModel, forUser, outputPath: outputPath || undefined };
}
