import { expect, test } from 'vitest';
import { describeStats } from '../../../src/extension/core/commands/texts/describeStats.ts';
import { formatBugReport } from '../../../src/extension/core/commands/texts/formatBugReport.ts';
import { append, emptyPagedList } from '../../../src/protocol/pagedList.ts';
import { emptySession, type Item, type SessionState } from '../../../src/protocol/state.ts';

function stateWith(...items: readonly Item[]): SessionState {
  const [opening] = emptySession.chapters;
  const pages = items.reduce(
    (all, item) => append(all, item),
    emptyPagedList as SessionState['chapters'][0]['items'],
  );
  const usage = { prompt: 1_000, cached: 250, output: 40, thoughts: 2 };
  return {
    ...emptySession,
    model: 'auto',
    title: 'A *bold* title',
    folders: ['/home/me/secret-project'],
    usage,
    cost: 0.5,
    routed: { turnId: 't', model: 'fast-1', by: 'default' },
    chapters: [{ ...opening!, items: pages, calls: 3, activeMs: 65_000, usage }],
  };
}

test('a report says what is set and went wrong, and nothing that is private', () => {
  const problem = {
    kind: 'server',
    message: 'Got 500 from https://proxy.corp/v1?key=abc in /home/me/secret-project/x.ts',
  };
  const state = stateWith(
    { type: 'prompt', id: 't', text: 'My private words', attachments: [], at: 0 },
    { type: 'end', id: 'e', end: { kind: 'failed', trouble: problem } },
    {
      type: 'notice',
      id: 'n',
      level: 'warning',
      text: 'api_key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"',
    },
    { type: 'notice', id: 'i', level: 'info', text: 'Not an error' },
  );
  const report = formatBugReport({
    title: '',
    version: '1.2.3',
    host: 'VS Code 1.99',
    system: 'linux x64',
    provider: 'openai',
    trusted: true,
    settings: {
      'folio.maxSteps': 7,
      'folio.approvalMode': 'autoEdit',
      'folio.openai.baseUrl': 'https://proxy.corp/v1',
      'folio.memoryFolders': ['~/private'],
      'folio.vertex.project': 'my-project-4711',
    },
    state,
    home: '/home/me',
  });
  expect(report).toContain('- Folio 1.2.3\n- VS Code 1.99\n- linux x64\n- Provider: openai, model: `auto`');
  expect(report).toContain(
    '- `folio.maxSteps`: 7\n- `folio.approvalMode`: `autoEdit`\n- `folio.openai.baseUrl`: set',
  );
  expect(report).toContain('Got 500 from <address> in <workspace>/x.ts');
  for (const secret of [
    'proxy.corp',
    'private',
    'my-project',
    'secret-project',
    'abcdefghij',
    'Not an error',
  ])
    expect(report).not.toContain(secret);
});

test('a report of a session in which nothing happened says so', () => {
  const facts = { version: '1', host: 'h', system: 's', provider: 'gemini', trusted: false, settings: {} };
  const report = formatBugReport({
    title: '',
    ...facts,
    state: emptySession,
    home: '',
  });
  expect(report).toContain('## Settings that differ\n\nNone.');
  expect(report).toContain('## Newest errors\n\nNone in this session.');
  expect(report).toContain('Workspace: restricted');
});

test('statistics tell tokens, cache, cost, time and models', () => {
  const text = describeStats(stateWith({ type: 'prompt', id: 't', text: 'x', attachments: [], at: 0 }));
  for (const row of [
    '| Prompts | 1 |',
    '| Calls of tools | 3 |',
    '| Time at work | 1 min 5 s |',
    '| Tokens sent | 1,000 |',
    '| of these from the cache | 250 (25 %) |',
    '| Tokens written | 42 |',
    '| Cost | about $0.50 |',
    '| Model | Auto, newest turn by `fast-1` |',
  ])
    expect(text).toContain(row);
  expect(text).toContain('A \\*bold\\* title');
});

test('statistics say where no price is known, and that limits in dollars do not count then', () => {
  const { cost: _known, ...state } = stateWith();
  const text = describeStats(state);
  expect(text).toContain('| Cost | price unknown |');
  expect(text).toContain('Dollar limits do not apply: no price is known for this model.');
  expect(describeStats({ ...state, cost: 0 })).not.toContain('Dollar limits');
  const partly = describeStats({ ...state, cost: 0.5, unpriced: true });
  expect(partly).toContain('| Cost | at least $0.50 |');
  expect(partly).toContain('Dollar limits ignore models without a known price.');
});
