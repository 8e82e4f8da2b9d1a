/* Names the working models at the start of a document and wherever the model changed. */

import { addTurnSpent, nothingSpent } from '../../../protocol/fold/spending.ts';
import { t } from '../../../protocol/language.ts';
import { iterate } from '../../../protocol/pagedList.ts';
import type { Chapter, PromptItem, SessionState } from '../../../protocol/state.ts';
import { codeSpan } from './markdownText.ts';

/** Lines such as `Model: a, then b` by the id of the prompt or chapter above. */
export type ModelLines = ReadonlyMap<string, string>;

/** @param shown chapters of the document; a turn may have begun before the first */
export function modelLinesByItem(
  state: SessionState,
  shown: readonly Chapter[] = state.chapters,
): ModelLines {
  const turns = modelsByTurn(state);
  const lines = new Map<string, string>();
  let working: readonly string[] = [];
  let said: string | undefined;
  const say = (id: string, models: readonly string[]) => {
    if (models.length === 1 && models[0] === said) return;
    if (models.length > 0)
      lines.set(
        id,
        t(
          'Model: {0}',
          models.map(codeSpan).reduce((before, after) => t('{0}, then {1}', before, after)),
        ),
      );
    said = models.at(-1) ?? said;
  };
  for (const chapter of state.chapters) {
    const isShown = shown.includes(chapter);
    if (isShown && said === undefined) say(chapter.id, working);
    for (const { id } of iterate(chapter.items)) {
      const models = turns.get(id);
      if (!models) continue;
      working = models;
      if (isShown) say(id, models);
    }
  }
  return lines;
}

/** A running turn's spending is not in its prompt yet. */
function modelsByTurn({
  chapters,
  spending = nothingSpent,
}: SessionState): ReadonlyMap<string, readonly string[]> {
  const prompts = chapters
    .flatMap(({ items }) => [...iterate(items)])
    .filter((item): item is PromptItem => item.type === 'prompt' && !item.steered);
  const newest = prompts.at(-1);
  return new Map(
    prompts.map(prompt => {
      const { spent = nothingSpent } = prompt;
      const { models = [] } = prompt === newest ? addTurnSpent(spent, spending) : spent;
      return [prompt.id, models];
    }),
  );
}
