import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import type { ConnectStep, KnownConnections } from '../../protocol/panel/connecting.ts';
import { usePanel } from '../panel/panel.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { UntrustedText } from '../ui/untrustedText.tsx';
import {
  actionLabel,
  type ConnectionMethodWords,
  connectionMethods,
  findConnected,
  stepAnnouncement,
} from './connectionMethodWords.ts';
import { ModelChoices } from './modelChoices.tsx';
import { ConnectionProblem, ConnectionProgress } from './wayLines.tsx';

/** Lists ways to get a model. The next step is shown directly below the pressed button. */
export function ConnectionMethodList() {
  const { store, act } = usePanel();
  const { known = {}, step } = store.connecting.value ?? {};
  const { value: environment } = store.environment;
  const connected = environment && findConnected(environment, known);
  useEffect(() => {
    act({ type: 'connect.open' });
  }, [act]);
  return (
    <>
      <div class="sr-only" role="status">
        {stepAnnouncement(step)}
      </div>
      <ul class="ways">
        {connectionMethods().map(words => (
          <Way
            key={words.way}
            words={words}
            known={known}
            isConnected={words.way === connected}
            step={step?.way === words.way ? step : undefined}
          />
        ))}
      </ul>
    </>
  );
}

interface WayProps {
  readonly words: ConnectionMethodWords;
  readonly known: KnownConnections;
  readonly isConnected: boolean;
  readonly step: ConnectStep | undefined;
}

function Way({ words, known, isConnected, step }: WayProps) {
  const { way, icon, title, describe, keyPage } = words;
  const { act } = usePanel();
  const row = useRef<HTMLButtonElement>(null);
  // Returns the focus if the pressed button unmounts.
  const isPressed = useRef(false);
  const status = step?.status;
  useLayoutEffect(() => {
    if (status) row.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [status]);
  useLayoutEffect(() => {
    if (isPressed.current && document.activeElement === document.body) row.current?.focus();
    if (step?.status !== 'working') isPressed.current = false;
  }, [step]);
  return (
    <li class={step ? 'way open' : 'way'}>
      <button
        type="button"
        class="way-row"
        aria-current={isConnected}
        ref={row}
        aria-expanded={step !== undefined}
        onClick={() => act({ type: 'connect.start', way })}
      >
        <Icon name={icon} />
        <span class="way-words">
          <span class="way-title bold">{title}</span>
          <span class="quiet">
            <UntrustedText text={describe(known)} />
          </span>
          {isConnected && (
            <span class="way-connected">
              <Icon name="check" />
              {t('Connected')}
            </span>
          )}
        </span>
      </button>
      {keyPage !== undefined && !isConnected && <KeyLink page={keyPage} of={title} />}
      {step && (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: its buttons are pressed, by key too; this only notes it.
        <div class="way-step" onClick={() => (isPressed.current = true)}>
          <Step step={step} />
        </div>
      )}
    </li>
  );
}

function KeyLink({ page, of }: { readonly page: string; readonly of: string }) {
  const { act } = usePanel();
  return (
    <LinkButton
      class="way-link"
      title={page}
      aria-label={t('Get a key: {0}', of)}
      onClick={() => act({ type: 'link.open', url: page })}
    >
      {t('Get a key')}
    </LinkButton>
  );
}

function Step({ step }: { readonly step: ConnectStep }) {
  switch (step.status) {
    case 'working':
      return <ConnectionProgress doing={step.doing} />;
    case 'asking':
      return (
        <>
          <p class="way-note">
            <UntrustedText text={step.what} />
          </p>
          <Actions step={step} />
        </>
      );
    case 'stuck':
      return (
        <>
          <ConnectionProblem text={step.problem} />
          <Actions step={step} />
        </>
      );
    case 'choosing':
      return (
        <>
          <ModelChoices step={step} />
          {step.trying === undefined ? (
            <Actions step={step} />
          ) : (
            <ConnectionProgress doing={t('A model that is not loaded yet may take a minute…')} />
          )}
        </>
      );
  }
}

function Actions({ step: { way, actions } }: { readonly step: Exclude<ConnectStep, { status: 'working' }> }) {
  const { act } = usePanel();
  return (
    <div class="buttons">
      {actions.map(action => (
        <Button key={action} onPress={() => act({ type: 'connect.act', action })}>
          {actionLabel(action, way)}
        </Button>
      ))}
    </div>
  );
}
