import type { Trouble } from '../../protocol/events.ts';
import type { ToHost } from '../../protocol/messages.ts';
import type { EndItem } from '../../protocol/state.ts';
import { usePanel } from '../panel.ts';
import { Card } from '../ui/card.tsx';
import { Button } from '../ui/controls.tsx';
import { plural } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

/** Why the turn did not simply come to rest, and what to do now. */
export function EndCard({ item }: { readonly item: EndItem }) {
  const { end } = item;
  switch (end.kind) {
    case 'failed':
      return <Failed trouble={end.trouble} />;
    case 'stopped':
      return <End icon="circle-slash" text="Stopped." again="Continue" />;
    case 'stepLimit':
      return (
        <End icon="info" text={`Rests after ${plural(end.steps, 'step')}, the limit.`} again="Continue" />
      );
  }
}

function End(props: { readonly icon: IconName; readonly text: string; readonly again: string }) {
  const { act } = usePanel();
  return (
    <Card class="end" name={props.text}>
      <Icon name={props.icon} />
      <span class="end-text">{props.text}</span>
      <button type="button" class="link-button" onClick={() => act({ type: 'turn.retry' })}>
        {props.again}
      </button>
    </Card>
  );
}

function Failed({ trouble }: { readonly trouble: Trouble }) {
  const { act } = usePanel();
  const remedy = trouble.remedy && remedies[trouble.remedy];
  return (
    <Card class="failed" name={`Failed: ${trouble.message}`}>
      <Icon name="error" class="failed-icon" />
      <span class="failed-text">{trouble.message}</span>
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
