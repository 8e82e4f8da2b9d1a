/* A page in place of the transcript: title, back button, filter and list. */

import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { IconButton, SearchField } from './controls.tsx';
import { isPlainKey, moveFocus } from './keys.ts';

export interface ListSearch {
  readonly label: string;
  readonly words: ReadonlySignal<string>;
  readonly onChange: (words: string) => void;
  /** Handles keys first. Returns true if handled. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
}

interface ListPageProps {
  readonly title: string;
  /** Selects the elements that arrow keys move through, besides the field. */
  readonly rows: string;
  /** Filter; absent if there is nothing to filter. Escape first clears it, then goes back. */
  readonly search?: ListSearch | undefined;
  /** Gets the focus when the focused row unmounts. */
  readonly root?: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

export function ListPage({ title, rows, search, root: given, children }: ListPageProps) {
  const { store } = usePanel();
  const own = useRef<HTMLElement>(null);
  const root = given ?? own;
  const focusFirst = () => {
    const page = root.current;
    const found = ['input', rows, '.list-empty vscode-button'].map(each => page?.querySelector(each));
    const first = found.find(each => each instanceof HTMLElement);
    (first ?? page)?.focus();
  };
  useLayoutEffect(focusFirst, []);
  // Keeps the focus if the field unmounts with the last entry.
  useLayoutEffect(() => {
    if (document.hasFocus() && document.activeElement === document.body) focusFirst();
  }, [search === undefined]);
  // On leaving, the focus goes to the composer or to the place to reveal, unless the page is hidden. The place is read
  // on unmount, before the transcript mounts; the request follows when the composer is mounted.
  useLayoutEffect(
    () => () => {
      if (document.hasFocus() && !store.sought.peek()) queueMicrotask(() => store.focusRequests.value++);
    },
    [store],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    // In a select, arrows choose.
    if (event.target instanceof Element && event.target.closest('select')) return;
    const step = isPlainKey(event, 'ArrowDown') ? 1 : isPlainKey(event, 'ArrowUp') ? -1 : undefined;
    const walked = `.search-field input, ${rows}`;
    if (!search?.onKey?.(event)) {
      if (step) moveFocus([...root.current!.querySelectorAll<HTMLElement>(walked)], step);
      else if (isPlainKey(event, 'Escape') && search?.words.peek()) search.onChange('');
      else return;
    }
    event.preventDefault();
  };
  return (
    <section class="list-page" aria-label={title} ref={root} tabIndex={-1} onKeyDown={onKeyDown}>
      <div class="list-head">
        <IconButton
          icon="arrow-left"
          label={t('Back to the session')}
          onPress={() => (store.view.value = 'transcript')}
        />
        <h1>{title}</h1>
      </div>
      {search && <Search search={search} />}
      {children}
    </section>
  );
}

/** A separate component, so that typing does not render the list. */
function Search({ search: { label, words, onChange } }: { readonly search: ListSearch }) {
  return <SearchField label={label} value={words.value} onChange={onChange} />;
}
