import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RewindScope, RewindTarget } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { isSameTarget, type Rewinding } from '../panel/store.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { isPlainKey } from '../ui/keys.ts';
import { RestoredFiles } from './restoredFiles.tsx';

/** Rewind dialog below its prompt or heading. */
export function RewindPanel({ to }: { readonly to: RewindTarget }) {
  const { store } = usePanel();
  const isWorking = useIsWorking();
  const rewinding = useComputed(() => {
    const current = store.rewinding.value;
    return current && isSameTarget(current.to, to) ? current : undefined;
  }).value;
  if (!rewinding) return null;
  // A prompt that can be edited without changing files needs no question.
  if (rewinding.purpose === 'resend' && !rewinding.files && !isWorking) return null;
  return <Question rewinding={rewinding} isWorking={isWorking} />;
}

interface QuestionProps {
  readonly rewinding: Rewinding;
  readonly isWorking: boolean;
}

function Question({ rewinding, isWorking }: QuestionProps) {
  const { store, act } = usePanel();
  const { to, purpose, files } = rewinding;
  const scope = useSignal<RewindScope>('both');
  const { root, giveBack } = useBorrowedFocus(files);
  const touchesFiles = scope.value !== 'conversation';
  const close = () => {
    store.rewinding.value = undefined;
    giveBack();
  };
  const isReady = !isWorking && !(touchesFiles && !files);
  const rewind = () => {
    root.current?.closest<HTMLElement>('[role=log]')?.focus({ preventScroll: true });
    store.rewinding.value = undefined;
    act({ type: 'rewind.do', to, scope: scope.value });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isGo = isPlainKey(event, 'Enter') && !event.repeat && event.target instanceof HTMLInputElement;
    if (!isGo && !isPlainKey(event, 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isGo) close();
    else if (isReady) rewind();
  };
  const title = titleOf(rewinding);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a form would submit automatically.
    <div class="rewind" role="group" aria-label={title} tabIndex={-1} ref={root} onKeyDown={onKeyDown}>
      <p class="bold">{title}</p>
      {purpose === 'choose' && <Scopes value={scope.value} onChoose={value => (scope.value = value)} />}
      {touchesFiles && <RestoredFiles files={files} />}
      {isWorking && <StopFirst />}
      <div class="buttons">
        <Button kind="primary" disabled={!isReady} onPress={rewind}>
          {purpose === 'resend' ? t('Go back and edit') : t('Rewind')}
        </Button>
        <Button onPress={close}>{t('Cancel')}</Button>
      </div>
    </div>
  );
}

function titleOf({ to, purpose }: Rewinding): string {
  if (purpose === 'resend') return t('Editing this prompt restores files');
  return to.kind === 'turn' ? t('Rewind to before this prompt') : t('Rewind to before this chapter');
}

const scopes = (): readonly { readonly value: RewindScope; readonly label: string }[] => [
  { value: 'both', label: t('Files and conversation') },
  { value: 'conversation', label: t('Conversation only') },
  { value: 'files', label: t('Files only') },
];

interface ScopesProps {
  readonly value: RewindScope;
  readonly onChoose: (value: RewindScope) => void;
}

function Scopes({ value, onChoose }: ScopesProps) {
  return (
    <div class="rewind-scopes" role="radiogroup" aria-label={t('What to restore')}>
      {scopes().map(each => (
        <label key={each.value} class="choice">
          <input
            type="radio"
            name="rewind-scope"
            class="mark round"
            checked={each.value === value}
            onChange={() => onChoose(each.value)}
          />
          {each.label}
        </label>
      ))}
    </div>
  );
}

function StopFirst() {
  const { act } = usePanel();
  return (
    <p class="quiet">
      {`${t('Folio is working. You can go back when it is done.')} `}
      <LinkButton onClick={() => act({ type: 'turn.stop' })}>{t('Stop')}</LinkButton>
    </p>
  );
}

/** Moves the focus into the dialog, and back after closing. */
function useBorrowedFocus(files: Rewinding['files']) {
  const root = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    before.current = document.activeElement;
    const first = root.current?.querySelector<HTMLElement>('input:checked') ?? root.current;
    first?.focus({ preventScroll: true });
  }, []);
  // The list of files arrives later and makes the dialog taller.
  useLayoutEffect(() => root.current?.scrollIntoView({ block: 'nearest' }), [files]);
  const giveBack = () => before.current instanceof HTMLElement && before.current.focus();
  return { root, giveBack };
}

function useIsWorking(): boolean {
  const { store } = usePanel();
  return useComputed(() => (store.session.value?.activity.status ?? 'resting') !== 'resting').value;
}
