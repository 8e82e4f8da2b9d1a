import { t } from '../../../protocol/language.ts';
import type { PanelThought } from '../../../protocol/panel/panelState.ts';
import { Card, CardRow } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { memo } from '../../ui/memo.ts';
import { useCardOpen } from '../../ui/useCardOpen.ts';
import { WholeTextButton } from '../../ui/wholeTextButton.tsx';
import { AnswerText } from '../answer/answer.tsx';

export const Thought = memo(function Thought({ thought }: { readonly thought: PanelThought }) {
  const [isOpen, toggle] = useCardOpen(thought.id, false);
  const gist = newestThoughtTitle(thought.text);
  return (
    <Card class="thought" name={t('Thought: {0}', gist)}>
      <CardRow isOpen={isOpen} toggle={toggle} class="quiet">
        <Icon name="lightbulb" />
        <span class="row-title ellipsis">{isOpen ? t('Thought') : gist}</span>
      </CardRow>
      {isOpen && (
        <div class="thought-text">
          <AnswerText text={thought.text} />
          <WholeTextButton item={thought} />
        </div>
      )}
    </Card>
  );
});

/** Returns the newest bold heading, by which models title their thoughts. */
export function newestThoughtTitle(text: string): string {
  const heads = [...text.matchAll(/^\*\*(.+?)\*\*\s*$/gm)];
  const head = heads.at(-1)?.[1];
  return (
    head ??
    text
      .trim()
      .split('\n', 1)[0]
      ?.replace(/[*_`#]/g, '') ??
    ''
  );
}
