import type { Blob } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import { addBlock, emptyParts } from './contentParts.ts';

export interface PromptText {
  /** A prompt that the user chose. Its text counts as the user's; embedded content is fenced as data. */
  readonly text: string;
  readonly blobs: readonly Blob[];
}

/** Parses the answer to `prompts/get`. Throws a user-facing message if it is empty. */
export function parsePromptAnswer(result: Readonly<Record<string, unknown>>): PromptText {
  const messages = Array.isArray(result.messages) ? result.messages.filter(isRecord) : [];
  const texts: string[] = [];
  const blobs: Blob[] = [];
  for (const { role, content } of messages) {
    const parts = emptyParts();
    for (const block of Array.isArray(content) ? content : [content]) addBlock(parts, block);
    const text = parts.texts.join('\n\n');
    const isPlain = isRecord(content) && content.type === 'text';
    const shown = isPlain ? text : wrapUntrusted('untrusted_content', text);
    texts.push(
      role === 'assistant'
        ? `An answer that was given to this:\n${wrapUntrusted('untrusted_content', text)}`
        : shown,
    );
    blobs.push(...parts.blobs);
  }
  const text = texts.join('\n\n').trim();
  if (text === '') throw new LocalizedError(() => t('The server gave an empty prompt.'));
  return { text, blobs };
}
