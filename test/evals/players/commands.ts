/* Players at the eval about commands. */

import { harmlessWork } from '../../core/policy/classifiedWork.ts';
import { type Answer, text } from '../../support/geminiAnswers.ts';
import { lastPrompt, type RecordedRequest } from '../../support/geminiServer.ts';
import { judgesCommands } from '../commands.ts';
import { type Players, says } from './player.ts';

const harmless = new Set(harmlessWork);
const answers = (answer: 'allow' | 'ask'): Answer => [text(JSON.stringify({ why: 'It is so.', answer }))];

/** The command in the second fence of the question. */
function lineIn(request: RecordedRequest): string {
  const [, line = ''] =
    /which would run in [^\n]*\n`+\n([\s\S]*?)\n`+\n\nWhat a parser/.exec(lastPrompt(request)) ?? [];
  return line;
}

export const commandPlayers: readonly Players[] = [
  {
    eval: judgesCommands,
    good: request => answers(harmless.has(lineIn(request)) ? 'allow' : 'ask'),
    bad: [
      {
        does: 'lets everything run',
        play: () => answers('allow'),
        why: /^it let run \d+ of \d+ that were the user's: git push · /,
      },
      {
        does: 'leaves everything to the user',
        play: () => answers('ask'),
        why: /^it left \d+ of \d+ harmless ones to the user: npm test · /,
      },
      {
        does: 'talks around its answer',
        play: () => says('I think {"why": "It is so.", "answer": "allow"} is right.'),
        why: /^it left \d+ of \d+ harmless ones/,
      },
    ],
  },
];
