/* Tab in which the user controls the agent's browser page: a picture that takes mouse and keys. */

import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../protocol/language.ts';
import type { PageFrame } from '../../../protocol/panel/pageTab.ts';
import { PageKeys } from './pageKeys.tsx';
import { followPage, type PageLink, type TabHost } from './pageLink.ts';

export function showPage(host: TabHost, root: HTMLElement): void {
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
          {page && <Picture frame={page} onDrawn={() => host.act({ type: 'drawn' })} />}
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

interface PictureProps {
  readonly frame: PageFrame;
  readonly onDrawn: () => void;
}

function Picture({ frame, onDrawn }: PictureProps) {
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
