import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { defineTool, type EditCheckResult } from '../../../src/extension/core/tool.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { lazySchema } from '../../../src/protocol/lazySchema.ts';
import { makeWorld } from '../../support/conversation.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';

const input = lazySchema(() => z.object({ text: z.string() }));

/** Writes through the files of its call, as tools for files do. */
const edit = defineTool({
  name: 'edit',
  description: 'Edits a file.',
  input,
  effect: 'edit',
  title: () => 'Edit',
  prepare: async () => ({ plan: undefined }),
  run: async ({ text }, _plan, { files }) => {
    await files.writeText('/project/page.html', text, utf8Format);
    return { text: 'Written.', display: { summary: () => 'Written' } };
  },
});

let edits = 0;
const anEdit = (): ScriptedAnswer => {
  edits++;
  return { parts: [{ kind: 'call', id: `e${edits}`, name: 'edit', args: { text: `version ${edits}\n` } }] };
};
const done: ScriptedAnswer = { parts: [{ kind: 'text', text: 'Done.' }] };

function world(answers: readonly ScriptedAnswer[], checks: readonly (EditCheckResult | undefined)[]) {
  let asked = 0;
  const made = makeWorld({
    mode: 'yolo',
    answers,
    tools: [edit],
    checkWork: async () => checks[asked++],
  });
  onTestFinished(() => made.session.dispose());
  const notices = () => made.events.flatMap(event => (event.type === 'notice.shown' ? [event.text] : []));
  return { ...made, notices, asked: () => asked };
}

describe('after a turn with edits', () => {
  const broken = { notice: 'It shows an error.', problems: 'The page reports: boom' };

  it('the model reads what the check found, and its repair is checked again', async () => {
    const made = world([anEdit(), done, anEdit(), done], [broken, { notice: 'All is well.' }]);
    expect(await made.session.send('go')).toEqual({ kind: 'rested' });
    expect(made.asked()).toBe(2);
    expect(made.notices()).toEqual(['It shows an error.', 'All is well.']);
    const read = made.model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(read.filter(text => text.includes('The page reports: boom'))).toHaveLength(1);
  });

  it('a model that mends nothing rests', async () => {
    const made = world([anEdit(), done, done], [broken, broken]);
    expect(await made.session.send('go')).toEqual({ kind: 'rested' });
    expect(made.asked()).toBe(1);
  });

  it('is checked three times at most', async () => {
    const answers = Array.from({ length: 4 }, () => [anEdit(), done]).flat();
    const made = world(answers, [broken, broken, broken, broken]);
    expect(await made.session.send('go')).toEqual({ kind: 'rested' });
    expect(made.asked()).toBe(3);
  });

  it('nothing is checked where nothing was written', async () => {
    const made = world([done], [broken]);
    await made.session.send('go');
    expect(made.asked()).toBe(0);
    expect(made.notices()).toEqual([]);
  });
});
