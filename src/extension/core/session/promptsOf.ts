import { iterate } from '../../../protocol/pages.ts';
import type { PromptItem, SessionState } from '../../../protocol/state.ts';

/** The prompts that are still in the conversation and can be gone back to, oldest first. */
export function promptsOf({ chapters }: Pick<SessionState, 'chapters'>): readonly PromptItem[] {
  const items = chapters.flatMap(chapter => [...iterate(chapter.items)]);
  return items.filter(item => item.type === 'prompt').filter(({ steered }) => !steered);
}
