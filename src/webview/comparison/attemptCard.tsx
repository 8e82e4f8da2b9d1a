import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { plural, t } from '../../protocol/language.ts';
import type { Attempt, AttemptFacts, TestsOfAttempt } from '../../protocol/panel/comparison.ts';
import { usePanel } from '../panel/panel.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { openSession } from '../sessions/openSession.ts';
import { StatusMark, statusWords } from '../sessions/statusMark.tsx';
import { Button, IconButton } from '../ui/controls.tsx';
import { formatCost, formatDuration } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { isPlainKey } from '../ui/keys.ts';

interface AttemptCardProps {
  readonly attempt: Attempt;
  /** From 1. Tells attempts of the same model apart. */
  readonly number: number;
}

/** Card of an attempt. Enter opens its session, Delete discards it. */
export function AttemptCard({ attempt: { sessionId, model, facts }, number }: AttemptCardProps) {
  const { store, act } = usePanel();
  const models = store.environment.value?.models ?? [];
  const name = models.find(({ id }) => id === model)?.label ?? model;
  const open = () => openSession(store, act, sessionId);
  const discard = () => act({ type: 'comparison.discard', sessionId });
  return (
    <li
      class="attempt"
      tabIndex={-1}
      aria-label={t('Attempt {0}: {1}', number, name)}
      onKeyDown={event => {
        if (event.target !== event.currentTarget) return;
        if (isPlainKey(event, 'Enter')) open();
        else if (isPlainKey(event, 'Delete')) discard();
        else return;
        event.preventDefault();
      }}
    >
      <div class="attempt-head">
        {facts && <StatusMark status={facts.status} />}
        <h2 class="ellipsis" title={model}>
          {name}
        </h2>
        <IconButton icon="trash" label={t('Discard attempt {0} (Delete)', number)} onPress={discard} />
      </div>
      {facts ? (
        <>
          <Facts facts={facts} />
          <div class="buttons">
            <Button
              kind="primary"
              disabled={facts.since !== undefined || facts.files === 0 || facts.taken || !facts.worktree}
              onPress={() => act({ type: 'comparison.take', sessionId })}
            >
              {t('Take')}
            </Button>
            <Button onPress={open}>{t('Open')}</Button>
          </div>
        </>
      ) : (
        <p class="quiet">
          {t('The session cannot be shown here: it is open in another window, or it was deleted.')}
        </p>
      )}
    </li>
  );
}

function Facts({ facts }: { readonly facts: AttemptFacts }) {
  const { status, activeMs, cost, unpriced, files, counts, chapters, tests, taken } = facts;
  return (
    <dl class="attempt-facts">
      <Fact name={t('Status')}>{taken ? t('Taken') : statusOf(status)}</Fact>
      <Fact name={t('Tests')}>{tests ? <Tests tests={tests} /> : t('did not run')}</Fact>
      <Fact name={t('Changes')}>
        {plural(files, 'one: {0} file | other: {0} files')} {files > 0 && <ChangeCounts {...counts} />}
      </Fact>
      <Fact name={t('Cost')}>
        {cost === undefined
          ? t('price unknown')
          : unpriced
            ? t('at least {0}', formatCost(cost))
            : formatCost(cost)}
      </Fact>
      <Fact name={t('Time')}>
        <Time facts={facts} activeMs={activeMs} />
      </Fact>
      {chapters.length > 0 && (
        <Fact name={t('Chapters')}>
          <ol class="attempt-chapters">
            {chapters.map((title, index) => (
              <li key={index} class="ellipsis" dir="auto" title={title}>
                {title}
              </li>
            ))}
          </ol>
        </Fact>
      )}
    </dl>
  );
}

/** Names the status. An attempt that rests or waits for a review counts as done. */
function statusOf(status: AttemptFacts['status']): string {
  return status === 'resting' || status === 'reviewing' ? t('Done') : statusWords()[status];
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Tests({ tests: { summary, passed, outdated } }: { readonly tests: TestsOfAttempt }) {
  if (summary === '') return <>{t('running')}</>;
  return (
    <>
      {passed !== undefined && (
        <Icon name={passed ? 'check' : 'error'} class={passed ? 'added' : 'removed'} />
      )}{' '}
      {outdated ? t('{0}, before the newest change', summary) : summary}
    </>
  );
}

/** Shows the working time, which grows while the agent works. */
function Time({
  facts: { since, status },
  activeMs,
}: {
  readonly facts: AttemptFacts;
  readonly activeMs: number;
}) {
  const { store } = usePanel();
  const shown = useComputed(() =>
    since !== undefined && status === 'working' ? activeMs + Math.max(0, store.now.value - since) : activeMs,
  );
  return <>{formatDuration(shown.value)}</>;
}
