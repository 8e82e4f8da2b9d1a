import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { promptParts } from '../../../src/extension/core/history/promptParts.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { makeDiskWorld } from '../../support/diskWorld.ts';
import { eachTest } from '../../support/eachTest.ts';
import { git } from '../../support/gitRepository.ts';

describe('a prompt with mentions', () => {
  const world = eachTest(() => makeDiskWorld());

  test('makes exactly one request, with the contents before the words of the user', async () => {
    const { workspace, model } = world;
    await mkdir(join(workspace, 'src'));
    await writeFile(join(workspace, 'src/tax.ts'), 'const rate = 19;\n');
    await writeFile(join(workspace, 'notes.md'), 'Rates change in May.\n');
    await git(workspace, 'init', '--quiet', '--initial-branch=main');
    await git(workspace, 'add', '--all');
    await git(workspace, 'commit', '--quiet', '--message=first');
    await appendFile(join(workspace, 'notes.md'), 'Ask Ada.\n');
    const prompt = 'Compare @src/tax.ts with @notes.md and @diff.';
    await world.turn(prompt);
    expect(model.requests).toHaveLength(1);
    const [message] = model.requests[0]!.messages;
    const texts = message!.parts.map(part => (part.kind === 'text' ? part.text : part.kind));
    expect(texts).toEqual([
      expect.stringContaining('<workspace>'),
      'Content of src/tax.ts:\n```\nconst rate = 19;\n```',
      'Content of notes.md:\n```\nRates change in May.\nAsk Ada.\n```',
      expect.stringContaining('+Ask Ada.'),
      prompt,
    ]);
    const mentions = world.events.flatMap(event => (event.type === 'mentions.read' ? event.mentions : []));
    expect(mentions.map(({ text, outcome }) => [text, outcome])).toEqual([
      ['@src/tax.ts', 'read'],
      ['@notes.md', 'read'],
      ['@diff', 'read'],
    ]);
  });

  test('tells the panel which mention is missing, and the model reads the words as they are', async () => {
    await world.turn('Look at @src/gone.ts, @Injectable too.');
    const [chapter] = world.session.state.chapters;
    const prompt = [...iterate(chapter!.items)].find(item => item.type === 'prompt');
    expect(prompt).toMatchObject({ mentions: [{ text: '@src/gone.ts', outcome: 'missing' }] });
    expect(world.model.requests[0]!.messages[0]!.parts).toEqual([
      { kind: 'text', text: 'Look at @src/gone.ts, @Injectable too.' },
    ]);
  });

  test('is not lost when the host is killed before its mentions were read', async () => {
    await world.turn('first');
    await world.turn('second @x.ts');
    await world.cutJournal(lines => {
      const started = lines.findLastIndex(line => line.includes('"turn.started"'));
      return lines.slice(0, started + 1);
    });
    await world.turn('third');
    const { messages } = world.model.requests.at(-1)!;
    expect(historyFaults(messages)).toEqual([]);
    const words = messages.flatMap(({ role, parts }) =>
      role === 'user' ? parts.map(part => (part.kind === 'text' ? part.text : part.kind)) : [],
    );
    expect(words).toEqual(['first', 'second @x.ts', 'third']);
    // Reading the journal once more adds nothing.
    const { seq } = world.session.state;
    await world.reopen();
    expect(world.session.state.seq).toBe(seq);
  });
});

test('a selection and a pointed-to file stand before the words, in fences', () => {
  const parts = promptParts({
    text: 'Why?',
    editorContext: [],
    attachments: [{ kind: 'selection', path: 'a.ts', startLine: 1, endLine: 2, text: 'x\n```' }],
    parts: [{ kind: 'text', text: 'Content of b.ts' }],
  });
  expect(parts.map(part => (part.kind === 'text' ? part.text : ''))).toEqual([
    'Selected in a.ts, lines 1 to 2:\n````\nx\n```\n````',
    'Content of b.ts',
    'Why?',
  ]);
});

describe('lines that are selected in the editor', () => {
  const selectedLines = { startLine: 2, endLine: 3 };
  const selected = { cursor: { line: 2, character: 1 }, selection: 'one\ntwo', selectedLines };
  const world = eachTest(() =>
    makeDiskWorld({ active: { path: '/elsewhere/notes.md', ...selected }, open: [] }),
  );

  test('are shown with each prompt that they go along with', async () => {
    await world.turn('Explain');
    await world.turn('Again');
    expect(JSON.stringify(world.model.requests[0]!.messages)).toContain('| one');
    const prompts = world.session.state.chapters.flatMap(({ items }) =>
      [...iterate(items)].filter(item => item.type === 'prompt'),
    );
    const mentions = [expect.objectContaining({ path: '/elsewhere/notes.md', lines: selectedLines })];
    expect(prompts.map(prompt => prompt.mentions)).toEqual([mentions, mentions]);
  });
});
