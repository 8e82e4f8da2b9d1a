import { groupsWork, sparesSmallTalk } from './chapters.ts';
import type { Eval } from './eval.ts';
import { keepsFact } from './plantedFact.ts';
import { answersQuestions } from './questions.ts';

export const evals: readonly Eval[] = [groupsWork, sparesSmallTalk, answersQuestions, keepsFact];
