/*
 * Turns one page of items into rows. Consecutive finished readers become one line, and so do hooks without output.
 * Calls that another part of the panel shows are left out.
 */

import { plural, t } from '../../../protocol/language.ts';
import type { PanelCall, PanelItem } from '../../../protocol/panel/panelState.ts';
import type { HookItem } from '../../../protocol/state.ts';
import { isQuietHook } from '../../hooks/hookWords.ts';

export type Row =
  | { readonly kind: 'item'; readonly item: PanelItem }
  | { readonly kind: 'readers'; readonly id: string; readonly calls: readonly PanelCall[] }
  | { readonly kind: 'hooks'; readonly id: string; readonly hooks: readonly HookItem[] };

export function rowsOf(items: readonly PanelItem[]): readonly Row[] {
  const rows: Row[] = [];
  let run: PanelCall[] = [];
  let hooks: HookItem[] = [];
  const closeRun = () => {
    if (run.length === 1) rows.push({ kind: 'item', item: run[0]! });
    if (run.length > 1) rows.push({ kind: 'readers', id: `readers-${run[0]!.id}`, calls: run });
    run = [];
  };
  // One line after all calls of a run, instead of one at each call.
  const closeHooks = () => {
    if (hooks.length > 0) rows.push({ kind: 'hooks', id: `hooks-${hooks[0]!.id}`, hooks });
    hooks = [];
  };
  for (const item of items) {
    if (isShownElsewhere(item)) continue;
    const partsStretch = item.type !== 'call' && item.type !== 'hook';
    if (item.type === 'hook' && isQuietHook(item)) {
      hooks.push(item);
      continue;
    }
    if (isFinishedReader(item)) {
      run.push(item);
      continue;
    }
    closeRun();
    if (partsStretch) closeHooks();
    rows.push({ kind: 'item', item });
  }
  closeRun();
  closeHooks();
  return rows;
}

/** Returns for example `Read 3 files, searched twice`. */
export function summarizeReadCalls(calls: readonly PanelCall[]): string {
  const counts = new Map<ReaderKind, number>();
  for (const call of calls) {
    const kind = readerKinds.get(call.tool) ?? (call.effect === 'fetch' ? 'fetched' : 'other');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const parts = [...counts].map(([kind, count]) => readerWords[kind](count));
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type ReaderKind = 'read' | 'searched' | 'listed' | 'fetched' | 'other';

const readerKinds: ReadonlyMap<string, ReaderKind> = new Map([
  ['read_file', 'read'],
  ['read_many_files', 'read'],
  ['grep_search', 'searched'],
  ['glob', 'searched'],
  ['google_web_search', 'searched'],
  ['list_directory', 'listed'],
  ['web_fetch', 'fetched'],
]);

const readerWords: Readonly<Record<ReaderKind, (count: number) => string>> = {
  read: count => plural(count, 'one: read {0} file | other: read {0} files'),
  searched: count => {
    if (count === 1) return t('searched once');
    return count === 2 ? t('searched twice') : t('searched {0} times', count);
  },
  listed: count => plural(count, 'one: listed {0} folder | other: listed {0} folders'),
  fetched: count => plural(count, 'one: fetched {0} page | other: fetched {0} pages'),
  other: count => plural(count, 'one: looked up {0} thing | other: looked up {0} things'),
};

function isFinishedReader(item: PanelItem): item is PanelCall {
  return (
    item.type === 'call' &&
    item.effect === 'read' &&
    // A read-only subagent has its own card.
    item.agent === undefined &&
    item.status.kind === 'ended' &&
    item.status.outcome === 'ok'
  );
}

/** Returns true for a topic call, which is shown as the heading of its chapter. */
export function isShownElsewhere(item: PanelItem): boolean {
  if (item.type !== 'call' || item.tool !== 'create_new_topic') return false;
  return item.status.kind !== 'ended' || item.status.outcome === 'ok';
}
