/* What commands of the prompt do in a window. Loaded with the first of them. */

import { commands, env, Uri, window, workspace } from 'vscode';
import type { Attachment } from '../../../../protocol/events.ts';
import { oneLine } from '../../../base/text.ts';
import type { Chats } from '../../../core/commands/chats.ts';
import {
  type CommandPrompt,
  type CommandSurface,
  type CommandView,
  type ListedKind,
  type ListedThing,
  type Refusal,
  refuse,
} from '../../../core/commands/commands.ts';
import { describeSource } from '../../../core/commands/completeCommand.ts';
import type { CommandTable } from '../../../core/commands/table/commandTable.ts';
import type { CommandQuestion } from '../../../core/commands/template/templateSources.ts';
import { callOf, withWords } from '../../../core/commands/texts/describeCommands.ts';
import type { Session } from '../../../core/session/session.ts';
import { sessionWork } from '../../../core/session/sessionWork.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { openSource } from '../openSource.ts';
import { openSettings } from '../openThings.ts';
import { askCommands } from './askCommands.ts';
import { aboutWindow, writeReport } from './bugReport.ts';
import { confirm } from './confirm.ts';
import { fillForm } from './fillForm.ts';
import type { PromptCommandParts } from './promptCommands.ts';
import { WorkNotice } from './workNotice.ts';

/** @param takeAttachments what goes along with a prompt that a command sends */
export function windowSurface(
  parts: PromptCommandParts,
  table: CommandTable,
  takeAttachments: () => readonly Attachment[],
): CommandSurface {
  const { session, panel, modes, connection, texts, files, place } = parts;
  // What was filled for a session goes to that one, whichever is shown by then.
  let filledFor: Session | undefined;
  const waiting = new WorkNotice();
  return {
    files,
    place,
    compress: async () => commands.executeCommand('folio.compressContext'),
    startNewSession: () => session.startNew(),
    showMemory: async () => commands.executeCommand('folio.showMemory'),
    showCommands: () => pickCommand(table, panel),
    open: view => openView(view, parts),
    show: (title, text) => texts.show(title, text),
    resume: words => resume(words, parts),
    chats: windowChats(parts),
    rewind: async ({ turnId, scope }) => {
      await session.restore();
      await commands.executeCommand('folio.rewind', { kind: 'turn', turnId }, scope);
      return undefined;
    },
    copyText: async text => {
      await env.clipboard.writeText(text);
      tell('The newest answer is on the clipboard.');
      return undefined;
    },
    addFolders: async paths => addFolders(paths),
    about: () => aboutWindow(parts),
    folderMemory: () => session.present?.folderMemory ?? [],
    answer: tell,
    send: prompt => send(prompt, takeAttachments(), parts, filledFor),
    setMode: mode => modes.change(mode),
    setModel: model => session.setModel(model),
    models: () => connection.models,
    resolveModel: name => parts.resolveModel(name),
    state: () => session.state,
    list: kind => list(kind, parts),
    template: async signal => {
      filledFor = await session.open();
      const ask = (question: CommandQuestion) => waiting.pause(() => askCommands(question, texts));
      return sessionWork(filledFor, { signal, tell, ask });
    },
    working: (title, work) => waiting.show(title, work),
    confirm: question => waiting.pause(() => confirm(question, texts)),
    fillForm,
    openFile: openSource,
    servers: parts.serverAccess,
    extensions: async () => {
      const [folders, additions] = await Promise.all([parts.extensionFolders(), parts.additions.get()]);
      return { folders, additions, home: parts.home };
    },
    tell,
  };
}

function tell(sentence: string): void {
  void window.showInformationMessage(sentence);
}

/** Copies and names are sessions of the history. */
function windowChats({ library, session }: PromptCommandParts): Chats {
  return {
    list: () => library.named(),
    save: async name => library.copy((await session.open()).id, name),
    open: async ({ sessionId }) => {
      await session.switchTo(sessionId);
      return undefined;
    },
    remove: async ({ sessionId }) => {
      // It resolves when the offer to undo it is gone, and tells of its own trouble.
      void commands.executeCommand('folio.deleteSession', sessionId);
      return undefined;
    },
  };
}

/** VS Code starts its extensions anew where one folder becomes several; the session is there again after that. */
function addFolders(paths: readonly string[]): Refusal | undefined {
  const { length } = workspace.workspaceFolders ?? [];
  const isAdded = workspace.updateWorkspaceFolders(
    length,
    0,
    ...paths.map(path => ({ uri: Uri.file(path) })),
  );
  if (!isAdded)
    return refuse('VS Code did not add the folder. Use “Workspaces: Add Folder to Workspace…” instead.');
  tell(`${paths.join(', ')}: in the workspace now. Sessions that begin from here on work there, too.`);
  return undefined;
}

/** The one that is picked stands in the composer, to be sent or gone on with. */
async function pickCommand({ commands: all }: CommandTable, panel: PanelView): Promise<void> {
  const items = withWords(all).map(command => ({
    label: oneLine(callOf(command), 80),
    description: command.source ? describeSource(command.source) : '',
    detail: command.description,
    name: command.name,
  }));
  const picked = await window.showQuickPick(items, {
    title: 'Commands of the prompt',
    placeHolder: 'Type / in the prompt to get here faster',
    matchOnDetail: true,
  });
  if (!picked) return;
  panel.feed.deliver({ type: 'composer.filled', text: `/${picked.name} `, attachments: [] });
  await panel.focus();
}

/** What VS Code's palette has is opened as from there. */
const palette: Readonly<Record<Exclude<CommandView, 'servers' | 'report' | 'settings'>, string>> = {
  model: 'folio.selectModel',
  mode: 'folio.setApprovalMode',
  history: 'folio.showHistory',
  rewind: 'folio.rewind',
  export: 'folio.exportSession',
  permissions: 'folio.showPermissions',
  hooks: 'folio.showHooks',
  connect: 'folio.connect',
  signOut: 'folio.clearApiKey',
};

async function openView(view: CommandView, parts: PromptCommandParts): Promise<undefined> {
  if (view === 'servers') await parts.panel.show('mcp');
  else if (view === 'report') await writeReport(parts);
  else if (view === 'settings') await openSettings();
  else await commands.executeCommand(palette[view]);
}

async function resume(words: string, { library, session }: PromptCommandParts): Promise<Refusal | undefined> {
  const { sessions } = await library.list(words);
  const others = sessions.filter(({ sessionId }) => sessionId !== session.present?.id);
  const [only] = others;
  if (!only)
    return refuse(`No other session has the words “${oneLine(words, 60)}”. Use /resume alone to see all.`);
  if (others.length === 1) {
    await session.switchTo(only.sessionId);
    return undefined;
  }
  const items = others.map(({ sessionId, title, changedAt, chapters }) => ({
    label: oneLine(title, 100),
    description: new Date(changedAt).toLocaleString(),
    detail: oneLine(chapters.join(' · '), 150),
    sessionId,
  }));
  const picked = await window.showQuickPick(items, {
    title: 'Go on with an earlier session',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked) await session.switchTo(picked.sessionId);
  return undefined;
}

async function send(
  { shown, wording, attachments = [], model }: CommandPrompt,
  given: readonly Attachment[],
  { session }: PromptCommandParts,
  filledFor: Session | undefined,
): Promise<void> {
  const all = [...given, ...attachments];
  if (filledFor && session.present?.id !== filledFor.id) {
    await filledFor.queue(shown, all, 'next', wording);
    return;
  }
  const target = filledFor ?? (await session.open());
  const before = target.state.model;
  // What waits is sent when another prompt is done, and must not change the model of that one.
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
  { session, additions }: PromptCommandParts,
): Promise<readonly ListedThing[]> {
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
      const { agents, agentKinds } = await additions.get();
      return [...agentKinds.values()].map(({ name, description }) => {
        return { name, description, source: agents.entries.has(name) ? undefined : 'Folio' };
      });
    }
  }
}
