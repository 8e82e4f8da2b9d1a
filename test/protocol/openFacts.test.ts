import { describe, expect, test } from 'vitest';
import type { Ask, AskSubject } from '../../src/protocol/asks.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { describeOpenSessions } from '../../src/protocol/panel/openFacts.ts';
import type { SessionState } from '../../src/protocol/state.ts';
import { askingDangerous, askingInBackground, askingQuestions } from '../panel/askScenes.ts';
import { fold, request } from '../panel/journal.ts';
import { asking, askingEdit, failed, opening, rested, running } from '../panel/scenario.ts';

const openFacts = (state: SessionState) => describeOpenSessions([{ id: state.sessionId, state }])[0]!;
const factsOf = (events: readonly SessionEventBody[]) => openFacts(fold(events));

function asks(subject: AskSubject, more: Partial<Ask> = {}): readonly SessionEventBody[] {
  const ask: Ask = { id: 'a1', reason: 'It asks.', subject, always: [], ...more };
  return [
    ...opening,
    request({ id: 'c9', tool: 'a_tool', title: 'Do it', effect: 'run' }),
    { type: 'call.asked', callId: 'c9', ask },
  ];
}

const command = (line: string, more: object = {}): AskSubject => ({
  kind: 'command',
  command: line,
  cwd: '/home/ann/invoices',
  background: false,
  ...more,
});

test('an open session has its chapter, cost, pending changes and since when it is so', () => {
  const state = fold(running);
  expect(openFacts(state)).toMatchObject({
    status: 'working',
    since: state.newestWait?.until,
    chapter: state.chapters.at(-1)?.title,
    cost: state.cost,
  });
  const waiting = fold(asking);
  expect(openFacts(waiting).since).toBe(waiting.newestWait?.from);
  const done = fold(rested);
  expect(openFacts(done).since).toBe(done.chapters.at(-1)?.endedAt);
  expect(openFacts(fold(failed)).status).toBe('failed');
});

test('a session in a worktree has its name, and none once it has left that', () => {
  const worktree = { name: 'fix-rounding', path: '/wt/fix', home: '/home/ann/invoices', base: 'abc' };
  const moved: SessionEventBody = { type: 'session.moved', folders: ['/wt/fix'], worktree };
  expect(factsOf([...opening, moved]).worktree).toBe('fix-rounding');
  const left: SessionEventBody = { type: 'session.moved', folders: ['/home/ann/invoices'] };
  expect(factsOf([...opening, moved, left]).worktree).toBeUndefined();
});

test('a session in a container is marked, and not once it has left that', () => {
  const folders = ['/home/ann/invoices'];
  const container = { inside: '/workspaces/invoices' };
  const moved: SessionEventBody = { type: 'session.moved', folders, container };
  expect(factsOf([...opening, moved]).container).toBe(true);
  expect(factsOf([...opening, moved, { type: 'session.moved', folders }]).container).toBeUndefined();
});

describe('an ask', () => {
  test('is plain when a row shows all of it', () => {
    expect(factsOf(asking).ask).toEqual({
      callId: 'run2',
      text: 'npm test -- --reporter=dot',
      reason: 'Commands can change anything on this machine.',
      plain: { askId: 'ask-run2', kind: 'command' },
    });
    expect(factsOf(asks({ kind: 'read', paths: ['.env'] })).ask?.text).toBe('.env');
    expect(factsOf(asks({ kind: 'fetch', urls: ['https://a.example'] })).ask?.plain?.kind).toBe('fetch');
    expect(factsOf(asks({ kind: 'other', detail: '{"id":4}' })).ask?.text).toBe('Do it · {"id":4}');
    const hosts = asks({ kind: 'connect', hosts: ['npm.example'], command: 'npm ci' });
    expect(factsOf(hosts).ask?.text).toBe('npm.example · npm ci');
  });

  test.each([
    ['a long command', asks(command('x'.repeat(161)))],
    ['a command of several lines', asks(command('one\nrm -rf two'))],
    ['a command in another folder', asks(command('npm test', { cwd: '/home/ann/other' }))],
    ['a command that stays in the background', askingInBackground],
    ['a command that is answered in a terminal', asks(command('ssh host', { terminal: 'wanted' }))],
    ['something dangerous', askingDangerous],
    ['several hosts', asks({ kind: 'connect', hosts: ['a', 'b'], command: 'npm ci' })],
    ['an edit, whose diff is not seen', askingEdit],
    ['another mode', asks({ kind: 'mode', mode: 'plan' })],
    ['questions', askingQuestions()],
    ['an ask without an id', asks({ kind: 'read', paths: ['.env'] }, { id: undefined })],
  ])('is left to its card for %s', (_, events) => {
    const { status, ask } = factsOf(events);
    expect(status).toBe('waiting');
    expect(ask).not.toHaveProperty('plain.askId');
    expect(ask?.text).not.toBe('');
  });

  test('is left to its card while words of the user wait behind it', () => {
    const steered: SessionEventBody = {
      type: 'prompt.queued',
      prompt: { id: 'q1', text: 'Not that', attachments: [], when: 'steer' },
    };
    expect(factsOf([...asking, steered]).ask).toMatchObject({ text: 'Run npm test', plain: undefined });
  });
});
