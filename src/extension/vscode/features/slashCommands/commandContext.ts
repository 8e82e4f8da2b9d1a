/* Slash commands in a window. Loaded with the first one. */

import { commands, env, Uri, window, workspace } from 'vscode';
import type { Attachment } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import type { SessionEntry } from '../../../../protocol/panel/sessions.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { oneLine } from '../../../base/text.ts';
import { CommandError } from '../../../core/commandError.ts';
import type { SavedChats } from '../../../core/commands/chats.ts';
import type {
  CommandDialogs,
  CommandModels,
  CommandPrompt,
  CommandSession,
  CommandView,
  CommandViews,
  Confirmation,
  FormField,
  ListedEntry,
  ListedKind,
  RewindIntent,
} from '../../../core/commands/commands.ts';
import { describeSource } from '../../../core/commands/completeCommand.ts';
import { confirmationMarkdown } from '../../../core/commands/extensions/agree.ts';
import type { CommandTable } from '../../../core/commands/table/commandTable.ts';
import type { TemplateServices } from '../../../core/commands/template/templateSources.ts';
import { flattenSubCommands, formatCommandUsage } from '../../../core/commands/texts/describeCommands.ts';
import type { Session } from '../../../core/session/session.ts';
import { sessionTemplateServices } from '../../../core/session/sessionTemplateServices.ts';
import { parseModelName } from '../../../platform/modelNames.ts';
import { type WritableSettings, withEffort } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { ModelConnection } from '../../modelConnection.ts';
import type { PanelView } from '../../panel/panelView.ts';
import type { SessionLibrary } from '../../sessionLibrary.ts';
import type { ApprovalModeChanger } from '../approvalModeChanger.ts';
import type { WindowCustomizations } from '../customizations/windowCustomizations.ts';
import type { ReadOnlyTexts } from '../documents/readOnlyTexts.ts';
import { openDefiningFile } from '../openDefiningFile.ts';
import { openSettings } from '../openThings.ts';
import { notify } from '../report.ts';
import { type BugReportSources, collectBugReportFacts, openBugReport } from './bugReport.ts';
import { confirmTemplateCommands } from './confirmTemplateCommands.ts';
import { ProgressNotification } from './progressNotification.ts';

/** The user of the window, who is also asked about the commands of a template. */
export function windowCommandDialogs(texts: ReadOnlyTexts): CommandDialogs & Pick<TemplateServices, 'ask'> {
  const waiting = new ProgressNotification();
  return {
    show: (title, text) => texts.show(title, text),
    answer: notify,
    notify,
    confirm: question => waiting.pause(() => confirm(question, texts)),
    ask: question => waiting.pause(() => confirmTemplateCommands(question, texts)),
    fillForm,
    working: (title, work) => waiting.show(title, work),
    openFile: openDefiningFile,
    copyText: async text => {
      await env.clipboard.writeText(text);
      notify(t('The newest answer is on the clipboard.'));
    },
  };
}

/** @param takeAttachments returns attachments for a prompt that a command sends */
export function windowCommandSession(
  session: ActiveSession,
  library: SessionLibrary,
  modes: ApprovalModeChanger,
  { ask }: Pick<TemplateServices, 'ask'>,
  takeAttachments: () => readonly Attachment[],
): CommandSession {
  // A template that was filled for one session is sent to it, even if another is shown by then.
  let filledFor: Session | undefined;
  return {
    state: () => session.state,
    send: prompt => send(prompt, takeAttachments(), session, filledFor),
    setMode: mode => modes.change(mode),
    setModel: model => session.setModel(model),
    compress: async how => commands.executeCommand('folio.compressContext', how),
    startNew: () => session.startNew(),
    rewind: intent => rewind(intent, session),
    ...earlierSessions(library, session),
    template: async signal => {
      filledFor = await session.open();
      return sessionTemplateServices(filledFor, { signal, notify, ask });
    },
    addFolders: async paths => addFolders(paths),
    folderMemory: () => session.present?.environmentContext.memory.ofFolders ?? [],
  };
}

export function windowModels(
  connection: Pick<ModelConnection, 'models' | 'name' | 'others'>,
  settings: WritableSettings,
  resolve: (name: string) => string,
): CommandModels {
  return {
    known: () => connection.models,
    resolve,
    refuse: model => {
      const { provider, id } = parseModelName(model, connection.name, connection.others);
      return settings.restrictions?.refuseModel(provider, id);
    },
    setEffort: async (model, effort) => {
      await settings.change('effort', before => withEffort(before, model, effort));
    },
  };
}

export function windowCommandViews(
  table: CommandTable,
  panel: PanelView,
  session: ActiveSession,
  additions: Pick<WindowCustomizations, 'get'>,
  reported: BugReportSources,
): CommandViews {
  return {
    open: view => openView(view, panel),
    report: async title => {
      await openBugReport(reported, title);
    },
    showMemory: async () => commands.executeCommand('folio.showMemory'),
    showPage: async page => {
      await panel.show(page);
      return true;
    },
    showCommands: () => pickCommand(table, panel),
    about: () => collectBugReportFacts(reported),
    list: kind => list(kind, session, additions),
  };
}

function earlierSessions(
  library: SessionLibrary,
  session: ActiveSession,
): Pick<CommandSession, 'resume' | 'chats'> {
  return { resume: words => resume(words, library, session), chats: windowChats(library, session) };
}

/** Copies and names of sessions in the history. */
function windowChats(library: SessionLibrary, session: ActiveSession): SavedChats {
  return {
    list: () => library.named(),
    save: async name => library.copy((await session.open()).id, name),
    open: async ({ sessionId }) => {
      await session.switchTo(sessionId);
    },
    remove: async ({ sessionId }) => {
      // Resolves when the offer to undo is gone. Reports errors itself.
      void commands.executeCommand('folio.deleteSession', sessionId);
    },
  };
}

/** VS Code restarts its extensions when a single folder becomes several. The session is restored after that. */
function addFolders(paths: readonly string[]): void {
  const { length } = workspace.workspaceFolders ?? [];
  const isAdded = workspace.updateWorkspaceFolders(
    length,
    0,
    ...paths.map(path => ({ uri: Uri.file(path) })),
  );
  if (!isAdded)
    throw new CommandError(
      t('VS Code did not add the folder. Use “Workspaces: Add Folder to Workspace…” instead.'),
    );
  notify(t('{0}: now in the workspace. New sessions work there too.', paths.join(', ')));
}

/** Puts the picked command into the composer, to be sent or completed. */
async function pickCommand({ commands: all }: CommandTable, panel: PanelView): Promise<void> {
  const items = flattenSubCommands(all).map(command => ({
    label: oneLine(formatCommandUsage(command), 80),
    description: command.source ? describeSource(command.source) : '',
    detail: command.description,
    name: command.name,
  }));
  const picked = await window.showQuickPick(items, {
    title: t('Slash commands'),
    placeHolder: t('Tip: type / in the prompt'),
    matchOnDetail: true,
  });
  if (!picked) return;
  panel.feed.deliver({ type: 'composer.filled', text: `/${picked.name} `, attachments: [] });
  await panel.focus();
}

/** Views that open by commands of VS Code's palette. */
const palette: Readonly<Record<Exclude<CommandView, 'servers' | 'settings'>, string>> = {
  model: 'folio.selectModel',
  effort: 'folio.selectEffort',
  mode: 'folio.setApprovalMode',
  history: 'folio.showHistory',
  background: 'folio.runInBackground',
  rewind: 'folio.rewind',
  export: 'folio.exportSession',
  permissions: 'folio.showPermissions',
  hooks: 'folio.showHooks',
  connect: 'folio.connect',
  signOut: 'folio.clearApiKey',
};

async function openView(view: CommandView, panel: PanelView): Promise<void> {
  if (view === 'servers') await panel.show('mcp');
  else if (view === 'settings') await openSettings();
  else await commands.executeCommand(palette[view]);
}

async function rewind({ turnId, scope }: RewindIntent, session: ActiveSession): Promise<void> {
  await session.restore();
  await commands.executeCommand('folio.rewind', { kind: 'turn', turnId }, scope);
}

async function resume(words: string, library: SessionLibrary, session: ActiveSession): Promise<void> {
  const { sessions } = await library.list(words);
  const others = sessions.filter(({ sessionId }) => sessionId !== session.present?.id);
  const [only] = others;
  if (!only)
    throw new CommandError(
      t('No other session matches “{0}”. Use /resume to see all sessions.', oneLine(words, 60)),
    );
  const picked = others.length === 1 ? only.sessionId : await pickSession(others);
  if (picked !== undefined) await session.switchTo(picked);
}

async function pickSession(sessions: readonly SessionEntry[]): Promise<string | undefined> {
  const items = sessions.map(({ sessionId, title, changedAt, chapters }) => ({
    label: oneLine(title, 100),
    description: new Date(changedAt).toLocaleString(),
    detail: oneLine(chapters.join(' · '), 150),
    sessionId,
  }));
  const picked = await window.showQuickPick(items, {
    title: t('Continue with an earlier session'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.sessionId;
}

async function send(
  { shown, wording, attachments = [], model }: CommandPrompt,
  given: readonly Attachment[],
  session: ActiveSession,
  filledFor: Session | undefined,
): Promise<void> {
  const all = [...given, ...attachments];
  if (filledFor && session.present?.id !== filledFor.id) {
    await filledFor.submitPrompt(shown, all, 'next', wording);
    return;
  }
  const target = filledFor ?? (await session.open());
  const before = target.state.model;
  // A queued prompt is sent after another, whose model must not change.
  const changes = model !== undefined && model !== before && !target.busy;
  if (changes) target.setModel(model);
  try {
    await session.send(shown, all, wording);
  } finally {
    if (changes && target.state.model === model) target.setModel(before);
  }
}

async function list(
  kind: ListedKind,
  session: ActiveSession,
  additions: Pick<WindowCustomizations, 'get'>,
): Promise<readonly ListedEntry[]> {
  switch (kind) {
    case 'tool': {
      const { tools } = await session.open();
      return tools.map(({ name, description }) => ({ name, description }));
    }
    case 'skill': {
      const { skills } = await additions.get();
      return [...skills.entries.values()].map(({ name, description, source }) => {
        return { name, description, source: source === 'person' ? 'you' : source };
      });
    }
    case 'agent': {
      const { agents, agentDefinitions } = await additions.get();
      return [...agentDefinitions.values()].map(({ name, description }) => {
        return { name, description, source: agents.entries.has(name) ? undefined : 'Folio' };
      });
    }
  }
}

/** Characters that fit into a dialog. Longer text is shown in an editor. */
const longest = 1_200;
const maxLines = 25;

/** Shows the full text first, so that nobody agrees to what they have not seen. */
async function confirm(question: Confirmation, texts: ReadOnlyTexts): Promise<'yes' | 'no'> {
  const { sentence, button } = question;
  const text = escapeInvisibleText(question.text);
  const isWhole = text.length <= longest && text.split('\n').length <= maxLines;
  if (isWhole) {
    const answer = await window.showWarningMessage(sentence, { modal: true, detail: text }, button);
    return answer === button ? 'yes' : 'no';
  }
  await texts.show(t('To decide on'), confirmationMarkdown(question));
  const beside = `${sentence} ${t('What it means stands in the editor.')}`;
  return (await window.showWarningMessage(beside, button, t("Don't Run"))) === button ? 'yes' : 'no';
}

/** Shows one input after the other. Leaving one cancels the form. */
async function fillForm(
  title: string,
  fields: readonly FormField[],
): Promise<ReadonlyMap<string, string> | 'left'> {
  const answers = new Map<string, string>();
  for (const [index, { key, prompt, choices, findFault }] of fields.entries()) {
    const heading = fields.length > 1 ? t('{0} ({1} of {2})', title, index + 1, fields.length) : title;
    const answer = choices
      ? await window.showQuickPick([...choices], {
          title: heading,
          placeHolder: prompt,
          ignoreFocusOut: true,
        })
      : await window.showInputBox({
          title: heading,
          prompt,
          ignoreFocusOut: true,
          // Validated while typing, so that an error does not lose the other answers.
          validateInput: line => findFault?.(line.trim()),
        });
    if (answer === undefined) return 'left';
    answers.set(key, answer);
  }
  return answers;
}
