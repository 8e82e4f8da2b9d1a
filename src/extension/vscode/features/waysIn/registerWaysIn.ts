import {
  type Comment,
  type Diagnostic,
  languages,
  type SourceControlResourceState,
  type Uri,
  window,
} from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { once } from '../../../base/once.ts';
import type { Log } from '../../../platform/log.ts';
import type { Workbench } from '../../../platform/workbench.ts';
import { registerCommands } from '../commands.ts';
import { report } from '../report.ts';
import { PromptActions } from './promptActions.ts';
import type { PromptDoor } from './promptDoor.ts';
import type { Wishes } from './wishes.ts';

/** The ways from elsewhere in VS Code into the panel. What they do is loaded with the first that is taken. */
export function registerWaysIn(
  door: PromptDoor,
  workbench: Pick<Workbench, 'lastCommand'>,
  log: Log,
): Disposable {
  const store = new DisposableStore();
  const wishes = once(async () => {
    const { Wishes } = await import('./wishes.ts');
    return store.add(new Wishes(door, workbench));
  });
  const handleUri = (uri: Uri) =>
    wishes()
      .then(loaded => loaded.openLink(uri))
      .catch(error => report(log, t('The link could not be opened'), error));
  store.add(registerCommands(log, { ...editorCommands(wishes), ...viewCommands(wishes) }));
  store.add(window.registerUriHandler({ handleUri }));
  store.add(
    languages.registerCodeActionsProvider({ scheme: 'file' }, new PromptActions(), {
      providedCodeActionKinds: PromptActions.kinds,
    }),
  );
  return store;
}

function editorCommands(wishes: () => Promise<Wishes>) {
  return {
    'folio.addSelection': async () => (await wishes()).addSelection(),
    'folio.fixProblem': async (uri?: Uri, found?: readonly Diagnostic[]) =>
      (await wishes()).fixProblem(uri, found),
    'folio.explainProblem': async (uri?: Uri, found?: readonly Diagnostic[]) =>
      (await wishes()).explainProblem(uri, found),
    'folio.addProblem': async (uri?: Uri, found?: readonly Diagnostic[]) =>
      (await wishes()).addProblem(uri, found),
    'folio.editSelection': async () => (await wishes()).editSelection(),
    'folio.editSelection.send': async (written: Comment) => (await wishes()).sendEdit(written),
    'folio.editSelection.close': async () => (await wishes()).closeEdit(),
    'folio.explainSelection': async () => (await wishes()).askAboutSelection('explain'),
    'folio.writeTests': async () => (await wishes()).askAboutSelection('test'),
    'folio.documentSelection': async () => (await wishes()).askAboutSelection('document'),
  };
}

function viewCommands(wishes: () => Promise<Wishes>) {
  return {
    'folio.send': async (given: unknown) => (await wishes()).send(given),
    'folio.addFiles': async (uri?: Uri, uris?: readonly Uri[]) => (await wishes()).addFiles(uri, uris),
    'folio.fixTerminal': async () => (await wishes()).fixTerminal(),
    'folio.addTerminalSelection': async () => (await wishes()).addTerminalSelection(),
    'folio.reviewChanges': async () => (await wishes()).reviewChanges(),
    'folio.resolveConflicts': async (...states: SourceControlResourceState[]) =>
      (await wishes()).resolveConflicts(states),
    'folio.fixStopped': async () => (await wishes()).fixStopped(),
    'folio.fixTest': async (given: unknown) => (await wishes()).fixTest(given),
  };
}
