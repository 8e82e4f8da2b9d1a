import { plural, t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { useInbox } from './useInbox.ts';

/** Says how many proposals wait. Shown before the first prompt of a session. */
export function InboxStrip() {
  const { store } = usePanel();
  const count = useInbox()?.entries.length ?? 0;
  if (count === 0 || store.session.value?.title) return null;
  return (
    <div class="strip">
      <Icon name="lightbulb" class="quiet" />
      <span class="strip-text">
        {t('Memory inbox')} <span class="badge">{count}</span>
      </span>
      <LinkButton
        aria-label={plural(
          count,
          'one: Show {0} entry of the memory inbox | other: Show {0} entries of the memory inbox',
        )}
        onClick={() => (store.view.value = 'inbox')}
      >
        {t('Show')}
      </LinkButton>
    </div>
  );
}
