import type { Part } from '../../../protocol/events.ts';
import type { Attachment } from '../../../protocol/intentions.ts';
import { fenced } from '../../base/text.ts';

interface PromptMaterial {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly editorContext: readonly string[];
  /** Contents of the things that the prompt names. */
  readonly parts: readonly Part[];
}

/**
 * A prompt as the model reads it: what the editor shows, what the user attached and named, then their words. Content
 * of files is fenced and named, so that it reads as material and not as the user's own words.
 */
export function promptParts({ text, attachments, editorContext, parts }: PromptMaterial): readonly Part[] {
  const editor = editorContext.map((context): Part => ({ kind: 'text', text: context }));
  return [...editor, ...attachments.flatMap(attachmentParts), ...parts, { kind: 'text', text }];
}

function attachmentParts(attachment: Attachment): readonly Part[] {
  switch (attachment.kind) {
    case 'selection': {
      const { path, startLine, endLine, text } = attachment;
      return [
        { kind: 'text', text: `Selected in ${path}, lines ${startLine} to ${endLine}:\n${fenced(text)}` },
      ];
    }
    // Its content is among `parts`; where it could not be read, the user still points to it.
    case 'file':
      return [{ kind: 'text', text: `The user points to the file ${attachment.path}.` }];
    case 'image':
      return [
        { kind: 'text', text: `Image ${attachment.name}:` },
        { kind: 'blob', blob: attachment.blob },
      ];
  }
}
