import { useComputed } from '@preact/signals';
import type { Trouble } from '../../protocol/events.ts';
import type { ToHost } from '../../protocol/messages.ts';
import { lastItem } from '../../protocol/pages.ts';
import { type EndItem, liveChapter } from '../../protocol/state.ts';
import { usePanel } from '../panel.ts';
import { Card } from '../ui/card.tsx';
import { Button } from '../ui/controls.tsx';
import { plural } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

/** Why the turn did not simply come to rest, and what to do now. */
export function EndCard({ item }: { readonly item: EndItem }) {
  const { store } = usePanel();
  const { end } = item;
  // What an earlier turn broke off at is history: only the newest end can be gone on from.
  const isNewest = useComputed(() => {
    const session = store.session.value;
    return session !== undefined && lastItem(liveChapter(session).items) === item;
  }).value;
  switch (end.kind) {
    case 'failed':
      return <Failed trouble={end.trouble} isNewest={isNewest} />;
    case 'stopped':
      return <End icon="circle-slash" text="Stopped." again="Continue" isNewest={isNewest} />;
    case 'stepLimit':
      return (
        <End
          icon="info"
          text={`Rests after ${plural(end.steps, 'step')}, the limit.`}
          again="Continue"
          isNewest={isNewest}
        />
      );
  }
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

function Failed({ trouble, isNewest }: { readonly trouble: Trouble; readonly isNewest: boolean }) {
  const { act } = usePanel();
  const remedy = trouble.remedy && remedies[trouble.remedy];
  return (
    <Card class="failed" name={`Failed: ${trouble.message}`}>
      <Icon name="error" class="failed-icon" />
      <span class="failed-text">{trouble.message}</span>
      {isNewest && (
        <div class="buttons">
          {remedy && (
            <Button kind="primary" onPress={() => act(remedy.intention)}>
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
  compress: { label: 'Compress context', intention: { type: 'context.compress' } },
};
