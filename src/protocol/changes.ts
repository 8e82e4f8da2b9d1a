/* File changes: checkpoints, writes, pending reviews and rewinds. */

import type { SessionEventBody } from './events.ts';
import { plural, t } from './language.ts';
import type { Counts, Writer, WritingCall } from './values.ts';

export type ReviewedFile = NonNullable<SessionEventBody<'review.changed'>['review']>;

/** Shelved reviews of one file, newest last. */
export type ShelvedFile = Omit<SessionEventBody<'review.putAside'>, 'type'>;

export type ReviewedHunk = ReviewedFile['hunks'][number];

/** Position of a hunk, without the members for display. */
export type HunkPlace = Omit<ReviewedHunk, 'gone' | 'agent' | 'cell' | 'lines' | 'hiddenLines'>;

export function sumCounts(all: readonly Counts[]): Counts {
  const counted = all.filter(({ cells }) => cells !== undefined);
  return {
    added: all.reduce((sum, { added }) => sum + added, 0),
    removed: all.reduce((sum, { removed }) => sum + removed, 0),
    cells: counted.length > 0 ? counted.reduce((sum, { cells = 0 }) => sum + cells, 0) : undefined,
  };
}

/** Returns `2 lines added, 1 removed`, `2 cells changed`, `became executable`, or a combination. */
export function describeCounts(counts: Counts): string {
  const { added, removed } = counts;
  const lines = plural(
    added,
    'one: {0} line added, {1} removed | other: {0} lines added, {1} removed',
    removed,
  );
  return withOthers(lines, counts);
}

/** Returns `+2 −1`, `2 cells changed`, `became executable`, or a combination. */
export function shortCounts(counts: Counts): string {
  return withOthers(`+${counts.added} −${counts.removed}`, counts);
}

export function describeFileMode(executable: boolean): string {
  return executable ? t('became executable') : t('is no longer executable');
}

/** Omits the lines if only something else changed. */
function withOthers(lines: string, { added, removed, cells, executable }: Counts): string {
  const others = [
    cells === undefined ? '' : changedCells(cells),
    executable === undefined ? '' : describeFileMode(executable),
  ].filter(Boolean);
  return [...(added + removed > 0 || others.length === 0 ? [lines] : []), ...others].join(', ');
}

function changedCells(cells: number): string {
  return plural(cells, 'one: {0} cell changed | other: {0} cells changed');
}

/** Counts the cells that a notebook hunk changes. The first unit also holds the notebook's own data. */
export function countCells({
  start,
  count,
  baseCount,
}: Pick<HunkPlace, 'start' | 'count' | 'baseCount'>): number {
  return Math.max(0, Math.max(count, baseCount) - (start === 0 ? 2 : 0));
}

/** Returns the titles of the calls and commands that wrote a hunk, oldest first. */
export function writerNames({ writers = [] }: Pick<ReviewedHunk, 'writers'>): readonly string[] {
  return [...new Set(writers.map(nameOf))];
}

/** Returns the session that changed the agent's lines; `undefined`: the user did. */
export function sessionTouching({ writers = [] }: Pick<ReviewedHunk, 'writers'>): string | undefined {
  return writerNames({ writers: writers.filter(({ kind }) => kind === 'session') })[0];
}

function ofAgent({ agent }: WritingCall): string {
  return agent === undefined ? '' : ` ${t('(agent {0})', agent)}`;
}

function nameOf(writer: Writer): string {
  switch (writer.kind) {
    case 'call':
      return writer.words + ofAgent(writer);
    case 'command':
      return writer.line + ofAgent(writer);
    case 'meanwhile':
      return t('another program, while {0} ran', writer.words + ofAgent(writer));
    case 'session':
      return writer.name === '' ? t('another session') : t('session {0}', writer.name);
    case 'person':
      return t('You');
  }
}
