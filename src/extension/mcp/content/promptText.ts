import type { Blob } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { fence } from '../../base/untrusted.ts';
import { addBlock, noParts } from './parts.ts';

export interface PromptText {
  /** A prompt that the user chose, so it stands as theirs; what it carries along is fenced as data. */
  readonly text: string;
  readonly blobs: readonly Blob[];
}

/** From the answer to `prompts/get`. Throws a sentence when there is nothing in it. */
export function readPrompt(result: Readonly<Record<string, unknown>>): PromptText {
  const messages = Array.isArray(result.messages) ? result.messages.filter(isRecord) : [];
  const texts: string[] = [];
  const blobs: Blob[] = [];
  for (const { role, content } of messages) {
    const parts = noParts();
    for (const block of Array.isArray(content) ? content : [content]) addBlock(parts, block);
    const text = parts.texts.join('\n\n');
    const isPlain = isRecord(content) && content.type === 'text';
    const shown = isPlain ? text : fence('untrusted_content', text);
    texts.push(
      role === 'assistant' ? `An answer that was given to this:\n${fence('untrusted_content', text)}` : shown,
    );
    blobs.push(...parts.blobs);
  }
  const text = texts.join('\n\n').trim();
  if (text === '') throw new SpokenError(() => t('The server gave an empty prompt.'));
  return { text, blobs };
}
