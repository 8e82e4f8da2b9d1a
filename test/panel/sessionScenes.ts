/* Sessions as the host lists them, and sessions that are open beside the one that is shown. */

import type { ToWebview } from '../../src/protocol/panel/messages.ts';
import type { OpenSession, SessionEntry } from '../../src/protocol/panel/sessions.ts';
import type { SessionState } from '../../src/protocol/state.ts';
import { fold, prompt, started, text } from './journal.ts';

const day = 86_400_000;

export function entry(sessionId: string, more: Partial<SessionEntry> = {}): SessionEntry {
  return { sessionId, title: `Session ${sessionId}`, changedAt: Date.now(), chapters: [], ...more };
}

export function listed(sessions: readonly SessionEntry[], query = '', limited = false): ToWebview {
  return { type: 'sessions.listed', query, sessions, limited };
}

/** One for each thing that a row can be; `session-1` is the one that is shown. */
export function history(): readonly SessionEntry[] {
  return [
    entry('session-1', {
      title: 'The total of an invoice is off by one cent when it has several lines',
      chapters: ['Reading the invoice code', 'Reproducing the rounding error'],
    }),
    entry('b', {
      title: 'Move to ESM',
      chapters: ['Surveying imports'],
      status: 'working',
      changedAt: Date.now() - 1000,
    }),
    entry('c', {
      title: 'Publish the package',
      chapters: ['Packing', 'Signing'],
      status: 'waiting',
      changedAt: Date.now() - 2000,
    }),
    entry('d', { title: 'حساب المجموع في الفاتورة invoice.ts', changedAt: Date.now() - day }),
    entry('e', { title: '', changedAt: Date.now() - day - 60_000 }),
    entry('f', {
      title: `Supercalifragilistic${'expialidocious'.repeat(12)}`,
      chapters: Array.from({ length: 30 }, (_, at) => `Chapter with a long title ${at + 1}`),
      changedAt: Date.now() - 40 * day,
    }),
    entry('g', { title: 'What does total() do?', changedAt: Date.now() - 400 * day }),
  ];
}

export const openBeside: readonly OpenSession[] = [
  { sessionId: 'r', title: 'What does total() do?', status: 'resting' },
  { sessionId: 'b', title: 'Move to ESM', status: 'working' },
  { sessionId: 'c', title: 'Publish the package to the registry, with its changelog', status: 'waiting' },
];

/** Open sessions of every need, all but the first and last two in `history()`. */
export function openNow(): readonly OpenSession[] {
  const ago = (minutes: number) => Date.now() - minutes * 60_000;
  return [
    {
      sessionId: 'p',
      title: 'Pick a tax rule',
      status: 'waiting',
      since: ago(3),
      chapter: 'Comparing the rules',
      cost: 0.31,
      ask: { callId: 'ask2', text: 'Which rule holds for reduced rates?', reason: 'It has a question.' },
    },
    {
      sessionId: 'c',
      title: 'Publish the package',
      status: 'waiting',
      since: ago(7),
      chapter: 'Packing and signing the release',
      worktree: 'release-2.0',
      pending: { files: 2, added: 12, removed: 4, rejected: 0 },
      cost: 0.12,
      ask: {
        callId: 'run2',
        text: 'npm publish --access public --tag next --registry https://registry.example/packages/',
        reason: 'Commands can change anything on this machine.',
        plain: { askId: 'ask-c', kind: 'command' },
      },
    },
    {
      sessionId: 'b',
      title: 'Move to ESM',
      status: 'working',
      since: ago(25),
      chapter: 'Surveying imports',
      worktree: 'esm',
      pending: { files: 1, added: 140, removed: 96, rejected: 0 },
      cost: 1.4,
    },
    { sessionId: 'r', title: 'Round once, at the end', status: 'reviewing', since: ago(70), container: true },
    {
      sessionId: 'x',
      title: 'Ask the tax office',
      status: 'failed',
      since: ago(90),
      chapter: 'Asking',
      driver: 'Gemini CLI',
    },
  ];
}

/** A session at rest, of the given id, with enough said to scroll. */
export function session(sessionId: string, words = `What is ${sessionId}?`): SessionState {
  const answer = Array.from({ length: 60 }, (_, at) => `Line ${at + 1} of ${sessionId}.`).join('\n\n');
  return fold([
    { ...started, sessionId } as typeof started,
    prompt('t1', words),
    text('s1', answer),
    { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
  ]);
}

/** Nothing was asked in it yet. */
export function freshSession(sessionId: string): SessionState {
  return fold([{ ...started, sessionId } as typeof started]);
}
