/* Exports a session as JSON for other programs; docs/protocol.md describes the format. */

import { posix, win32 } from 'node:path';
import type { Display } from '../../../protocol/events.ts';
import { iterate } from '../../../protocol/pagedList.ts';
import {
  type AgentRun,
  type CallItem,
  type Chapter,
  type Item,
  newestChapter,
  type SessionState,
} from '../../../protocol/state.ts';
import { maskSecrets, namesSecret } from '../../base/maskSecrets.ts';

/** Masks secrets and orders keys; two spaces of indentation, a line break at the end. */
export function sessionJson(state: SessionState): string {
  const exported = {
    format: 'folio-session',
    version: 1,
    session: {
      id: state.sessionId,
      title: state.title,
      model: state.model,
      // The rest of the path would reveal details of this machine.
      folders: state.folders.map(lastName),
      startedAt: state.chapters[0]?.startedAt,
      usage: state.usage,
      cost: roundCost(state.cost),
      saved: roundCost(state.saved),
      todos: state.todos,
    },
    chapters: state.chapters.map(exportChapter),
  };
  return `${JSON.stringify(masked(exported), null, 2)}\n`;
}

function exportChapter(chapter: Chapter): object {
  const { id, number, title, summary, startedAt, endedAt, activeMs, files, calls, usage, cost } = chapter;
  const items = [...iterate(chapter.items)].flatMap(exportItem);
  return {
    id,
    number,
    title,
    summary,
    startedAt,
    endedAt,
    activeMs,
    files,
    calls,
    usage,
    cost: roundCost(cost),
    items,
  };
}

/** Removes meaningless digits of sums. */
function roundCost(dollars: number | undefined): number | undefined {
  return dollars === undefined ? undefined : Number(dollars.toFixed(6));
}

/** Omits thoughts, and data that is only useful on this machine. */
function exportItem(item: Item): readonly object[] {
  switch (item.type) {
    case 'prompt': {
      const { type, id, at, text, attachments, mentions, spent } = item;
      const named = attachments.map(each =>
        each.kind === 'image' ? { kind: each.kind, name: each.name, mimeType: each.blob.mimeType } : each,
      );
      return [{ type, id, at, text, attachments: named, mentions, models: spent?.models }];
    }
    case 'text': {
      const { type, id, stepId, text } = item;
      return [{ type, id, stepId, text }];
    }
    case 'thought':
      return [];
    case 'hook': {
      const { type, id, event, name, status } = item;
      if (status.kind !== 'ended') return [{ type, id, event, name }];
      return [{ type, id, event, name, outcome: status.outcome, summary: status.summary }];
    }
    case 'call':
      return [exportCall(item)];
    case 'notice': {
      const { type, id, level, text } = item;
      return [{ type, id, level, text }];
    }
    case 'compression': {
      const { type, id, trigger, chapters, tokens, undone } = item;
      return [{ type, id, trigger, chapters, tokens, undone }];
    }
    case 'end': {
      const { type, id, end } = item;
      return [{ type, id, end }];
    }
  }
}

function exportCall({
  type,
  id,
  stepId,
  tool,
  effect,
  title,
  args,
  decided,
  agent,
  status,
}: CallItem): object {
  const asked = { type, id, stepId, tool, effect, title, args, decided };
  const work = agent && { agent: exportAgent(agent) };
  if (status.kind !== 'ended') return { ...asked, ...work };
  const { outcome, durationMs, display } = status;
  return { ...asked, outcome, durationMs, display: shown(display), ...work };
}

function exportAgent({ name, session }: AgentRun): object {
  const { model, usage, cost } = session;
  const items = [...iterate(newestChapter(session).items)].flatMap(exportItem);
  return { name, model, usage, cost: roundCost(cost), items };
}

/** Omits the path of the saved output. */
function shown(display: Display): object {
  const { summary, touched, uncovered, detail } = display;
  if (detail?.kind !== 'text' && detail?.kind !== 'command') return { summary, touched, uncovered, detail };
  const { outputPath: _outputPath, ...rest } = detail;
  return { summary, touched, uncovered, detail: rest };
}

function masked(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return namesSecret(key) && value !== '' ? '[masked]' : maskSecrets(value);
  if (Array.isArray(value)) return value.map(each => masked(each, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [maskSecrets(name), masked(each, name)]),
  );
}

/** Handles POSIX and Windows paths. */
function lastName(path: string): string {
  return win32.basename(posix.basename(path));
}
