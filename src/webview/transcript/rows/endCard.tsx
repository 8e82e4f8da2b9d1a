import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { TurnEnd } from '../../../protocol/events.ts';
import type { ToHost } from '../../../protocol/intentions.ts';
import { plural, t } from '../../../protocol/language.ts';
import type { PagedList } from '../../../protocol/pagedList.ts';
import type { PanelItem } from '../../../protocol/panel/panelState.ts';
import { type EndItem, newestChapter } from '../../../protocol/state.ts';
import type { Failure } from '../../../protocol/values.ts';
import { formatNumber } from '../../../protocol/words/numbers.ts';
import { describeTurnEnd } from '../../../protocol/words/turnEnd.ts';
import { usePanel } from '../../panel/panel.ts';
import { Card } from '../../ui/card.tsx';
import { Button, LinkButton } from '../../ui/controls.tsx';
import { formatCost, formatDuration } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';

/** Card that says why a turn ended, with actions. */
export function EndCard({ item }: { readonly item: EndItem }) {
  const { store } = usePanel();
  const { end } = item;
  // Only the newest turn can continue.
  const standing = useComputed(() => {
    const session = store.session.value;
    return session ? standingOf(newestChapter(session).items, item) : 'past';
  }).value;
  const isNewest = standing !== 'past';
  switch (end.kind) {
    case 'failed':
      return <Failed id={item.id} problem={end.trouble} standing={standing} />;
    case 'budget':
      return <Limit id={item.id} end={end} isNewest={isNewest} />;
    case 'loop':
      return <Loop id={item.id} end={end} isNewest={isNewest} />;
    // For kinds of other versions, too.
    default:
      return <End id={item.id} text={describeTurnEnd(end)} isNewest={isNewest} />;
  }
}

/** `compressed`: the newest end, after which the context was compressed. */
type Standing = 'past' | 'newest' | 'compressed';

/** Returns the standing of an end. Compressions, their notices and hooks may follow the newest end. */
function standingOf(items: PagedList<PanelItem>, end: EndItem): Standing {
  let standing: Standing = 'newest';
  for (const page of items.pages.toReversed())
    for (const item of page.toReversed()) {
      if (item === end) return standing;
      if (item.type === 'compression') standing = item.undone ? standing : 'compressed';
      else if (item.type !== 'notice' && item.type !== 'hook') return 'past';
    }
  return 'past';
}

interface Continuation {
  /** Id of the end to continue from. */
  readonly id: string;
}

interface EndProps extends Continuation {
  readonly text: string;
  readonly isNewest: boolean;
}

function End(props: EndProps) {
  const { act } = usePanel();
  return (
    <Card class="end" name={props.text}>
      <Icon name="circle-slash" />
      <span class="end-text">{props.text}</span>
      {props.isNewest && (
        <LinkButton onClick={() => act({ type: 'turn.retry', endId: props.id })}>{t('Continue')}</LinkButton>
      )}
    </Card>
  );
}

interface PauseProps {
  readonly text: string;
  /** Error code for documentation and reports. */
  readonly code?: string;
  readonly isNewest: boolean;
  readonly children: ComponentChildren;
}

/** A pause that asks whether to continue. */
function Pause({ text, code, isNewest, children }: PauseProps) {
  return (
    <Card class="failed pause" name={text}>
      <Icon name="info" />
      <span class="failed-text" title={code}>
        {text}
      </span>
      {isNewest && <div class="buttons">{children}</div>}
    </Card>
  );
}

interface LimitProps extends Continuation {
  readonly end: Extract<TurnEnd, { kind: 'budget' }>;
  readonly isNewest: boolean;
}

function Limit({ id, end, isNewest }: LimitProps) {
  const { act } = usePanel();
  return (
    <Pause text={`${describeTurnEnd(end)} ${describeUse(end.budget)}`} isNewest={isNewest}>
      <Button
        kind="primary"
        title={t('Grants the same amount again')}
        onPress={() => act({ type: 'turn.retry', endId: id })}
      >
        {t('Continue')}
      </Button>
      <Button onPress={() => act({ type: 'settings.open' })}>{t('Change limit')}</Button>
    </Pause>
  );
}

function describeUse({ kind, used }: ReachedBudget): string {
  switch (kind) {
    case 'steps':
      return plural(used, 'one: Used so far: {0} step. | other: Used so far: {0} steps.');
    case 'tokens':
      return t('Used so far: {0} tokens.', formatNumber(used));
    case 'money':
      return t('Spent so far: {0}.', formatCost(used));
    case 'time':
      return t('Worked so far: {0}.', formatDuration(used));
  }
}

interface LoopProps extends Continuation {
  readonly end: Extract<TurnEnd, { kind: 'loop' }>;
  readonly isNewest: boolean;
}

function Loop({ id, end, isNewest }: LoopProps) {
  const { store, act } = usePanel();
  return (
    <Pause text={describeTurnEnd(end)} code="LOOP_DETECTED" isNewest={isNewest}>
      <Button kind="primary" onPress={() => store.focusRequests.value++}>
        {t('Tell Folio what to do')}
      </Button>
      <Button onPress={() => act({ type: 'turn.retry', endId: id })}>{t('Continue anyway')}</Button>
    </Pause>
  );
}

interface FailedProps extends Continuation {
  readonly problem: Failure;
  readonly standing: Standing;
}

function Failed({ id, problem, standing }: FailedProps) {
  const { store, act } = usePanel();
  const isCompressing = useComputed(() => store.session.value?.compression !== undefined).value;
  const isCompress = problem.remedy === 'compress';
  const isDone = isCompress && standing === 'compressed';
  const remedy = problem.remedy && !isDone ? remedies()[problem.remedy] : undefined;
  const waits = isCompress && isCompressing;
  return (
    <Card class="failed" name={t('Failed: {0}', problem.message)}>
      <Icon name="error" class="failed-icon" />
      <span class="failed-text">{problem.message}</span>
      {standing !== 'past' && (
        <div class="buttons">
          {remedy && (
            <Button
              kind="primary"
              disabled={waits}
              title={waits ? t('A compression is under way above the prompt') : undefined}
              onPress={() => act(remedy.intention)}
            >
              {remedy.label}
            </Button>
          )}
          <Button
            kind={remedy ? 'secondary' : 'primary'}
            onPress={() => act({ type: 'turn.retry', endId: id })}
          >
            {t('Retry')}
          </Button>
        </div>
      )}
    </Card>
  );
}

type Remedy = NonNullable<Failure['remedy']>;

const remedies = (): Readonly<Record<Remedy, { readonly label: string; readonly intention: ToHost }>> => ({
  setKey: { label: t('Set API key'), intention: { type: 'key.set' } },
  selectModel: { label: t('Select model'), intention: { type: 'model.select' } },
  openSettings: { label: t('Open settings'), intention: { type: 'settings.open' } },
  compress: { label: t('Compress…'), intention: { type: 'context.compress' } },
});
