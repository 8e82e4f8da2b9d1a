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
import { reportFailure } from '../report.ts';
import { PromptActions } from './promptActions.ts';
import type { PromptEntryPoints } from './promptEntryPoints.ts';
import type { PromptSender } from './promptSender.ts';

/** Commands elsewhere in VS Code that lead into the panel. Their code is loaded on first use. */
export function registerEntryPoints(
  door: PromptSender,
  workbench: Pick<Workbench, 'lastCommand'>,
  log: Log,
): Disposable {
  const store = new DisposableStore();
  const intents = once(async () => {
    const { PromptEntryPoints } = await import('./promptEntryPoints.ts');
    return store.add(new PromptEntryPoints(door, workbench));
  });
  const handleUri = (uri: Uri) =>
    intents()
      .then(loaded => loaded.openLink(uri))
      .catch(error => reportFailure(log, t('The link could not be opened'), error));
  store.add(registerCommands(log, { ...editorCommands(intents), ...viewCommands(intents) }));
  store.add(window.registerUriHandler({ handleUri }));
  store.add(
    languages.registerCodeActionsProvider({ scheme: 'file' }, new PromptActions(), {
      providedCodeActionKinds: PromptActions.kinds,
    }),
  );
  return store;
}

function editorCommands(intents: () => Promise<PromptEntryPoints>) {
  return {
    'folio.addSelection': async () => (await intents()).addSelection(),
    'folio.fixProblem': async (uri?: Uri, found?: readonly Diagnostic[]) =>
      (await intents()).fixProblem(uri, found),
    'folio.explainProblem': async (uri?: Uri, found?: readonly Diagnostic[]) =>
      (await intents()).explainProblem(uri, found),
    'folio.addProblem': async (uri?: Uri, found?: readonly Diagnostic[]) =>
      (await intents()).addProblem(uri, found),
    'folio.editSelection': async () => (await intents()).editSelection(),
    'folio.editSelection.send': async (written: Comment) => (await intents()).sendEdit(written),
    'folio.editSelection.close': async () => (await intents()).closeEdit(),
    'folio.explainSelection': async () => (await intents()).askAboutSelection('explain'),
    'folio.writeTests': async () => (await intents()).askAboutSelection('test'),
    'folio.documentSelection': async () => (await intents()).askAboutSelection('document'),
  };
}

function viewCommands(intents: () => Promise<PromptEntryPoints>) {
  return {
    'folio.send': async (given: unknown) => (await intents()).send(given),
    'folio.addFiles': async (uri?: Uri, uris?: readonly Uri[]) => (await intents()).addFiles(uri, uris),
    'folio.fixTerminal': async () => (await intents()).fixTerminal(),
    'folio.addTerminalSelection': async () => (await intents()).addTerminalSelection(),
    'folio.reviewChanges': async () => (await intents()).reviewChanges(),
    'folio.resolveConflicts': async (...states: SourceControlResourceState[]) =>
      (await intents()).resolveConflicts(states),
    'folio.fixStopped': async () => (await intents()).fixStopped(),
    'folio.fixTest': async (given: unknown) => (await intents()).fixTest(given),
  };
}
