import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SessionEntry } from '../../protocol/sessions.ts';

export interface DeletedRowProps {
  readonly entry: SessionEntry;
  readonly onRestore: (entry: SessionEntry) => void;
}

/** Stands in the place of the session, so that the way back is where the eye is. */
export function DeletedRow({ entry, onRestore }: DeletedRowProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The row that had the focus is gone. A search brings the line back too: it must not take the focus from there.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) button.current?.focus();
  }, []);
  return (
    <li class={entry.chapters.length > 0 ? 'session-row deleted with-chapters' : 'session-row deleted'}>
      <span class="session-title ellipsis quiet" title={entry.title}>
        Deleted: <bdi>{entry.title || 'Untitled'}</bdi>
      </span>
      <button
        type="button"
        ref={button}
        class="session link-button"
        aria-label={`Undo: delete ${entry.title}`}
        onClick={() => onRestore(entry)}
      >
        Undo
      </button>
    </li>
  );
}
