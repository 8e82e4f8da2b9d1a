import { t } from '../../protocol/language.ts';
import type { Environment } from '../../protocol/panel/messages.ts';
import { describeMissing } from '../models/needs.ts';
import { usePanel } from '../panel/panel.ts';
import { isPlainKey, moveFocus } from '../ui/keys.ts';
import { ListPage } from '../ui/listPage.tsx';
import { ConnectionMethodList } from './ways.tsx';

/** Selects the elements that arrow keys move through. */
const rows = '.way-row, .way-step input, .offer';

/** Ways to connect, in an empty transcript without a model. */
export function FirstRun({ environment }: { readonly environment: Environment }) {
  const walk = (event: KeyboardEvent) => {
    const step = isPlainKey(event, 'ArrowDown') ? 1 : isPlainKey(event, 'ArrowUp') ? -1 : undefined;
    if (!step) return;
    moveFocus([...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(rows)], step);
    event.preventDefault();
  };
  return (
    <section class="connect" aria-labelledby="connect-title" onKeyDown={walk}>
      <h2 id="connect-title">{t('Connect a model')}</h2>
      <p>{`${describeMissing(environment)} ${t('Pick a provider; you can change it later.')}`}</p>
      <ConnectionMethodList />
    </section>
  );
}

/** Ways to connect as a page, for a user who has a model or a session. */
export function ConnectPage() {
  const { store } = usePanel();
  const isConnected = store.environment.value?.connection === 'key';
  return (
    <ListPage title={t('Connect a model')} rows={rows}>
      <div class="connect list-scroll">
        <p>
          {isConnected
            ? t('Pick a provider. Your current connection stays until the new one works.')
            : t('Pick a provider; you can change it later.')}
        </p>
        <ConnectionMethodList />
      </div>
    </ListPage>
  );
}
