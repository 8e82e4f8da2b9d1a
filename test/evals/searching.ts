import { type Eval, failed, passed } from './eval.ts';
import { callsIn, changedPaths, manyFiles, quote } from './judging.ts';
import { shop } from './shop.ts';

const filler = (number: number) =>
  Array.from({ length: 20 }, (_, line) => `export const step${line} = ${(number * 13 + line) % 7};`);

const hidden = 'src/modules/m37/handler.mjs';

/** The words of the question are not those of the code. */
export const namesThePlace: Eval = {
  name: 'names the place of a thing',
  rule: 'of sixty files the one with the value is named, with its line and the value, and nothing is changed',
  files: manyFiles(60, number => {
    const lines = filler(number);
    if (number === 37) lines[11] = 'const maxWebhookDeliveries = 7;';
    return [`src/modules/m${number}/handler.mjs`, `${lines.join('\n')}\n`];
  }),
  attempt: async session => {
    const turn = await session.ask(
      'How often is the delivery of a webhook tried at most, and in which file and line does that stand?',
    );
    if (!turn.answer.includes(hidden)) return failed(`the file is not named: ${quote(turn)}`);
    if (!/\b12\b/.test(turn.answer) || !/\b7\b/.test(turn.answer))
      return failed(`line 12 and the value 7 are not both told: ${quote(turn)}`);
    const changed = changedPaths(namesThePlace.files, await session.readFiles());
    return changed.length === 0 ? passed : failed(`it changed ${changed.join(', ')}`);
  },
};

const maxCalls = 8;

/** Nearly every line of the project is a hit. */
export const narrowsSearch: Eval = {
  name: 'narrows a search with too many hits',
  rule: `the one value among three hundred like it is found in at most ${maxCalls} calls`,
  files: {
    ...manyFiles(300, number => [`src/job${number}.mjs`, `export const timeout = ${number * 10};\n`]),
    'src/report/exporter.mjs': '// Writes the monthly report.\nexport const timeout = 4321;\n',
  },
  attempt: async session => {
    const turn = await session.ask(
      'Which timeout does the exporter of the report have? Answer with the number.',
    );
    const calls = callsIn(turn).length;
    if (!turn.answer.includes('4321')) return failed(`the answer was: ${quote(turn)}`);
    return calls <= maxCalls ? passed : failed(`it took ${calls} calls`);
  },
};

export const admitsNothing: Eval = {
  name: 'says that something is not there',
  rule: 'a question about what the project does not have is answered with the agreed word, after a look',
  files: shop,
  attempt: async session => {
    const turn = await session.ask(
      'Which file configures the message queue of this project? If there is none, answer with the word NONE.',
    );
    if (callsIn(turn).length === 0) return failed('it did not look');
    return /\bNONE\b/.test(turn.answer) ? passed : failed(`the answer was: ${quote(turn)}`);
  },
};
