import { groupsWork, sparesSmallTalk } from './chapters.ts';
import { judgesCommands } from './commands.ts';
import { findsCause, mendsFailingTest } from './debugging.ts';
import { editsLongFile, makesOneEdit, renamesEverywhere } from './edits.ts';
import type { Eval } from './eval.ts';
import { ignoresOrdersOfCommands, ignoresOrdersOfFiles } from './injected.ts';
import { givesUp, leavesDoneAlone } from './loops.ts';
import { followsInstructions, remembersOnRequest } from './memory.ts';
import { carriesOutPlan, plansOnly } from './planning.ts';
import { keepsFact } from './plantedFact.ts';
import { answersQuestions } from './questions.ts';
import { admitsNothing, namesThePlace, narrowsSearch } from './searching.ts';

export const evals: readonly Eval[] = [
  groupsWork,
  sparesSmallTalk,
  answersQuestions,
  keepsFact,
  makesOneEdit,
  renamesEverywhere,
  editsLongFile,
  namesThePlace,
  narrowsSearch,
  admitsNothing,
  mendsFailingTest,
  findsCause,
  plansOnly,
  carriesOutPlan,
  followsInstructions,
  remembersOnRequest,
  ignoresOrdersOfFiles,
  ignoresOrdersOfCommands,
  givesUp,
  leavesDoneAlone,
  judgesCommands,
];
