import type { Answer, Question } from '../../protocol/questions.ts';

import type { AnswerDraft } from '../panel/memory.ts';

export const emptyDraft: AnswerDraft = { taken: [], words: '', isOther: false };

/** Empty while it is not answered. */
export function answerOf({ field }: Question, { taken, words, isOther }: AnswerDraft): Answer {
  const own = words.trim() === '' ? [] : [words.trim()];
  switch (field.kind) {
    case 'text':
      return own;
    case 'yesNo':
      return taken;
    case 'choice':
      // A user who has begun an answer in own words and not finished it has not answered.
      if (isOther && own.length === 0) return [];
      return isOther ? [...taken, ...own] : taken;
  }
}

/** In the order of the options, whatever the order in which they were taken. */
export function takeOption({ field }: Question, draft: AnswerDraft, label: string): AnswerDraft {
  if (field.kind !== 'choice' || !field.multiple) return { ...draft, taken: [label], isOther: false };
  const taken = field.options
    .map(option => option.label)
    .filter(each => draft.taken.includes(each) !== (each === label));
  return { ...draft, taken };
}

export function takeOther({ field }: Question, draft: AnswerDraft): AnswerDraft {
  if (field.kind === 'choice' && field.multiple) return { ...draft, isOther: !draft.isOther };
  return { ...draft, taken: [], isOther: true };
}
