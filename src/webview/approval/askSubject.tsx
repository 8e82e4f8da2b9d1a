import { escapeInvisibleText } from '../../extension/base/hiddenText.ts';
import type { Ask, AskSubject } from '../../protocol/asks.ts';
import { t } from '../../protocol/language.ts';
import type { AskedCommand } from '../../protocol/permissions.ts';
import { modeWords } from '../../protocol/words/modeWords.ts';
import { usePanel } from '../panel/panel.ts';
import { usePathLabels } from '../panel/pathLabels.ts';
import { DiffLines } from '../review/diffLines.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { CommandText, useScrollTabStop } from '../ui/output.tsx';
import { arrangeReasons } from './askWords.ts';

/** Shows the subject of an ask. Questions and plans have their own cards. */
export function AskSubjectView({ ask }: { readonly ask: Ask }) {
  const { subject } = ask;
  const { commands } = arrangeReasons(ask);
  switch (subject.kind) {
    case 'edit':
      return <DiffLines diff={subject.diff} limit={12} />;
    case 'command':
      return (
        <>
          <CommandText command={escapeInvisibleText(subject.command)} />
          <Where subject={subject} />
          {commands.length > 0 && <AskedCommands commands={commands} />}
        </>
      );
    case 'connect':
      return (
        <>
          <CommandText command={escapeInvisibleText(subject.command)} />
          {subject.hosts.length > 1 && <Places places={subject.hosts} />}
        </>
      );
    case 'fetch':
      return <Places places={subject.urls} />;
    case 'read':
      return <Places places={subject.paths} />;
    case 'mode': {
      const mode = modeWords().find(({ value }) => value === subject.mode);
      return <p>{t('Mode {0}: {1}.', mode?.label ?? subject.mode, mode?.hint ?? '')}</p>;
    }
    case 'other':
      return <p class="ask-detail">{escapeInvisibleText(subject.detail)}</p>;
    case 'questions':
    case 'plan':
      return null;
  }
}

/** Says how a command runs, and how its changes are tracked. */
export function Consequences({ ask }: { readonly ask: Ask }) {
  const { subject } = ask;
  if (subject.kind !== 'command') return null;
  return (
    <>
      {subject.walls && (
        <p class="ask-aftermath quiet">{escapeInvisibleText(t('It runs {0}.', subject.walls))}</p>
      )}
      {mayWrite(ask) && <p class="ask-aftermath quiet">{t('You can review any files it changes.')}</p>}
    </>
  );
}

/** Returns true for a command that may write, and is tracked to its end. */
function mayWrite({ subject, commands = [] }: Ask): boolean {
  if (subject.kind !== 'command' || subject.background) return false;
  return commands.length === 0 || commands.some(({ verdict }) => verdict !== 'reads');
}

/** Shows the folder of a command if it is not the workspace folder. */
function Where({ subject }: { readonly subject: Extract<AskSubject, { kind: 'command' }> }) {
  const { store } = usePanel();
  const { cwd, background, terminal } = subject;
  const { folders = [] } = store.environment.value ?? {};
  const labels = usePathLabels();
  const where = labels.shown(cwd);
  const isUsual = folders.length < 2 && (cwd === '.' || cwd === folders[0]);
  const words = [
    !isUsual && t('in {0}', escapeInvisibleText(where)),
    background && t('stays in the background'),
    terminal === 'wanted' && t('in a terminal, where you answer it'),
  ];
  const text = words.filter(Boolean).join(', ');
  return text === '' ? null : (
    <div class="ask-where ellipsis quiet" title={where}>
      {text}
    </div>
  );
}

function Places({ places }: { readonly places: readonly string[] }) {
  return (
    <ul class="ask-places">
      {places.map(place => (
        <li key={place}>{escapeInvisibleText(place)}</li>
      ))}
    </ul>
  );
}

/** Lists each command of a line, since a pipe can hide the important one. */
function AskedCommands({ commands }: { readonly commands: readonly AskedCommand[] }) {
  return (
    <ul
      ref={useScrollTabStop<HTMLUListElement>()}
      class="asked-commands"
      aria-label={t('Commands in this line')}
    >
      {commands.map(({ text, verdict, reason }, index) => (
        <li key={index} class={`asked-command ${verdict}`}>
          <Icon name={verdicts()[verdict].icon} />
          <div>
            <code>{escapeInvisibleText(text)}</code>
            <p class="quiet">
              <span class="verdict bold">{verdicts()[verdict].word}</span>
              {reason && ` · ${reason}`}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

const verdicts = (): Readonly<
  Record<AskedCommand['verdict'], { readonly icon: IconName; readonly word: string }>
> => ({
  reads: { icon: 'check', word: t('Reads') },
  unknown: { icon: 'question', word: t('Unknown') },
  dangerous: { icon: 'warning', word: t('Dangerous') },
});
