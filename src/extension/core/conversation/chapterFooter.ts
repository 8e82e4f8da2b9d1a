import { oneLine } from '../../base/text.ts';

/**
 * Names the running chapter at the end of each request, where a model reads it last. It is not part of the history, so
 * the beginning of each request stays that of the one before.
 *
 * @param title comes from the model or the user; `undefined` before the first chapter
 */
export function chapterFooter(title: string | undefined): string | undefined {
  const plain = title?.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ') ?? '';
  // It stays on one line and cannot close or open a bracket.
  const line = oneLine(plain.replace(/[[{]/g, '(').replace(/[\]}]/g, ')'), titleLimit);
  return line === '' ? undefined : `[Active Topic: ${line}] ${mandate}`;
}

const titleLimit = 120;

const mandate =
  'When this no longer describes your phase of work, start the next chapter with create_new_topic.';
