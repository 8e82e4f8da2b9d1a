import type { Answer, Question } from '../../protocol/questions.ts';

import type { AnswerDraft } from '../panel/webviewState.ts';

export const emptyDraft: AnswerDraft = { taken: [], words: '', isOther: false };

/** Returns the answer of a draft; empty if unanswered. */
export function answerOf({ field }: Question, { taken, words, isOther }: AnswerDraft): Answer {
  const own = words.trim() === '' ? [] : [words.trim()];
  switch (field.kind) {
    case 'text':
      return own;
    case 'yesNo':
      return taken;
    case 'choice':
      // A chosen but empty free text is no answer.
      if (isOther && own.length === 0) return [];
      return isOther ? [...taken, ...own] : taken;
  }
}

/** Toggles an option. Chosen labels keep the order of the options. */
export function toggleOption({ field }: Question, draft: AnswerDraft, label: string): AnswerDraft {
  if (field.kind !== 'choice' || !field.multiple) return { ...draft, taken: [label], isOther: false };
  const taken = field.options
    .map(option => option.label)
    .filter(each => draft.taken.includes(each) !== (each === label));
  return { ...draft, taken };
}

export function toggleOther({ field }: Question, draft: AnswerDraft): AnswerDraft {
  if (field.kind === 'choice' && field.multiple) return { ...draft, isOther: !draft.isOther };
  return { ...draft, taken: [], isOther: true };
}
