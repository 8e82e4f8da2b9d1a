/* Parses session updates from unknown data, and ignores unknown parts. */

import { fieldsOf, fromDefinedEntries, isRecord, textOrEmpty } from '../base/record.ts';
import type {
  ExternalAction,
  ExternalCall,
  ExternalEdit,
  ExternalPermissionOption,
  ExternalUpdate,
} from '../core/external/externalAgent.ts';

type Todos = Extract<ExternalUpdate, { kind: 'plan' }>['todos'];

export function parseUpdate(given: unknown): ExternalUpdate | undefined {
  const update = fieldsOf(given);
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return { kind: 'text', text: textOf(update.content) };
    case 'agent_thought_chunk':
      return { kind: 'thought', text: textOf(update.content) };
    case 'tool_call':
    case 'tool_call_update': {
      const call = parseToolCall(update);
      return call && { kind: 'call', call };
    }
    case 'plan':
      return { kind: 'plan', todos: parsePlan(update.entries) };
    case 'session_info_update':
      return typeof update.title === 'string' ? { kind: 'title', title: update.title } : undefined;
    default:
      return undefined;
  }
}

export function parseToolCall(given: unknown): ExternalCall | undefined {
  const call = fieldsOf(given);
  const { toolCallId, title, kind, status, content, locations, rawInput } = call;
  if (typeof toolCallId !== 'string') return undefined;
  const pieces = Array.isArray(content) ? content.map(fieldsOf) : undefined;
  const edits = pieces?.flatMap(parseEdit);
  const text = pieces?.flatMap(piece => (piece.type === 'content' ? [textOf(piece.content)] : [])).join('\n');
  const facts = fromDefinedEntries<unknown>([
    ['title', typeof title === 'string' ? title : undefined],
    ['deed', typeof kind === 'string' ? (deeds[kind] ?? 'other') : undefined],
    ['status', typeof status === 'string' ? statuses[status] : undefined],
    ['args', rawInput ?? undefined],
    ['paths', Array.isArray(locations) ? locations.flatMap(pathOf) : undefined],
    ['edits', edits?.length ? edits : undefined],
    ['hasTerminal', pieces?.some(({ type }) => type === 'terminal') || undefined],
    ['text', text || undefined],
  ]);
  return { id: toolCallId, ...facts };
}

export function parseExternalOptions(given: unknown): readonly ExternalPermissionOption[] {
  if (!Array.isArray(given)) return [];
  return given.map(fieldsOf).flatMap(({ optionId, name, kind }) => {
    if (typeof optionId !== 'string') return [];
    const known = typeof kind === 'string' ? optionKinds[kind] : undefined;
    return known ? [{ id: optionId, name: textOrEmpty(name) || optionId, kind: known }] : [];
  });
}

const deeds: Readonly<Record<string, ExternalAction>> = {
  read: 'read',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  search: 'search',
  execute: 'run',
  fetch: 'fetch',
};

const statuses: Readonly<Record<string, ExternalCall['status']>> = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'done',
  failed: 'failed',
};

const optionKinds: Readonly<Record<string, ExternalPermissionOption['kind']>> = {
  allow_once: 'allow',
  allow_always: 'allowAlways',
  reject_once: 'deny',
  reject_always: 'denyAlways',
};

function parseEdit({
  type,
  path,
  oldText,
  newText,
}: Readonly<Record<string, unknown>>): readonly ExternalEdit[] {
  if (type !== 'diff' || typeof path !== 'string' || typeof newText !== 'string') return [];
  return [{ path, before: typeof oldText === 'string' ? oldText : null, after: newText }];
}

function parsePlan(entries: unknown): Todos {
  if (!Array.isArray(entries)) return [];
  return entries.map(fieldsOf).flatMap(({ content, status }): Todos => {
    if (typeof content !== 'string') return [];
    const known = status === 'in_progress' || status === 'completed' ? status : 'pending';
    return [{ description: content, status: known }];
  });
}

/** Names pictures and other media without their content. */
function textOf(content: unknown): string {
  if (!isRecord(content)) return '';
  const { type, text, uri, name, resource } = content;
  if (type === 'text') return textOrEmpty(text);
  if (type === 'resource_link') return `[${textOrEmpty(name) || textOrEmpty(uri)}](${textOrEmpty(uri)})`;
  if (type === 'resource') return textOrEmpty(fieldsOf(resource).text);
  return typeof type === 'string' ? `[${type}]` : '';
}

function pathOf(location: unknown): readonly string[] {
  const { path } = fieldsOf(location);
  return typeof path === 'string' ? [path] : [];
}
