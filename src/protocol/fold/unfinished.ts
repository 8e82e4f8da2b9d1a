import type { SessionState } from '../state.ts';

/** Its newest turn was stopped, has failed or reached a limit: there is something to continue with. */
export function isUnfinished({ chapters }: Pick<SessionState, 'chapters'>): boolean {
  const last = chapters
    .at(-1)
    ?.items.pages.flat()
    .findLast(({ type }) => type !== 'notice');
  return last?.type === 'end';
}
