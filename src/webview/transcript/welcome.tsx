import type { Surroundings } from '../../protocol/messages.ts';
import { describeNeeds } from '../models/needs.ts';
import { usePanel } from '../panel.ts';
import { Button } from '../ui/controls.tsx';

const examples = [
  'Explain how this project is built and tested',
  'Find out why a test fails and fix it',
  'Review my uncommitted changes for mistakes',
];

/** What stands in an empty transcript: what is missing to begin, else some ways to begin. */
export function Welcome() {
  const { store } = usePanel();
  const session = store.session.value;
  const surroundings = store.surroundings.value;
  const isEmpty = session?.chapters.length === 1 && session.chapters[0]?.items.length === 0;
  if (!isEmpty || !surroundings) return null;
  if (surroundings.connection === 'none') return <FirstRun surroundings={surroundings} />;
  if (surroundings.folders.length === 0) return <NoFolder />;
  return <Examples />;
}

function FirstRun({ surroundings }: { readonly surroundings: Surroundings }) {
  const { act } = usePanel();
  const { sentence, action } = describeNeeds(surroundings);
  return (
    <div class="welcome">
      <p>{sentence}</p>
      <div class="welcome-buttons">
        <Button kind="primary" onPress={() => act({ type: 'key.set' })}>
          {action}
        </Button>
        <Button onPress={() => act({ type: 'rehearsal.start' })}>Try the rehearsal</Button>
      </div>
    </div>
  );
}

function NoFolder() {
  const { act } = usePanel();
  return (
    <div class="welcome">
      <p>No folder is open. Folio works on the files of a folder.</p>
      <div class="welcome-buttons">
        <Button kind="primary" onPress={() => act({ type: 'folder.open' })}>
          Open folder
        </Button>
      </div>
    </div>
  );
}

function Examples() {
  const { store } = usePanel();
  const fill = (text: string) => {
    store.draft.value = text;
    store.focusWishes.value++;
  };
  return (
    <div class="welcome">
      <p>Describe a task. Folio works in chapters, asks before it acts and shows every change.</p>
      <ul class="examples">
        {examples.map(example => (
          <li key={example}>
            <button type="button" class="link-button" onClick={() => fill(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
