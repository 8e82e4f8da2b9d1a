import { useComputed } from '@preact/signals';
import type { Trouble } from '../../protocol/events.ts';
import type { ToHost } from '../../protocol/messages.ts';
import type { Pages } from '../../protocol/pages.ts';
import { type EndItem, type Item, liveChapter } from '../../protocol/state.ts';
import { describeTurnEnd } from '../../protocol/turnEnd.ts';
import { usePanel } from '../panel.ts';
import { Card } from '../ui/card.tsx';
import { Button } from '../ui/controls.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

/** Why the turn did not simply come to rest, and what to do now. */
export function EndCard({ item }: { readonly item: EndItem }) {
  const { store } = usePanel();
  const { end } = item;
  // What an earlier turn broke off at is history: only the newest end can be gone on from.
  const standing = useComputed(() => {
    const session = store.session.value;
    return session ? standingOf(liveChapter(session).items, item) : 'past';
  }).value;
  const isNewest = standing !== 'past';
  switch (end.kind) {
    case 'failed':
      return <Failed trouble={end.trouble} standing={standing} />;
    case 'stopped':
      return <End icon="circle-slash" text="Stopped." again="Continue" isNewest={isNewest} />;
    case 'budget':
      return <End icon="info" text={describeTurnEnd(end)} again="Go on" isNewest={isNewest} />;
    case 'loop':
      return <End icon="info" text={describeTurnEnd(end)} again="Go on anyway" isNewest={isNewest} />;
    case 'hook':
      return <End icon="circle-slash" text={describeTurnEnd(end)} again="Continue" isNewest={isNewest} />;
  }
}

/** `compressed`: the newest end, and since then the context has become smaller. */
type Standing = 'past' | 'newest' | 'compressed';

/** A compression and what is said about one follow an end without going on from it. */
function standingOf(items: Pages<Item>, end: EndItem): Standing {
  let standing: Standing = 'newest';
  for (const page of items.pages.toReversed())
    for (const item of page.toReversed()) {
      if (item === end) return standing;
      if (item.type === 'compression') standing = item.undone ? standing : 'compressed';
      else if (item.type !== 'notice') return 'past';
    }
  return 'past';
}

interface EndProps {
  readonly icon: IconName;
  readonly text: string;
  readonly again: string;
  readonly isNewest: boolean;
}

function End(props: EndProps) {
  const { act } = usePanel();
  return (
    <Card class="end" name={props.text}>
      <Icon name={props.icon} />
      <span class="end-text">{props.text}</span>
      {props.isNewest && (
        <button type="button" class="link-button" onClick={() => act({ type: 'turn.retry' })}>
          {props.again}
        </button>
      )}
    </Card>
  );
}

function Failed({ trouble, standing }: { readonly trouble: Trouble; readonly standing: Standing }) {
  const { store, act } = usePanel();
  const isCompressing = useComputed(() => store.session.value?.compression !== undefined).value;
  const isCompress = trouble.remedy === 'compress';
  const isDone = isCompress && standing === 'compressed';
  const remedy = trouble.remedy && !isDone ? remedies[trouble.remedy] : undefined;
  const waits = isCompress && isCompressing;
  return (
    <Card class="failed" name={`Failed: ${trouble.message}`}>
      <Icon name="error" class="failed-icon" />
      <span class="failed-text">{trouble.message}</span>
      {standing !== 'past' && (
        <div class="buttons">
          {remedy && (
            <Button
              kind="primary"
              disabled={waits}
              title={waits ? 'A compression is under way above the prompt' : undefined}
              onPress={() => act(remedy.intention)}
            >
              {remedy.label}
            </Button>
          )}
          <Button kind={remedy ? 'secondary' : 'primary'} onPress={() => act({ type: 'turn.retry' })}>
            Retry
          </Button>
        </div>
      )}
    </Card>
  );
}

type Remedy = NonNullable<Trouble['remedy']>;

const remedies: Readonly<Record<Remedy, { readonly label: string; readonly intention: ToHost }>> = {
  setKey: { label: 'Set API key', intention: { type: 'key.set' } },
  selectModel: { label: 'Select model', intention: { type: 'model.select' } },
  openSettings: { label: 'Open settings', intention: { type: 'settings.open' } },
  compress: { label: 'Compress…', intention: { type: 'context.compress' } },
};
