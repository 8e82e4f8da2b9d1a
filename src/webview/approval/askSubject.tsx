import type { Ask } from '../../protocol/asks.ts';
import { modes } from '../composer/pickers.tsx';
import { DiffLines } from '../review/diffLines.tsx';
import { Command } from '../transcript/calls/callDetail.tsx';
import { AskedCommands } from './askedCommands.tsx';
import { dangersOf } from './askWords.ts';
import { visibleText } from './visibleText.ts';

/** What would happen. Questions and plans have cards of their own. */
export function Subject({ ask }: { readonly ask: Ask }) {
  const { subject, commands = [] } = ask;
  switch (subject.kind) {
    case 'edit':
      return <DiffLines diff={subject.diff} limit={12} />;
    case 'command':
      return (
        <>
          <Command command={visibleText(subject.command)} />
          <div class="ask-where ellipsis" title={subject.cwd}>
            in {visibleText(subject.cwd)}
            {subject.background && ', stays in the background'}
          </div>
          {(commands.length > 1 || dangersOf(ask).length > 0) && <AskedCommands commands={commands} />}
        </>
      );
    case 'fetch':
      return <Places places={subject.urls} />;
    case 'read':
      return <Places places={subject.paths} />;
    case 'mode': {
      const mode = modes.find(({ value }) => value === subject.mode);
      return (
        <p>
          Mode {mode?.label ?? subject.mode}: {mode?.hint}.
        </p>
      );
    }
    case 'other':
      return <p class="ask-detail">{visibleText(subject.detail)}</p>;
    case 'questions':
    case 'plan':
      return null;
  }
}

function Places({ places }: { readonly places: readonly string[] }) {
  return (
    <ul class="ask-places">
      {places.map(place => (
        <li key={place}>{visibleText(place)}</li>
      ))}
    </ul>
  );
}
