import { useRef } from 'preact/hooks';
import { plural, t } from '../../protocol/language.ts';
import type { InboxTarget } from '../../protocol/panel/inbox.ts';
import { usePanel } from '../panel/panel.ts';
import { LinkButton } from '../ui/controls.tsx';
import { ListPage } from '../ui/listPage.tsx';
import { useFocusInPlace } from '../ui/useFocusInPlace.ts';
import { InboxRow } from './inboxRow.tsx';
import { useInbox } from './useInbox.ts';

/** Memory inbox. Proposed facts and skills are saved only when the user accepts them. */
export function InboxPage() {
  const { store, act } = usePanel();
  const root = useRef<HTMLElement>(null);
  useFocusInPlace(root, rows, () => root.current?.focus());
  const inbox = useInbox();
  const accept = (number: number, target: InboxTarget, text: string) =>
    act({ type: 'inbox.accept', number, target, text });
  const drop = (number: number) => act({ type: 'inbox.drop', number });
  const isRestricted = store.environment.value?.trusted === false;
  return (
    <ListPage title={t('Memory inbox')} rows={rows} root={root}>
      {!inbox && <p class="list-empty list-loading">{t('Reading the inbox…')}</p>}
      {inbox?.problem && <p class="list-empty">{inbox.problem}</p>}
      {inbox?.entries.length === 0 && !inbox.problem && <Nothing isRestricted={isRestricted} />}
      {inbox && inbox.entries.length > 0 && (
        <p class="list-empty">
          {plural(
            inbox.entries.length,
            'one: A session proposes to remember this. It is saved only if you keep it. | other: Sessions propose to remember these. Each is saved only if you keep it.',
          )}
        </p>
      )}
      <ul class="sessions">
        {inbox?.entries.map(entry => (
          <InboxRow key={entry.number} entry={entry} onAccept={accept} onDrop={drop} />
        ))}
      </ul>
    </ListPage>
  );
}

const rows = '.inbox-entry';

function Nothing({ isRestricted }: { readonly isRestricted: boolean }) {
  const { act } = usePanel();
  return (
    <div class="list-empty inbox-none">
      <p>{t('The inbox is empty.')}</p>
      <p>
        {isRestricted
          ? t('Restricted: sessions in this workspace propose nothing.')
          : t(
              'When you leave a longer session, a light model proposes here what to remember: commands that worked, conventions, your corrections.',
            )}
      </p>
      <LinkButton onClick={() => act({ type: 'settings.open' })}>{t("Open Folio's settings")}</LinkButton>
    </div>
  );
}
