import { t } from '../../protocol/language.ts';
import { FirstRun } from '../connect/connect.tsx';
import { useDriver, usePanel } from '../panel/panel.ts';
import { addToDraft } from '../panel/store.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { focusKeys } from '../ui/systemKeys.ts';
import { isTranscriptEmpty } from './following.ts';

/** The only task that the rehearsal plays. */
const rehearsed = () => [t('The invoice test fails. Find out why and fix it.')];

const examples = () => [
  t('Explain how this project is built and tested'),
  t('Find out why a test fails and fix it'),
  t('Review my uncommitted changes for mistakes'),
];

/** Content of an empty transcript: what is missing to begin, or suggestions. */
export function Welcome() {
  const { store } = usePanel();
  const session = store.session.value;
  const environment = store.environment.value;
  const driver = useDriver();
  if (!isTranscriptEmpty(session) || !environment) return null;
  if (environment.connection === 'none' && driver === undefined)
    return <FirstRun environment={environment} />;
  if (environment.folders.length === 0) return <NoFolder />;
  return <Examples />;
}

function NoFolder() {
  const { act } = usePanel();
  return (
    <div class="welcome">
      <p>{t('No folder is open. Folio works on the files of a folder.')}</p>
      <div class="welcome-buttons">
        <Button kind="primary" onPress={() => act({ type: 'folder.open' })}>
          {t('Open folder')}
        </Button>
      </div>
    </div>
  );
}

function Examples() {
  const { store } = usePanel();
  const fill = (text: string) => {
    if (!store.draft.peek().startsWith(text)) addToDraft(store, text);
    store.focusRequests.value++;
  };
  return (
    <div class="welcome">
      <p>{t('Describe a task. Folio works in chapters, asks before it acts and shows every change.')}</p>
      <ul class="examples">
        {(store.environment.value?.connection === 'rehearsal' ? rehearsed() : examples()).map(example => (
          <li key={example}>
            <LinkButton onClick={() => fill(example)}>{example}</LinkButton>
          </li>
        ))}
      </ul>
      <p class="quiet">{t('From the editor, {0} leads here.', focusKeys)}</p>
    </div>
  );
}
