/* Players at the evals about chapters, questions and what is kept in mind. */

import { type Answer, call, text } from '../../support/geminiAnswers.ts';
import { lastPrompt, lastResults, type RecordedRequest, toolNames } from '../../support/geminiServer.ts';
import { groupsWork, sparesSmallTalk } from '../chapters.ts';
import { followsInstructions, remembersOnRequest } from '../memory.ts';
import { keepsFact } from '../plantedFact.ts';
import { answersQuestions } from '../questions.ts';
import { type Players, read, says, topic, write } from './player.ts';

const fix = write('src/cart.mjs', '// fixed\n');
const header = '// Harbour Ltd, all rights reserved.\n';
const tax = 'export function taxOf(amount, rate) {\n  return (amount * rate) / 100;\n}\n';
const remember = call('save_memory', { fact: 'The user writes amounts in euros.' });

export const talkPlayers: readonly Players[] = [
  {
    eval: groupsWork,
    good: [
      [topic('Tracing the NaN'), read('src/cart.mjs')],
      [topic('Fixing the average'), fix],
      says('Fixed.'),
    ],
    bad: [
      { does: 'opens no chapter', play: [[fix], says('Fixed.')], why: '0 chapters: none' },
      {
        does: 'opens one for each answer',
        play: [
          [topic('Reading'), read('src/cart.mjs')],
          [topic('Fixing'), fix, topic('Looking back')],
          says('Done.'),
        ],
        why: '3 chapters in 3 answers',
      },
      {
        does: 'edits before it has a topic',
        play: [[fix], [topic('Tracing the NaN')], [topic('Fixing the average')], says('Fixed.')],
        why: 'it edited before the first chapter',
      },
    ],
  },
  {
    eval: sparesSmallTalk,
    good: [says('Hello.'), says('src/cart.mjs')],
    bad: [
      {
        does: 'titles a greeting',
        play: [[topic('Greeting the user'), text('Hello.')], says('Hello.')],
        why: 'a chapter for "Hello."',
      },
    ],
  },
  {
    eval: answersQuestions,
    good: [
      says('The length of an empty cart is 0.'),
      says('Also in src/report.mjs.'),
      says('There is no test yet.'),
    ],
    bad: [
      { does: 'mends what it was asked about', play: [[fix], says('Done.')], why: /led to: Write src\/cart/ },
    ],
  },
  {
    eval: keepsFact,
    good: request => talkAboutNotes(request, 'Port 47813, Ilse Brandt.'),
    bad: [
      {
        does: 'leaves the fact out of its summary',
        play: request => talkAboutNotes(request, 'Something about a database.'),
        why: 'the answer was: Something about a database.',
      },
    ],
  },
  {
    eval: followsInstructions,
    good: [[write('src/tax.mjs', header + tax)], says('There it is.')],
    bad: [
      {
        does: 'forgets the first line',
        play: [[write('src/tax.mjs', tax)], says('There it is.')],
        why: /^it begins with: export function/,
      },
      {
        does: 'names things as it likes',
        play: [[write('src/tax.mjs', header + tax.replace('taxOf', 'tax'))], says('There it is.')],
        why: 'a name of one word: tax',
      },
      { does: 'only says what it would write', play: [says(tax)], why: 'there is no src/tax.mjs' },
    ],
  },
  {
    eval: remembersOnRequest,
    good: [says('It rounds to cents.'), [remember], says('I will.')],
    bad: [
      {
        does: 'keeps what was for one answer',
        play: [[call('save_memory', { fact: 'The user likes short answers.' })], says('It rounds.')],
        why: 'a passing request was saved',
      },
      {
        does: 'only says that it will',
        play: [says('It rounds.'), says('I will.')],
        why: 'it saved 0 times',
      },
    ],
  },
];

/** @param known what it keeps in mind, as far as it does */
function talkAboutNotes(request: RecordedRequest, known: string): Answer {
  if (toolNames(request).length === 0) {
    return says(
      `<state_snapshot><overall_goal>Talk about notes.</overall_goal><key_knowledge>${known}</key_knowledge></state_snapshot>`,
    );
  }
  const prompt = lastPrompt(request);
  if (prompt.startsWith('Which port')) return says(known);
  const folder = /in (\w+)\//.exec(prompt)?.[1];
  if (folder === undefined) return says('Noted.');
  if (lastResults(request).length > 0) return says('About counts.');
  return [1, 2, 3, 4].map(number => read(`${folder}/part${number}.txt`));
}
