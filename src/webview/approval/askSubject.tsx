import { showHidden } from '../../extension/base/hiddenText.ts';
import type { Ask, AskSubject } from '../../protocol/asks.ts';
import { modeWords } from '../../protocol/words/modeWords.ts';
import { usePanel } from '../panel/panel.ts';
import { DiffLines } from '../review/diffLines.tsx';
import { Command } from '../ui/output.tsx';
import { AskedCommands } from './askedCommands.tsx';
import { partReasons } from './askWords.ts';

/** What would happen. Questions and plans have cards of their own. */
export function Subject({ ask }: { readonly ask: Ask }) {
  const { subject } = ask;
  const { commands } = partReasons(ask);
  switch (subject.kind) {
    case 'edit':
      return <DiffLines diff={subject.diff} limit={12} />;
    case 'command':
      return (
        <>
          <Command command={showHidden(subject.command)} />
          <Where subject={subject} />
          {commands.length > 0 && <AskedCommands commands={commands} />}
        </>
      );
    case 'fetch':
      return <Places places={subject.urls} />;
    case 'read':
      return <Places places={subject.paths} />;
    case 'mode': {
      const mode = modeWords.find(({ value }) => value === subject.mode);
      return (
        <p>
          Mode {mode?.label ?? subject.mode}: {mode?.hint}.
        </p>
      );
    }
    case 'other':
      return <p class="ask-detail">{showHidden(subject.detail)}</p>;
    case 'questions':
    case 'plan':
      return null;
  }
}

/** Commands run in the workspace's folder: only another one is worth a line. */
function Where({ subject }: { readonly subject: Extract<AskSubject, { kind: 'command' }> }) {
  const { store } = usePanel();
  const { cwd, background } = subject;
  const { folders } = store.surroundings.value ?? {};
  const isUsual = cwd === '.' || (folders?.length === 1 && cwd === folders[0]);
  const words = [!isUsual && `in ${showHidden(cwd)}`, background && 'stays in the background'];
  const text = words.filter(Boolean).join(', ');
  return text === '' ? null : (
    <div class="ask-where ellipsis" title={cwd}>
      {text}
    </div>
  );
}

function Places({ places }: { readonly places: readonly string[] }) {
  return (
    <ul class="ask-places">
      {places.map(place => (
        <li key={place}>{showHidden(place)}</li>
      ))}
    </ul>
  );
}
