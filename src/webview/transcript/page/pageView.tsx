/* The tab in which the user has the page of the agent's browser: its picture, which takes mouse and keys. */

import { useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../protocol/language.ts';
import type { FromPageTab, TabInput, ToPageTab } from '../../../protocol/panel/pageTab.ts';
import type { Host } from '../../panel/host.ts';
import { keyInput, mouseInput, wheelInput } from './pageInput.ts';

type TabHost = Pick<Host<FromPageTab, ToPageTab>, 'act' | 'listen'>;

export function showPage(host: TabHost, root: HTMLElement): void {
  render(<PageView host={host} />, root);
  host.act({ type: 'ready' });
}

function PageView({ host }: { readonly host: TabHost }) {
  const frame = useSignal<Extract<ToPageTab, { type: 'frame' }> | undefined>(undefined);
  const back = useRef<HTMLButtonElement>(null);
  const keys = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    host.listen(message => {
      frame.value = message;
    });
    keys.current?.focus();
  }, [host]);
  const page = frame.value;
  return (
    <main class="taken-page">
      <div class="taken-bar">
        {page && <Address address={page.address} />}
        <button
          type="button"
          class="taken-back"
          ref={back}
          title={t('The agent goes on with the page as it is')}
          onClick={() => host.act({ type: 'giveBack' })}
          onKeyDown={event => {
            if (event.key !== 'F6') return;
            event.stopPropagation();
            keys.current?.focus();
          }}
        >
          {t('Give Back')}
        </button>
      </div>
      <p class="taken-note quiet" role="status">
        {page
          ? t(
              'You have the page, and the agent waits. Passwords that you type stay hidden from it. F6 leaves the page.',
            )
          : t('Waiting for the page…')}
      </p>
      <div class="taken-room">
        {page && (
          <img
            src={`data:image/jpeg;base64,${page.data}`}
            alt={t('The page')}
            onLoad={() => host.act({ type: 'drawn' })}
          />
        )}
        <Keys
          field={keys}
          page={page}
          act={input => host.act({ type: 'input', input })}
          onLeave={() => back.current?.focus()}
        />
      </div>
    </main>
  );
}

/** The host is what a user checks before typing a password. */
function Address({ address }: { readonly address: string }) {
  const { host, pathname } = new URL(address);
  return (
    <span class="ellipsis" title={address}>
      <strong>{host}</strong>
      <span class="quiet">{pathname}</span>
    </span>
  );
}

interface KeysProps {
  readonly field: { readonly current: HTMLTextAreaElement | null };
  readonly page: { readonly width: number; readonly height: number } | undefined;
  readonly act: (input: TabInput) => void;
  readonly onLeave: () => void;
}

/** Lies over the picture, unseen. A text field, since only there a system composes letters and pastes. */
function Keys({ field, page, act, onLeave }: KeysProps) {
  const moved = useRef<TabInput | undefined>(undefined);
  const send = (event: Event, input: TabInput | undefined) => {
    if (!input) return;
    event.preventDefault();
    event.stopPropagation();
    act(input);
  };
  /** Without VS Code, where the key leads to its next part. */
  const leave = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    onLeave();
  };
  const insert = (target: HTMLTextAreaElement, text: string) => {
    target.value = '';
    if (text !== '') act({ kind: 'text', text });
  };
  const roomOf = ({ clientWidth, clientHeight }: Element) => ({ width: clientWidth, height: clientHeight });
  const press =
    (type: 'mousePressed' | 'mouseReleased') => (event: MouseEvent & { currentTarget: Element }) => {
      if (type === 'mousePressed') field.current?.focus();
      if (page) send(event, mouseInput(type, event, roomOf(event.currentTarget), page));
    };
  /** One for each picture: a mouse reports more than a page can follow. */
  const move = (event: MouseEvent & { currentTarget: Element }) => {
    const isWaiting = moved.current !== undefined;
    moved.current = page && mouseInput('mouseMoved', event, roomOf(event.currentTarget), page);
    if (isWaiting || !moved.current) return;
    requestAnimationFrame(() => {
      if (moved.current) act(moved.current);
      moved.current = undefined;
    });
  };
  return (
    <textarea
      class="taken-keys"
      ref={field}
      aria-label={t('The page. What you type goes into it; F6 leaves it.')}
      autocomplete="off"
      spellcheck={false}
      onMouseDown={press('mousePressed')}
      onMouseUp={press('mouseReleased')}
      onMouseMove={move}
      onContextMenu={event => event.preventDefault()}
      onWheel={event => page && send(event, wheelInput(event, roomOf(event.currentTarget), page))}
      onKeyDown={event => (event.key === 'F6' ? leave(event) : send(event, keyInput('keyDown', event)))}
      onKeyUp={event => send(event, keyInput('keyUp', event))}
      onPaste={event => {
        event.preventDefault();
        insert(event.currentTarget, event.clipboardData?.getData('text/plain') ?? '');
      }}
      onCompositionEnd={event => insert(event.currentTarget, event.data)}
      onInput={event => {
        if (!event.isComposing) insert(event.currentTarget, event.currentTarget.value);
      }}
    />
  );
}
