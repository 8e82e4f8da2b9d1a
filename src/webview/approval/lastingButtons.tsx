import type { Ask } from '../../protocol/asks.ts';
import { describeChoice } from '../../protocol/words/askWords.ts';
import { Button } from '../ui/controls.tsx';
import { Menu } from '../ui/menu.tsx';
import { lastingChoices } from './askWords.ts';
import type { Decide } from './decisionRow.tsx';

/** The narrowest permission is one press away; what reaches further has to be looked for. */
export function LastingButtons({ ask, decide }: { readonly ask: Ask; readonly decide: Decide }) {
  const [narrowest, ...wider] = lastingChoices(ask);
  if (!narrowest) return null;
  return (
    <span class="split-button">
      <Button
        title={describeChoice(narrowest)}
        onPress={() => decide({ kind: 'always', choice: narrowest.id })}
      >
        {narrowest.label}
      </Button>
      {wider.length > 0 && (
        <Menu
          label="Other lasting permissions"
          icon="chevron-down"
          groups={[
            wider.map(choice => ({
              label: describeChoice(choice),
              onPress: () => decide({ kind: 'always', choice: choice.id }),
            })),
          ]}
        />
      )}
    </span>
  );
}
