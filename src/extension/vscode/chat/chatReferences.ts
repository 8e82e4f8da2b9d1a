import { FileType, Location, Uri, workspace } from 'vscode';
import type { Attachment } from '../../../protocol/intentions.ts';
import { fenced, headOf } from '../../base/text.ts';
import { writeMention } from '../../core/mentions/writeMention.ts';
import { attachRange, codeLimit, fileAttachment, pathOf } from '../features/entryPoints/pointedCode.ts';

/** A Folio prompt with the references of a chat request. */
interface Referred {
  /** The prompt, followed by referenced folders and texts. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Number of unsupported references, such as pictures. */
  readonly left: number;
}

/** @param values of the references, in the order of the request */
export async function resolveReferences(prompt: string, values: readonly unknown[]): Promise<Referred> {
  const attachments: Attachment[] = [];
  const behind: string[] = [];
  let left = 0;
  // The request lists the last reference first.
  for (const value of values.toReversed()) {
    if (value instanceof Location)
      attachments.push(attachRange(await workspace.openTextDocument(value.uri), value.range));
    else if (value instanceof Uri && (await isFolder(value))) behind.push(writeMention(`${pathOf(value)}/`));
    else if (value instanceof Uri) attachments.push(fileAttachment(value));
    else if (typeof value === 'string') behind.push(fenced(headOf(value, codeLimit)));
    else left++;
  }
  return { text: [prompt, ...behind].join('\n\n').trim(), attachments, left };
}

async function isFolder(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.Directory) !== 0;
  } catch {
    // Reading it reports why it cannot be read.
    return false;
  }
}
