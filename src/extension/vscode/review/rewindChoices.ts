/* Describes the possible targets of a rewind, and its effects. */

import { shortCounts, sumCounts } from '../../../protocol/changes.ts';
import type { RewindScope, RewindTarget } from '../../../protocol/intentions.ts';
import { plural, t } from '../../../protocol/language.ts';
import { iterate } from '../../../protocol/pagedList.ts';
import type { CallItem, SessionState } from '../../../protocol/state.ts';
import type { RestoredFile } from '../../../protocol/values.ts';
import { oneLine } from '../../base/text.ts';

interface RewindChoice {
  readonly kind: RewindTarget['kind'];
  readonly to: RewindTarget;
  readonly label: string;
  /** Start time in milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface ScopeChoice {
  readonly scope: RewindScope;
  readonly label: string;
  readonly detail: string;
}

/** Prompts, then titled chapters, each newest first: users mostly want the last prompt. */
export function rewindChoices({ chapters }: SessionState): readonly RewindChoice[] {
  const prompts: RewindChoice[] = [];
  const titled: RewindChoice[] = [];
  for (const chapter of chapters) {
    if (chapter.title !== '') {
      const to = { kind: 'chapter', chapterId: chapter.id } as const;
      const label = `${chapter.number} ${chapter.title}`;
      titled.push({ kind: 'chapter', to, label, at: chapter.startedAt });
    }
    for (const item of iterate(chapter.items)) {
      if (item.type !== 'prompt' || item.steered) continue;
      const to = { kind: 'turn', turnId: item.id } as const;
      prompts.push({ kind: 'turn', to, label: oneLine(item.text, 100), at: item.at });
    }
  }
  return [...prompts.reverse(), ...titled.reverse()];
}

/** Commands, calls of MCP servers, and subagents that changed files, newest first. */
export function undoChoices({ chapters }: SessionState): readonly RewindChoice[] {
  const choices = chapters.flatMap(chapter =>
    [...iterate(chapter.items)].flatMap((item): readonly RewindChoice[] => {
      if (item.type !== 'call' || !hasChangedFiles(item)) return [];
      const to = { kind: 'call', callId: item.id } as const;
      return [{ kind: 'call', to, label: oneLine(item.title, 100), at: chapter.startedAt }];
    }),
  );
  return choices.reverse();
}

/** A tool's change of a single file is a hunk, which is undone in the review. */
function hasChangedFiles({ status, agent }: CallItem): boolean {
  if (status.kind !== 'ended') return false;
  if (agent) return agent.session.chapters.some(({ files }) => files.length > 0);
  return (status.display.touched ?? []).length > 0;
}

/** Scopes without effect are not offered. */
export function scopeChoices(files: readonly RestoredFile[]): readonly ScopeChoice[] {
  const conversation: ScopeChoice = {
    scope: 'conversation',
    label: t('Conversation only'),
    detail: t('Files stay as they are'),
  };
  if (files.length === 0) {
    return [{ ...conversation, label: t('Conversation'), detail: t('No file has changed since') }];
  }
  const detail = describeRestoredFiles(files);
  return [
    { scope: 'both', label: t('Files and conversation'), detail },
    { scope: 'files', label: t('Files only'), detail },
    conversation,
  ];
}

/** "2 files restored (+3 −1), 1 deleted, 1 left as it is". */
export function describeRestoredFiles(files: readonly RestoredFile[]): string {
  const count = (...results: readonly RestoredFile['result'][]) =>
    files.filter(({ result }) => results.includes(result));
  const back = count('restored', 'created', 'merged');
  const merged = count('merged').length;
  const deleted = count('deleted').length;
  const left = count('conflict', 'lost').length;
  const parts = [
    back.length > 0
      ? `${plural(back.length, 'one: {0} file restored | other: {0} files restored')} (${shortCounts(sumCounts(back))})`
      : '',
    merged > 0 ? t('your own later edits kept in {0}', merged) : '',
    deleted > 0 ? plural(deleted, 'one: {0} file deleted | other: {0} files deleted') : '',
    left > 0 ? plural(left, 'one: {0} file not changed | other: {0} files not changed') : '',
  ];
  return parts.filter(Boolean).join(', ');
}
