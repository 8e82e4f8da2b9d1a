/* Sessions of other agents, written here from descriptions of their formats. */

import { createHash } from 'node:crypto';
import { appendFile, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OtherAgentTranscript } from '../../src/extension/core/imports/otherAgentSessions.ts';
import { NodeOtherAgents } from '../../src/extension/otherAgents/nodeOtherAgents.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let home: string;
let project: string;
let agents: NodeOtherAgents;

beforeEach(async () => {
  home = await temporaryFolder('folio-others-');
  project = join(home, 'work', 'shop');
  await mkdir(project, { recursive: true });
  agents = new NodeOtherAgents({ home, env: {}, workspaceStorage: [join(home, 'storage')] });
});

async function put(path: string, text: string): Promise<string> {
  const whole = join(home, path);
  await mkdir(dirname(whole), { recursive: true });
  await writeFile(whole, text);
  return whole;
}

const lines = (...values: readonly unknown[]) => values.map(each => `${JSON.stringify(each)}\n`).join('');
const at = '2026-03-01T10:00:00.000Z';

/** One prompt, a call that worked, a call without a result, an answer. */
const expected = {
  folder: '',
  turns: [
    {
      at: Date.parse(at),
      prompt: 'Fix the cart.',
      work: [
        { kind: 'text', text: 'I look first.' },
        { kind: 'call', name: 'look', args: { path: 'cart.js' }, result: { text: 'let a;', ok: true } },
        { kind: 'call', name: 'look', args: { path: 'gone.js' } },
        { kind: 'text', text: 'Done.' },
      ],
    },
  ],
};

interface Sample {
  /** Puts a session that says what `expected` has. @returns its path */
  readonly make: () => Promise<string>;
  /** A line, or what stands for one, of a kind that nobody knows. */
  readonly addUnknown: (path: string) => Promise<void>;
}

const claudeLine = (type: string, uuid: string, parentUuid: string | null, message: object) => ({
  type,
  uuid,
  parentUuid,
  message,
  cwd: project,
  sessionId: 'c1',
  timestamp: at,
  isSidechain: false,
});
const answer = (...content: readonly object[]) => ({ id: 'm1', role: 'assistant', model: 'm', content });
const user = (content: unknown) => ({ role: 'user', content });

const claude = () => [
  { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
  claudeLine('user', 'u1', null, user('Fix the cart.')),
  claudeLine('assistant', 'u2', 'u1', answer({ type: 'text', text: 'I look first.' })),
  // The same message again, with its next block.
  claudeLine(
    'assistant',
    'u3',
    'u2',
    answer(
      { type: 'text', text: 'I look first.' },
      { type: 'tool_use', id: 't1', name: 'look', input: { path: 'cart.js' } },
    ),
  ),
  claudeLine(
    'user',
    'u4',
    'u3',
    user([{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'let a;' }] }]),
  ),
  claudeLine(
    'assistant',
    'u5',
    'u4',
    answer({ type: 'tool_use', id: 't2', name: 'look', input: { path: 'gone.js' } }),
  ),
  { ...claudeLine('user', 'u6', 'u5', user('Work of a subagent')), isSidechain: true },
  { ...claudeLine('assistant', 'u7', 'u5', { ...answer({ type: 'text', text: 'Done.' }), id: 'm2' }) },
];
const claudeFolder = () => `.claude/projects/${project.replace(/[^a-zA-Z0-9]/g, '-')}`;

const codexItem = (payload: object) => ({ timestamp: at, type: 'response_item', payload });
const codexLines = () => [
  { timestamp: at, type: 'session_meta', payload: { id: 'x1', cwd: project, instructions: null } },
  codexItem({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Rules.' }] }),
  codexItem({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: '<environment_context>…</environment_context>' }],
  }),
  codexItem({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the cart.' }] }),
  { timestamp: at, type: 'event_msg', payload: { type: 'user_message', message: 'Fix the cart.' } },
  { timestamp: at, type: 'turn_context', payload: { cwd: project, model: 'm', approval_policy: 'never' } },
  codexItem({ type: 'reasoning', encrypted_content: 'x', summary: [] }),
  codexItem({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'I look first.' }],
  }),
  codexItem({ type: 'function_call', name: 'look', arguments: '{"path":"cart.js"}', call_id: 't1' }),
  codexItem({
    type: 'function_call_output',
    call_id: 't1',
    output: JSON.stringify({ output: 'let a;', metadata: { exit_code: 0 } }),
  }),
  codexItem({ type: 'function_call', name: 'look', arguments: '{"path":"gone.js"}', call_id: 't2' }),
  codexItem({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }),
];

const geminiMessages = () => [
  { id: 'a', timestamp: at, type: 'user', content: [{ text: 'Fix the cart.' }] },
  { id: 'i', timestamp: at, type: 'info', content: 'Signed in.' },
  {
    id: 'b',
    timestamp: at,
    type: 'gemini',
    model: 'm',
    content: 'I look first.',
    toolCalls: [
      {
        id: 't1',
        name: 'look',
        args: { path: 'cart.js' },
        status: 'success',
        result: [{ functionResponse: { id: 't1', name: 'look', response: { output: 'let a;' } } }],
      },
      { id: 't2', name: 'look', args: { path: 'gone.js' }, status: 'executing' },
    ],
  },
  { id: 'c', timestamp: at, type: 'gemini', content: 'Done.' },
];
const geminiRecord = () => ({
  sessionId: 'g1',
  projectHash: hashOfProject(),
  startTime: at,
  lastUpdated: at,
});
const hashOfProject = () => createHash('sha256').update(project).digest('hex');
const geminiFolder = () => `.gemini/tmp/${hashOfProject()}/chats`;

const copilotSession = () => ({
  version: 3,
  sessionId: 'p1',
  creationDate: Date.parse(at),
  requests: [
    {
      requestId: 'r1',
      timestamp: Date.parse(at),
      modelId: 'm',
      message: { text: 'Fix the cart.', parts: [] },
      response: [
        { value: 'I look first.' },
        {
          kind: 'toolInvocationSerialized',
          toolId: 'look',
          toolCallId: 't1',
          invocationMessage: 'Looks',
          isComplete: true,
          pastTenseMessage: { value: 'let a;' },
          toolSpecificData: { kind: 'terminal', commandLine: { original: 'cat cart.js' } },
        },
        { kind: 'toolInvocationSerialized', toolId: 'look', toolCallId: 't2', invocationMessage: 'Looks' },
        { value: 'Done.' },
      ],
    },
  ],
});
const workspaceJson = () =>
  put('storage/w1/workspace.json', JSON.stringify({ folder: pathToFileURL(project) }));

const openRoot = '.local/share/opencode/storage';
async function putOpencode(): Promise<string> {
  const message = (id: string, fields: object) =>
    put(`${openRoot}/message/ses_1/${id}.json`, JSON.stringify({ id, sessionID: 'ses_1', ...fields }));
  const part = (of: string, id: string, fields: object) =>
    put(`${openRoot}/part/${of}/${id}.json`, JSON.stringify({ id, messageID: of, ...fields }));
  await message('msg_1', { role: 'user', time: { created: Date.parse(at) } });
  await part('msg_1', 'prt_1', { type: 'text', text: 'Fix the cart.' });
  await part('msg_1', 'prt_2', { type: 'text', text: 'File contents', synthetic: true });
  await message('msg_2', { role: 'assistant', modelID: 'm' });
  await part('msg_2', 'prt_3', { type: 'step-start' });
  await part('msg_2', 'prt_4', { type: 'text', text: 'I look first.' });
  const state = { status: 'completed', input: { path: 'cart.js' }, output: 'let a;', title: 'x' };
  await part('msg_2', 'prt_5', { type: 'tool', callID: 't1', tool: 'look', state });
  const running = { status: 'running', input: { path: 'gone.js' } };
  await part('msg_2', 'prt_6', { type: 'tool', callID: 't2', tool: 'look', state: running });
  await part('msg_2', 'prt_7', { type: 'text', text: 'Done.' });
  const session = { id: 'ses_1', directory: project, title: 'Cart', time: { created: 1, updated: 2 } };
  return await put(`${openRoot}/session/p/ses_1.json`, JSON.stringify(session));
}

const addLine = (path: string) => appendFile(path, '{"type":"from-the-future","kind":9}\n');

const samples: Readonly<Record<string, Sample>> = {
  'Claude Code': {
    make: () => put(`${claudeFolder()}/c1.jsonl`, lines(...claude())),
    addUnknown: addLine,
  },
  Codex: {
    make: () => put('.codex/sessions/2026/03/01/rollout-2026-03-01-x1.jsonl', lines(...codexLines())),
    addUnknown: addLine,
  },
  'Gemini CLI': {
    make: () => put(`${geminiFolder()}/session-a.jsonl`, lines(geminiRecord(), ...geminiMessages())),
    addUnknown: addLine,
  },
  Copilot: {
    make: async () => {
      await workspaceJson();
      return await put('storage/w1/chatSessions/p1.jsonl', lines({ kind: 0, v: copilotSession() }));
    },
    addUnknown: addLine,
  },
  opencode: {
    make: putOpencode,
    addUnknown: async () =>
      void (await put(`${openRoot}/part/msg_2/prt_8.json`, JSON.stringify({ type: 'from-the-future' }))),
  },
};

/** What a call is known by differs in what Copilot keeps. */
function comparable({ turns }: OtherAgentTranscript) {
  return turns.map(turn => ({
    ...turn,
    work: turn.work.map(each =>
      each.kind === 'call' ? { ...each, args: Object.values(each.args).length > 0 } : each,
    ),
  }));
}

describe.each(Object.entries(samples))('a session of %s', (agent, { make, addUnknown }) => {
  test('is found for its folder alone, and read with prompts, answers, calls and results', async () => {
    const path = await make();
    const found = await agents.find([project]);
    expect(found).toMatchObject([{ agent, path, prompts: 1, isCut: false }]);
    expect(await agents.find([join(home, 'elsewhere')])).toEqual([]);
    expect(await agents.find('all')).toHaveLength(1);
    const read = await agents.read(found[0]!);
    expect(read.unreadable).toBe(0);
    expect(read.model).toBe('m');
    expect(comparable(read)).toMatchObject(
      expected.turns.map(turn => ({
        ...turn,
        work: turn.work.map(each => ('args' in each ? { ...each, args: expect.any(Boolean) } : each)),
      })),
    );
    expect(read.turns[0]!.work[2]).not.toHaveProperty('result');
  });

  test('keeps what is understood beside what is not, and counts that', async () => {
    const path = await make();
    await addUnknown(path);
    const read = await agents.read({ agent, path });
    expect(read.unreadable).toBe(1);
    expect(read.turns[0]!.work.at(-1)).toEqual({ kind: 'text', text: 'Done.' });
  });

  test('that cannot be understood at all is not listed, and breaks nothing', async () => {
    const path = await make();
    await writeFile(path, '\u0000\u0001not json');
    expect(
      (await agents.find([project])).filter(({ prompts }) => prompts > 0 && agent !== 'opencode'),
    ).toEqual([]);
    await expect(agents.read({ agent, path })).resolves.toBeDefined();
  });
});

test.each(['Claude Code', 'Codex', 'Gemini CLI'])('a torn last line of %s costs only itself', async agent => {
  const path = await samples[agent]!.make();
  await appendFile(path, '{"type":"user","mess');
  const { turns, unreadable } = await agents.read({ agent, path });
  expect(turns).toHaveLength(1);
  expect(unreadable).toBe(1);
});

test('a long session is read up to a limit for the list, and whole when it is opened, but for a line too long', async () => {
  const path = await samples.Codex!.make();
  const file = await open(path, 'a');
  const block = Buffer.alloc(1024 * 1024, 'x');
  await file.write('{"type":"response_item","payload":{"type":"message","text":"');
  for (let at = 0; at < 50; at++) await file.write(block);
  await file.write('"}}\n');
  await file.write(
    lines(codexItem({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And then.' }] })),
  );
  await file.close();
  expect(await agents.find([project])).toMatchObject([{ prompts: 1, isCut: true }]);
  const { turns, unreadable, isCut } = await agents.read({ agent: 'Codex', path });
  expect(turns.map(({ prompt }) => prompt)).toEqual(['Fix the cart.', 'And then.']);
  expect({ unreadable, isCut }).toEqual({ unreadable: 1, isCut: false });
});

test('a prompt of Claude Code that goes on from an earlier line replaces what came after that', async () => {
  const path = await put(
    `${claudeFolder()}/c2.jsonl`,
    lines(
      ...claude(),
      claudeLine('user', 'u8', 'u7', user('Wrong way')),
      claudeLine('assistant', 'u9', 'u8', { ...answer({ type: 'text', text: 'No.' }), id: 'm3' }),
      claudeLine('user', 'u10', 'u7', user('Right way')),
    ),
  );
  const { turns } = await agents.read({ agent: 'Claude Code', path });
  expect(turns.map(({ prompt }) => prompt)).toEqual(['Fix the cart.', 'Right way']);
});

test('lines of Claude Code whose parents go in a circle, or are not there, end in no loop', async () => {
  const path = await put(
    `${claudeFolder()}/c3.jsonl`,
    lines(
      claudeLine('user', 'u1', 'u2', user('One')),
      claudeLine('user', 'u2', 'u1', user('Two')),
      claudeLine('user', 'u3', 'u3', user('Three')),
      claudeLine('user', 'u4', 'nowhere', user('Four')),
    ),
  );
  const { turns } = await agents.read({ agent: 'Claude Code', path });
  expect(turns.map(({ prompt }) => prompt)).toEqual(['One', 'Two', 'Three', 'Four']);
});

test('what programs put in the place of a prompt is none', async () => {
  const path = await put(
    `${claudeFolder()}/c4.jsonl`,
    lines(
      { ...claudeLine('user', 'u1', null, user('Caveat: the messages below…')), isMeta: true },
      claudeLine('user', 'u2', 'u1', user('<command-name>/clear</command-name>')),
      claudeLine('user', 'u3', 'u2', user('<local-command-stdout></local-command-stdout>')),
      claudeLine('user', 'u4', 'u3', user('Real')),
    ),
  );
  expect((await agents.read({ agent: 'Claude Code', path })).turns.map(({ prompt }) => prompt)).toEqual([
    'Real',
  ]);
});

test('Gemini CLI: the last of an id counts, a checkpoint replaces all, a rewind takes back', async () => {
  const [first, , answered, done] = geminiMessages();
  const path = await put(
    `${geminiFolder()}/session-b.jsonl`,
    lines(
      geminiRecord(),
      { id: 'z', type: 'user', content: 'Before the checkpoint' },
      { $set: { summary: 'Cart', messages: [first, answered] } },
      { ...answered, content: 'I looked.' },
      done,
      { id: 'd', type: 'user', content: 'Taken back' },
      { $rewindTo: 'd' },
      { $rewindTo: 'unknown' },
    ),
  );
  const { turns, title } = await agents.read({ agent: 'Gemini CLI', path });
  expect(title).toBe('Cart');
  expect(turns).toMatchObject([{ prompt: 'Fix the cart.', work: [{ text: 'I looked.' }, {}, {}, {}] }]);
});

test('an older session of Gemini CLI is one record', async () => {
  const record = { ...geminiRecord(), messages: geminiMessages() };
  await put(`${geminiFolder()}/session-c.json`, JSON.stringify(record, undefined, 2));
  expect(await agents.find([project])).toMatchObject([{ agent: 'Gemini CLI', id: 'g1', prompts: 1 }]);
});

test('Codex: turns that were rolled back are left out', async () => {
  const path = await put(
    '.codex/sessions/2026/03/02/rollout-b.jsonl',
    lines(...codexLines(), { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } }),
  );
  expect((await agents.read({ agent: 'Codex', path })).turns).toEqual([]);
});

test('Copilot: changes of the record apply, and none reaches what objects inherit', async () => {
  await workspaceJson();
  const [request] = copilotSession().requests;
  const path = await put(
    'storage/w1/chatSessions/p2.jsonl',
    lines(
      { kind: 0, v: { ...copilotSession(), requests: [] } },
      { kind: 2, k: ['requests'], v: [request] },
      { kind: 1, k: ['customTitle'], v: 'Cart' },
      { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'More.' }], i: 3 },
      { kind: 1, k: ['__proto__', 'polluted'], v: true },
      { kind: 1, k: ['constructor', 'prototype', 'polluted'], v: true },
      { kind: 1, k: ['requests', 1e9], v: {} },
      { kind: 3, k: ['customTitle', 'x', 'y'] },
    ),
  );
  const { turns, title, unreadable } = await agents.read({ agent: 'Copilot', path });
  expect(title).toBe('Cart');
  expect(turns[0]!.work.at(-1)).toEqual({ kind: 'text', text: 'More.' });
  expect(unreadable).toBe(4);
  expect({}).not.toHaveProperty('polluted');
});

test('a link is not followed to a session', async () => {
  const path = await put('elsewhere.jsonl', lines(...claude()));
  await put(`${claudeFolder()}/note.txt`, '');
  await symlink(path, join(home, claudeFolder(), 'c5.jsonl'));
  expect(await agents.find([project])).toEqual([]);
});
