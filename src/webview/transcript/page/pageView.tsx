/* Tab in which the user controls the agent's browser page: a picture that takes mouse and keys. */

import { type ReadonlySignal, signal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../protocol/language.ts';
import type { FromPageTab, PageFrame, ToPageTab } from '../../../protocol/panel/pageTab.ts';
import type { HostPort } from '../../panel/host.ts';
import { PageKeys } from './pageKeys.tsx';

export function renderPageTab(host: TabHost, root: HTMLElement): void {
  render(<PageView host={host} link={followPage(host)} />, root);
}

function PageView({ host, link }: { readonly host: TabHost; readonly link: PageLink }) {
  const shown = link.shown.value;
  const isConnected = link.isConnected.value;
  const button = useRef<HTMLButtonElement>(null);
  const keys = useRef<HTMLTextAreaElement>(null);
  const isLost = shown?.type === 'lost';
  useEffect(() => takeFocus(() => keys.current ?? button.current), [isLost]);
  const page = shown?.type === 'frame' ? shown : undefined;
  return (
    <main class="taken-page">
      <div class="taken-bar">
        <h1 class="ellipsis" title={page?.address}>
          {page ? <Address address={page.address} /> : t('Page')}
        </h1>
        {isConnected && (
          <button
            type="button"
            class="taken-back"
            ref={button}
            title={isLost ? undefined : t('The agent continues with the page as it is')}
            onClick={() => host.act({ type: 'giveBack' })}
            onKeyDown={event => {
              if (event.key !== 'F6' || !keys.current) return;
              event.stopPropagation();
              keys.current.focus();
            }}
          >
            {isLost ? t('Close') : t('Give Back')}
          </button>
        )}
      </div>
      <p class="taken-note quiet" role="status">
        {describe(link)}
      </p>
      {!isLost && (
        <div class={isConnected ? 'taken-room' : 'taken-room taken-stale'}>
          {page && <PageFrameView frame={page} onDrawn={() => host.act({ type: 'drawn' })} />}
          <PageKeys
            field={keys}
            page={page}
            act={input => host.act({ type: 'input', input })}
            onLeave={() => button.current?.focus()}
          />
        </div>
      )}
    </main>
  );
}

function describe({ shown: { value: shown }, isConnected }: PageLink): string {
  if (!isConnected.value)
    return t('Folio does not respond, so the page does not react here. Close this tab if this continues.');
  if (!shown) return t('Waiting for the page…');
  if (shown.type === 'frame')
    return t(
      'You are using the page, and the agent waits. It cannot see passwords that you type. Press F6 to leave the page.',
    );
  return shown.lost === 'page'
    ? t('The page was closed. The agent can open it again.')
    : t('The browser of the agent has ended, and the page with it. The agent can open it again.');
}

/** Focuses the page while the tab has the focus, without taking it from other editors. */
function takeFocus(target: () => HTMLElement | null): () => void {
  const enter = () => {
    if (document.activeElement === document.body) target()?.focus();
  };
  if (document.hasFocus()) enter();
  window.addEventListener('focus', enter);
  return () => window.removeEventListener('focus', enter);
}

interface PageFrameProps {
  readonly frame: PageFrame;
  readonly onDrawn: () => void;
}

function PageFrameView({ frame, onDrawn }: PageFrameProps) {
  const image = useRef<HTMLImageElement>(null);
  // An identical picture causes no load event, for which the next picture waits.
  useEffect(
    () =>
      void image
        .current!.decode()
        .catch(() => undefined)
        .then(onDrawn),
    [frame],
  );
  return <img ref={image} src={`data:image/jpeg;base64,${frame.data}`} alt={t('The page')} />;
}

/** Address with emphasised host, which users check before typing a password. */
function Address({ address }: { readonly address: string }) {
  const { host, pathname } = new URL(address);
  return (
    <>
      {host}
      <span class="quiet">{pathname}</span>
    </>
  );
}

type TabHost = Pick<HostPort<FromPageTab, ToPageTab>, 'act' | 'listen'>;

interface PageLink {
  /** Absent before the first picture. */
  readonly shown: ReadonlySignal<Exclude<ToPageTab, { type: 'alive' }> | undefined>;
  /** False if the host crashed or hangs. VS Code leaves its tab open. */
  readonly isConnected: ReadonlySignal<boolean>;
}

const checkMs = 10_000;

/** Receives messages of the host, and checks whether it still answers. */
function followPage(host: TabHost): PageLink {
  const shown = signal<PageLink['shown']['value']>(undefined);
  const isConnected = signal(true);
  let hasAnswered = true;
  host.listen(message => {
    hasAnswered = true;
    isConnected.value = true;
    if (message.type !== 'alive') shown.value = message;
  });
  setInterval(() => {
    isConnected.value = hasAnswered;
    hasAnswered = false;
    host.act({ type: 'alive' });
  }, checkMs);
  host.act({ type: 'ready' });
  return { shown, isConnected };
}
