import type { SessionEvent } from '../../src/protocol/events.ts';
import { type Eval, failed, passed, type Turn } from './eval.ts';

/** Said once, in the first prompt, and written in no file. */
const port = '47813';
const owner = 'Brandt';

const topics = ['meadows', 'brooks', 'barns'] as const;

/** Through the summary or through `recall_chapter`: how it comes back is the agent's business. */
export const keepsFact: Eval = {
  name: 'keeps a planted fact',
  rule: 'after three compressions that each replaced the message with the fact, the fact is told exactly',
  files: Object.fromEntries(topics.flatMap(topic => notesOn(topic))),
  attempt: async session => {
    await session.ask(
      `For later: the staging database of this project listens on port ${port} and belongs to Ilse ${owner}. Just say that you noted it, and write it nowhere.`,
    );
    for (const topic of topics) {
      await session.ask(`Read all files in ${topic}/ whole and say in two sentences what they are about.`);
      const why = findFault(await session.ask('/compress'));
      if (why !== undefined) return failed(`${topic}: ${why}`);
    }
    const { answer } = await session.ask(
      'Which port does the staging database listen on, and to whom does it belong? No file says it; you were told.',
    );
    if (answer.includes(port) && answer.includes(owner)) return passed;
    return failed(`the answer was: ${answer.slice(0, 160)}`);
  },
};

/** A compression proves nothing where the first prompt is still sent word for word. */
function findFault({ events }: Turn): string | undefined {
  const applied = events.findLast(event => event.type === 'compression.applied');
  if (applied?.type !== 'compression.applied') return `no compression: ${endOf(events)}`;
  const [, , ...literal] = applied.plan.replacement;
  // Words alone: ids and signatures, which a service makes up, may hold any number.
  const words = literal.flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'text' ? part.text : [])),
  );
  const isLiteral = words.some(text => text.includes(port));
  return isLiteral ? 'the message with the fact is still sent' : undefined;
}

function endOf(events: readonly SessionEvent[]): string {
  const ended = events.findLast(event => event.type === 'compression.ended');
  return ended?.type === 'compression.ended' ? JSON.stringify(ended.end) : 'it did not begin';
}

/** Four files of about 6 KB that say different things. */
function notesOn(topic: string): readonly (readonly [string, string])[] {
  return [1, 2, 3, 4].map(number => {
    const lines = Array.from(
      { length: 80 },
      (_, line) =>
        `Entry ${line + 1} of ${topic}, part ${number}: ${(line * 37 + number * 11) % 97} were counted.`,
    );
    return [`${topic}/part${number}.txt`, `${lines.join('\n')}\n`] as const;
  });
}
