/* A page of the panel in place of the transcript: its name, the way back, a field that filters, and a list. */

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
  /** Sees each key first; true: it is done with it. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
}

interface ListPageProps {
  readonly title: string;
  /** Selects the elements that the arrow keys walk, beside the field. */
  readonly rows: string;
  /** Absent while there is nothing to filter. Escape empties it before it leads back. */
  readonly search?: ListSearch | undefined;
  /** Takes the focus when a row that had it goes. */
  readonly root?: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

export function ListPage({ title, rows, search, root: given, children }: ListPageProps) {
  const { store } = usePanel();
  const own = useRef<HTMLElement>(null);
  const root = given ?? own;
  useLayoutEffect(() => {
    const page = root.current;
    const first = page?.querySelector<HTMLElement>('input') ?? page?.querySelector<HTMLElement>(rows);
    (first ?? page)?.focus();
  }, []);
  // A field that goes with the last entry must not take the focus along.
  useLayoutEffect(() => {
    if (document.hasFocus() && document.activeElement === document.body) root.current?.focus();
  }, [search === undefined]);
  // A user who leaves continues where they write, or at the place that they are led to; a page that is not shown
  // must not take the focus. The place is looked up as the page goes, before the transcript follows it; the request comes
  // when the composer is there to hear it.
  useLayoutEffect(
    () => () => {
      if (document.hasFocus() && !store.sought.peek()) queueMicrotask(() => store.focusRequests.value++);
    },
    [store],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    // Arrows choose there.
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

/** Reads what is typed, so that the list need not. */
function Search({ search: { label, words, onChange } }: { readonly search: ListSearch }) {
  return <SearchField label={label} value={words.value} onChange={onChange} />;
}
