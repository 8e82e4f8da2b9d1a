import type { TargetedEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../../../protocol/language.ts';
import type { PageInput } from '../../../protocol/panel/pageTab.ts';
import { keyInput, type MouseKind, mouseInput, wheelInput } from './pageInput.ts';

interface PageKeysProps {
  readonly field: { readonly current: HTMLTextAreaElement | null };
  readonly page: { readonly width: number; readonly height: number } | undefined;
  readonly act: (input: PageInput) => void;
  readonly onLeave: () => void;
}

/** Splits a text. The host accepts 100,000 UTF-16 units at once. */
const pieces = /.{1,50000}/gsu;

type Pointed = TargetedEvent<HTMLTextAreaElement, MouseEvent>;

/** Invisible text field over the picture, since only text fields support input methods and paste. */
export function PageKeys({ field, page, act, onLeave }: PageKeysProps) {
  const moved = useRef<PageInput | undefined>(undefined);
  /** True while a mouse button is held that was pressed in the page. */
  const isHeld = useRef(false);
  const send = (event: Event, input: PageInput | undefined) => {
    if (!input) return;
    event.preventDefault();
    event.stopPropagation();
    act(input);
  };
  /** Leaves the page by F6. VS Code, if present, moves to its next part. */
  const leave = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    onLeave();
  };
  const insert = (target: HTMLTextAreaElement, text: string) => {
    target.value = '';
    for (const [piece] of text.matchAll(pieces)) act({ kind: 'text', text: piece });
  };
  const roomOf = ({ clientWidth, clientHeight }: Element) => ({ width: clientWidth, height: clientHeight });
  const mouse = (type: MouseKind, event: Pointed) =>
    page && mouseInput(type, event, roomOf(event.currentTarget), page, isHeld.current ? 'nearest' : 'inside');
  const flush = () => {
    if (moved.current) act(moved.current);
    moved.current = undefined;
  };
  const press = (event: Pointed) => {
    field.current?.focus();
    flush();
    const input = mouse('mousePressed', event);
    isHeld.current ||= input !== undefined;
    send(event, input);
  };
  const release = (event: Pointed) => {
    if (!isHeld.current) return;
    flush();
    send(event, mouse('mouseReleased', event));
    isHeld.current = event.buttons !== 0;
  };
  /** Sends one move for each picture, since a mouse reports more than a page can follow. */
  const move = (event: Pointed) => {
    const isWaiting = moved.current !== undefined;
    moved.current = mouse('mouseMoved', event);
    if (!isWaiting && moved.current) requestAnimationFrame(flush);
  };
  return (
    <textarea
      class="taken-keys"
      ref={field}
      aria-label={t('The page. What you type goes into it; F6 leaves it.')}
      autocomplete="off"
      spellcheck={false}
      // Captures the pointer, so that a release outside also reaches the page.
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onMouseDown={press}
      onMouseUp={release}
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
