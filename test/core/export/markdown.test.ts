import { describe, expect, test } from 'vitest';
import { chapterMarkdown } from '../../../src/extension/core/export/chapterMarkdown.ts';
import { sessionMarkdown } from '../../../src/extension/core/export/sessionMarkdown.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { called, chapter, invoiceStory, notify, prompt, rested, said, started } from '../../support/story.ts';

test('a session reads from its first prompt to its last word', async () => {
  await expect(sessionMarkdown(invoiceStory())).toMatchFileSnapshot('session.golden.md');
});

describe('one chapter', () => {
  test('is a document of its own, with its title on top', () => {
    const story = invoiceStory();
    const text = chapterMarkdown(story.chapters[2]!, story);
    expect(text.startsWith('# Mending it\n\n1 file (+1 −1) · 1 call · 13,100 tokens · $0.02 · 30 s\n')).toBe(
      true,
    );
    expect(text).not.toContain('Finding the bug');
    expect(text).not.toContain('musings');
  });

  test('headings of an answer stand below the chapter', () => {
    const story = invoiceStory();
    expect(chapterMarkdown(story.chapters[1]!, story)).toContain('\n## What I see\n');
  });

  test('the opening takes the title of the session', () => {
    const story = notify(started, prompt('What is this?'), said('A shop.'), rested());
    expect(chapterMarkdown(story.chapters[0]!, story)).toBe(
      '# What is this?\n\n> **Prompt**\n>\n> What is this?\n\nA shop.\n',
    );
  });
});

test('a session without topic calls is one document without chapters', () => {
  const text = sessionMarkdown(notify(started, prompt('What is this?'), said('# A shop'), rested()));
  expect(text).toBe('# What is this?\n\n> **Prompt**\n>\n> What is this?\n\n## A shop\n');
});

test('an opening in which something was said comes before the chapters', () => {
  const text = sessionMarkdown(notify(started, prompt('Hello'), said('Hi.'), chapter('Work'), said('Done.')));
  expect(text.match(/^## .*/gm)).toEqual(['## Opening', '## 1. Work']);
});

test('calls end in words a reader knows, topic calls are the headings they made', () => {
  const denied = called(
    { title: 'Write <a>.ts', effect: 'edit' },
    { outcome: 'denied', display: { summary: 'Denied' } },
  );
  const topic = called({ tool: 'create_new_topic', effect: 'note', title: 'Chapter: Work' }, {});
  const todos = called(
    { tool: 'write_todos', effect: 'note', title: 'Update the list' },
    {
      display: {
        summary: '1 of 2 done',
        detail: {
          kind: 'todos',
          todos: [
            { description: 'Read', status: 'completed' },
            { description: 'Fix', status: 'in_progress' },
          ],
        },
      },
    },
  );
  const [asked] = called({ title: 'Run make' }, {});
  const text = sessionMarkdown(notify(started, prompt('Go'), ...topic, ...denied, ...todos, asked!));
  expect(text).toContain(
    [
      '- ⊘ Write \\<a\\>.ts · denied · Denied',
      '- ✓ Update the list · 1 of 2 done',
      '',
      '  - [x] Read',
      '  - [ ] Fix (in progress)',
      '',
      '- … Run make · not finished',
    ].join('\n'),
  );
  expect(text).not.toContain('Chapter: Work');
});

test('says which changes are undone, and leaves them out of the sums', () => {
  const edited = called(
    { title: 'Write a.ts', effect: 'edit' },
    { display: { summary: 'Written', touched: [{ path: 'a.ts', added: 1, removed: 0 }] } },
  );
  const text = (...more: SessionEventBody[]) =>
    sessionMarkdown(notify(started, prompt('Go'), ...edited, ...more));
  expect(text()).toContain('1 file (+1 −0)');
  const kept = { filesFrom: 0, keptMessages: 9, todos: [], reviews: [], files: [] };
  const to = { kind: 'chapter', chapterId: 'opening' } as const;
  const undone = text({ type: 'session.rewound', rewindId: 'r', to, scope: 'files', ...kept });
  expect(undone).toContain('- ✓ Write a.ts · Written · undone');
  expect(undone).not.toContain('1 file');
});

test('notices, compressions and unusual ends are lines of their own', () => {
  const plan = {
    snapshot: '',
    replacement: [],
    keptFrom: 4,
    cut: [],
    tokens: { before: 90_000, after: 20_000 },
  };
  const parts = [{ chapterId: 'opening', summarised: 70_000, kept: 0, dropped: 0 }];
  const problem = { kind: 'quota', message: 'The quota is used up. Wait a day.' };
  const text = sessionMarkdown(
    notify(
      started,
      prompt('Go'),
      { type: 'notice.shown', level: 'warning', text: 'The file <b> changed.' },
      { type: 'compression.applied', compressionId: 'k', trigger: 'automatic', plan: { ...plan, parts } },
      { type: 'compression.undone', compressionId: 'k' },
      { type: 'turn.ended', turnId: 't1', end: { kind: 'failed', trouble: problem } },
    ),
  );
  expect(text).toContain('> [!WARNING]\n> The file \\<b\\> changed.');
  expect(text).toContain(
    '*The context was compressed: the beginning summarised, 90,000 tokens before, 20,000 after; undone later.*',
  );
  expect(text).toContain('*Failed: The quota is used up. Wait a day.*');
});

test('what a prompt came with is named, an image without its bytes', () => {
  const state = notify(
    started,
    {
      ...prompt('Look at @src/b.ts'),
      attachments: [
        { kind: 'selection', path: 'src/a.ts', startLine: 3, endLine: 9, text: 'x' },
        { kind: 'image', name: 'shot.png', blob: { mimeType: 'image/png', data: 'iVBOR' } },
      ],
    } as ReturnType<typeof prompt>,
    {
      type: 'mentions.read',
      turnId: 't1',
      mentions: [
        { text: '@src/b.ts', kind: 'file', outcome: 'read', detail: '9 lines' },
        { text: '@src/c.ts', kind: 'file', outcome: 'missing', detail: 'Not found' },
      ],
    },
  );
  const text = sessionMarkdown(state);
  expect(text).toContain('> With `src/a.ts:3-9`, `shot.png`, `@src/b.ts`');
  expect(text).not.toContain('iVBOR');
});

test('secrets in prompts, answers, outputs and diffs are masked', () => {
  const key = `AIza${'a1B2c3D4e5'.repeat(4)}`;
  const run = called(
    { title: 'Run env', effect: 'run', args: { command: 'env' } },
    {
      display: {
        summary: 'Exit code 0',
        detail: { kind: 'command', exitCode: 0, output: `KEY=${key}\nA_TOKEN=hunter22` },
      },
    },
  );
  const text = sessionMarkdown(notify(started, prompt(`Use ${key}`), said(`I use ${key}.`), ...run));
  expect(text).not.toContain(key);
  expect(text).not.toContain('hunter22');
  expect(text).toContain('I use AIza…[masked].');
});
