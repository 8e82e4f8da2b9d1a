import type { SessionState } from '../state.ts';

/** Returns true if the newest turn was stopped, failed or reached a limit, so that it can continue. */
export function isUnfinished({ chapters }: Pick<SessionState, 'chapters'>): boolean {
  const last = chapters
    .at(-1)
    ?.items.pages.flat()
    .findLast(({ type }) => type !== 'notice');
  return last?.type === 'end';
}
