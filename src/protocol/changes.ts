/* Changes of files: kept bytes, writes, pending reviews, and going back. */

import type { SessionEventBody } from './events.ts';
import { plural, t } from './language.ts';
import type { CallWriting, Counts, Writer } from './values.ts';

export type ReviewedFile = NonNullable<SessionEventBody<'review.changed'>['review']>;

/** The newest of them last. */
export type ShelvedFile = Omit<SessionEventBody<'review.putAside'>, 'type'>;

export type ReviewedHunk = ReviewedFile['hunks'][number];

/** Where a hunk stands, without what is shown of it. */
export type HunkPlace = Omit<ReviewedHunk, 'gone' | 'agent' | 'cell' | 'lines' | 'hiddenLines'>;

export function sumCounts(all: readonly Counts[]): Counts {
  const counted = all.filter(({ cells }) => cells !== undefined);
  return {
    added: all.reduce((sum, { added }) => sum + added, 0),
    removed: all.reduce((sum, { removed }) => sum + removed, 0),
    cells: counted.length > 0 ? counted.reduce((sum, { cells = 0 }) => sum + cells, 0) : undefined,
  };
}

/** `2 lines added, 1 removed`, `2 cells changed`, `became executable`, or several of them. */
export function countsInWords(counts: Counts): string {
  const { added, removed } = counts;
  const lines = plural(
    added,
    'one: {0} line added, {1} removed | other: {0} lines added, {1} removed',
    removed,
  );
  return withOthers(lines, counts);
}

/** `+2 −1`, `2 cells changed`, `became executable`, or several of them. */
export function shortCounts(counts: Counts): string {
  return withOthers(`+${counts.added} −${counts.removed}`, counts);
}

export function modeInWords(executable: boolean): string {
  return executable ? t('became executable') : t('is no longer executable');
}

/** Lines are left out where something else changed and no line did. */
function withOthers(lines: string, { added, removed, cells, executable }: Counts): string {
  const others = [
    cells === undefined ? '' : changedCells(cells),
    executable === undefined ? '' : modeInWords(executable),
  ].filter(Boolean);
  return [...(added + removed > 0 || others.length === 0 ? [lines] : []), ...others].join(', ');
}

function changedCells(cells: number): string {
  return plural(cells, 'one: {0} cell changed | other: {0} cells changed');
}

/** Cells of a notebook that a hunk changes. What begins at the first unit holds what stands around the cells, too. */
export function countCells({
  start,
  count,
  baseCount,
}: Pick<HunkPlace, 'start' | 'count' | 'baseCount'>): number {
  return Math.max(0, Math.max(count, baseCount) - (start === 0 ? 2 : 0));
}

/** Calls and commands that wrote a hunk, in the words of their cards, oldest first. */
export function writerNames({ writers = [] }: Pick<ReviewedHunk, 'writers'>): readonly string[] {
  return [...new Set(writers.map(nameOf))];
}

/** The other session that wrote into the agent's lines since; `undefined`: it was the user. */
export function sessionTouching({ writers = [] }: Pick<ReviewedHunk, 'writers'>): string | undefined {
  return writerNames({ writers: writers.filter(({ kind }) => kind === 'session') })[0];
}

/** In a parenthesis after the words. */
function ofAgent({ agent }: CallWriting): string {
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
