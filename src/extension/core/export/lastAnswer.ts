import { iterate } from '../../../protocol/pages.ts';
import type { SessionState } from '../../../protocol/state.ts';

/** The newest text of the model, all that its step said; undefined: it has said nothing yet. */
export function lastAnswer({ chapters }: Pick<SessionState, 'chapters'>): string | undefined {
  const texts = chapters.flatMap(({ items }) => [...iterate(items)]).filter(item => item.type === 'text');
  const newest = texts.at(-1);
  if (!newest) return undefined;
  return texts
    .filter(({ stepId }) => stepId === newest.stepId)
    .map(({ text }) => text)
    .join('\n\n');
}
