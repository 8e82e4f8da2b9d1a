import type { Attachment, Part } from '../../../protocol/events.ts';

/**
 * A prompt as the model reads it: what the editor shows, then what the person attached, then their words. Content
 * of files is fenced and named, so that it reads as material and not as the person's own words.
 */
export function promptParts(
  text: string,
  attachments: readonly Attachment[],
  editorContext: string | undefined,
): readonly Part[] {
  const parts: Part[] = editorContext ? [{ kind: 'text', text: editorContext }] : [];
  for (const attachment of attachments) parts.push(...attachmentParts(attachment));
  parts.push({ kind: 'text', text });
  return parts;
}

function attachmentParts(attachment: Attachment): readonly Part[] {
  switch (attachment.kind) {
    case 'selection': {
      const { path, startLine, endLine, text } = attachment;
      return [
        { kind: 'text', text: `Selected in ${path}, lines ${startLine} to ${endLine}:\n${fence(text)}` },
      ];
    }
    case 'file':
      return [{ kind: 'text', text: `The person points to the file ${attachment.path}.` }];
    case 'image':
      return [
        { kind: 'text', text: `Image ${attachment.name}:` },
        { kind: 'blob', blob: attachment.blob },
      ];
  }
}

/** A fence longer than any that the text itself holds. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(match => match[0].length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}
