/* Derives what the history shows of an open session from its state. */

import type { Ask } from '../asks.ts';
import { iterate } from '../pagedList.ts';
import { totalPending } from '../pending.ts';
import { type CallItem, newestChapter, type SessionState } from '../state.ts';
import { type OpenAsk, type OpenSession, openStatusOf } from './sessions.ts';

interface Described {
  readonly id: string;
  readonly state: SessionState;
}

export function describeOpenSessions(sessions: readonly Described[]): readonly OpenSession[] {
  return sessions.map(({ id, state }) => {
    const { title, reviews, worktree, container, driver, cost, unpriced } = state;
    const pending = totalPending(reviews);
    return {
      sessionId: id,
      title,
      status: openStatusOf(state),
      since: sinceOf(state),
      chapter: newestChapter(state).title || undefined,
      worktree: worktree?.name,
      container: container && true,
      driver: driver?.name,
      pending: pending.files > 0 ? pending : undefined,
      cost,
      unpriced,
      ask: askOf(state),
    };
  });
}

/** Returns when the current status began; work counts from the newest wait of the turn. */
function sinceOf({ activity, newestWait, chapters }: SessionState): number | undefined {
  if (activity.status === 'resting') return chapters.at(-1)?.endedAt;
  if (!newestWait) return activity.since;
  return Math.max(activity.since, newestWait.until ?? newestWait.from);
}

function askOf(state: SessionState): OpenAsk | undefined {
  const { activity, queue } = state;
  const call = activity.status === 'waiting' ? findCall(state, activity.callId) : undefined;
  if (call?.status.kind !== 'asking') return undefined;
  const { ask } = call.status;
  const title = call.said ?? call.title;
  const text = plainText(ask, title, state.folders);
  // A steering prompt waits behind the ask, and only its card says so.
  const isPlain = text !== undefined && !queue.some(({ when }) => when === 'steer');
  const plain = isPlain && ask.id !== undefined ? { askId: ask.id, kind: ask.subject.kind } : undefined;
  return { callId: call.id, text: plain && text !== undefined ? text : title, reason: ask.reason, plain };
}

/** Finds a call from the end. It may be in an earlier chapter of the running turn. */
function findCall({ chapters }: SessionState, callId: string): CallItem | undefined {
  for (const { items } of chapters.slice(-2)) {
    for (const item of iterate(items)) {
      if (item.type !== 'call') continue;
      const found = item.id === callId ? item : item.agent && findCall(item.agent.session, callId);
      if (found) return found;
    }
  }
  return undefined;
}

/** Characters that fit into a row. */
const plainLimit = 160;

/** Returns the full subject of an ask, or `undefined` if only its card can show it. */
function plainText(ask: Ask, title: string, folders: readonly string[]): string | undefined {
  const text = subjectText(ask, title, folders);
  return text !== undefined && text.length <= plainLimit && !/[\r\n]/.test(text) ? text : undefined;
}

function subjectText(
  { subject, commands = [] }: Ask,
  title: string,
  folders: readonly string[],
): string | undefined {
  if (commands.length > 1 || commands.some(({ verdict }) => verdict === 'dangerous')) return undefined;
  switch (subject.kind) {
    case 'command': {
      const { command, cwd, background, terminal } = subject;
      const isUsual = folders.length === 1 && (cwd === '.' || cwd === folders[0]);
      return isUsual && !background && terminal !== 'wanted' ? command : undefined;
    }
    case 'fetch':
      return onlyOne(subject.urls);
    case 'read':
      return onlyOne(subject.paths);
    case 'connect': {
      const host = onlyOne(subject.hosts);
      return host && `${host} · ${subject.command}`;
    }
    case 'other':
      return subject.detail === '' ? title : `${title} · ${subject.detail}`;
    case 'edit':
    case 'questions':
    case 'plan':
    case 'mode':
      return undefined;
  }
}

function onlyOne(all: readonly string[]): string | undefined {
  return all.length === 1 ? all[0] : undefined;
}
