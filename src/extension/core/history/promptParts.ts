import type { Part } from '../../../protocol/events.ts';
import type { Attachment } from '../../../protocol/intentions.ts';
import { fenced } from '../../base/text.ts';

interface PromptMaterial {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly editorContext: readonly string[];
  readonly parts: readonly Part[];
}

/**
 * Builds the parts of a prompt: editor context, attachments and mentions, then the user's text. Contents of files are
 * fenced and labelled, so that they do not look like the user's own words.
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
    // `parts` contains its content, unless it was unreadable.
    case 'file':
      return [{ kind: 'text', text: `The user points to the file ${attachment.path}.` }];
    case 'image':
      return [
        { kind: 'text', text: `Image ${attachment.name}:` },
        { kind: 'blob', blob: attachment.blob },
      ];
  }
}
