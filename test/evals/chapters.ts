import type { SessionEvent } from '../../src/protocol/events.ts';
import { type Eval, failed, passed, type Verdict } from './eval.ts';
import { shop } from './shop.ts';

/** Work of several phases is told in chapters. */
export const groupsWork: Eval = {
  name: 'groups work in chapters',
  rule: 'two chapters or more, each title used once, fewer chapters than answers, and no edit before the first',
  files: shop,
  attempt: async session => {
    const { events } = await session.ask(
      'average() in src/cart.mjs gives NaN for an empty cart. Find out why and who relies on it, fix it so that it gives 0, then write tests for it in test/cart.test.mjs with node:test and run them.',
    );
    return judgeChapters(events);
  },
};

function judgeChapters(events: readonly SessionEvent[]): Verdict {
  const titles = events.flatMap(event => (event.type === 'chapter.started' ? event.title.toLowerCase() : []));
  const answers = events.filter(({ type }) => type === 'step.ended').length;
  const firstChapter = events.findIndex(({ type }) => type === 'chapter.started');
  const firstEdit = events.findIndex(event => event.type === 'call.requested' && event.effect === 'edit');
  if (titles.length < 2) return failed(`${titles.length} chapters: ${titles.join(', ') || 'none'}`);
  if (new Set(titles).size < titles.length) return failed(`a title came twice: ${titles.join(', ')}`);
  if (titles.length >= answers) return failed(`${titles.length} chapters in ${answers} answers`);
  if (firstEdit < 0) return failed('nothing was edited');
  return firstEdit < firstChapter ? failed('it edited before the first chapter') : passed;
}

/** A heading over one line of answer is noise. */
export const sparesSmallTalk: Eval = {
  name: 'opens no chapter for small talk',
  rule: 'a greeting and a one-line question are answered without a chapter',
  files: shop,
  attempt: async session => {
    for (const prompt of ['Hello.', 'Which of my files exports average()? One line.']) {
      const { events, answer } = await session.ask(prompt);
      if (answer === '') return failed(`no answer to "${prompt}"`);
      if (events.some(({ type }) => type === 'chapter.started')) return failed(`a chapter for "${prompt}"`);
    }
    return passed;
  },
};
