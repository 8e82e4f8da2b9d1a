import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { Button } from '../ui/controls.tsx';
import { ListPage } from '../ui/listPage.tsx';
import { useFocusInPlace } from '../ui/useFocusInPlace.ts';
import { AttemptCard } from './attemptCard.tsx';

/** Shows the attempts of several models at one task, side by side where there is room. */
export function ComparisonPage() {
  const { store, act } = usePanel();
  const root = useRef<HTMLElement>(null);
  useFocusInPlace(root, rows, () => root.current?.focus());
  useEffect(() => act({ type: 'panel.comparison' }), [act]);
  const reported = store.comparison.value;
  const attempts = reported?.comparison?.attempts ?? [];
  const rest = attempts.filter(({ facts }) => facts && facts.since === undefined && facts.worktree);
  return (
    <ListPage title={t('Compare models')} rows={rows} root={root}>
      {!reported && <p class="list-empty list-loading">{t('Reading the attempts…')}</p>}
      {reported && attempts.length === 0 && (
        <p class="list-empty">
          {t(
            'No comparison yet. Use “Folio: Compare Models” to give several models the same task, each in its own worktree.',
          )}
        </p>
      )}
      {reported?.comparison && (
        <div class="comparison">
          <p class="comparison-task" dir="auto" title={reported.comparison.prompt}>
            {reported.comparison.prompt}
          </p>
          <ul class="attempts">
            {attempts.map((attempt, index) => (
              <AttemptCard key={attempt.sessionId} attempt={attempt} number={index + 1} />
            ))}
          </ul>
          <div class="buttons">
            <Button disabled={rest.length === 0} onPress={() => act({ type: 'comparison.test' })}>
              {t('Run Tests in All')}
            </Button>
          </div>
        </div>
      )}
    </ListPage>
  );
}

const rows = '.attempt';
