/* A surface that records what commands do, and a table of commands. */

import type {
  CommandContext,
  CommandDialogs,
  CommandModels,
  CommandResources,
  CommandSession,
  CommandViews,
} from '../../src/extension/core/commands/commands.ts';
import {
  type CommandTable,
  makeTable,
  type TableSources,
} from '../../src/extension/core/commands/table/commandTable.ts';
import {
  asksModel,
  runCommand as carryOut,
  parseCommand,
} from '../../src/extension/core/commands/table/parseCommand.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { emptySession } from '../../src/protocol/state.ts';

export const advice = { trust: 'trust it', letCount: 'let it count' };

export function tableWith(parts: Partial<TableSources> = {}): CommandTable {
  return makeTable({ custom: [], listed: [], trusted: true, advice, ...parts });
}

/** Members of the surface that a test can replace. */
export type SurfaceMembers = CommandDialogs &
  CommandSession &
  CommandModels &
  CommandViews &
  CommandResources &
  Pick<CommandContext, 'files' | 'place'>;

/** Runs a command. Returns its messages and prompts in order, and the reason of a refusal last. */
export async function runCommand(
  text: string,
  table: CommandTable,
  around: Partial<SurfaceMembers> = {},
): Promise<readonly unknown[]> {
  const did: unknown[] = [];
  const note = (what: string) => async () => void did.push(what);
  const parsed = parseCommand(text, table);
  const noteForModel = async (what: unknown) => {
    if (!asksModel(parsed)) throw new Error(`${text} asks a model and does not say so.`);
    did.push(what);
  };
  const all: SurfaceMembers = {
    compress: () => noteForModel('compress'),
    startNew: note('new session'),
    showMemory: note('memory'),
    showPage: async () => false,
    showCommands: note('commands'),
    open: async view => void did.push(`open ${view}`),
    show: async (title, shown) => void did.push(title, shown),
    resume: async words => void did.push(`resume ${words}`),
    send: noteForModel,
    setMode: async mode => void did.push(`mode ${mode}`),
    setModel: async model => void did.push(`model ${model}`),
    known: () => [
      { id: 'fast-1', label: 'Fast One', efforts: ['low', 'high'] },
      { id: 'fast-2', label: 'Fast Two' },
      { id: 'strong-1', label: 'Strong One' },
    ],
    setEffort: async (model, effort) => void did.push(`effort of ${model}: ${effort}`),
    resolve: name => (name === 'quick' ? 'fast-1' : name),
    state: () => emptySession,
    list: async () => [],
    template: async () => undefined,
    working: (_title, work) => work(new AbortController().signal),
    confirm: async () => 'nobody',
    fillForm: async () => 'nobody',
    openFile: async path => void did.push(`open ${path}`),
    extensions: () => Promise.reject(new Error('There are no extensions here.')),
    worktrees: () => Promise.reject(new Error('There are no worktrees here.')),
    comparisons: () => Promise.reject(new Error('Nothing is compared here.')),
    notify: sentence => void did.push(sentence),
    answer: sentence => void did.push(sentence),
    chats: {
      list: async () => [],
      save: async name => void did.push(`save ${name}`),
      open: async ({ name }) => void did.push(`continue with ${name}`),
      remove: async ({ name }) => void did.push(`delete ${name}`),
    },
    rewind: async ({ number, scope }) => void did.push(`rewind to ${number}, ${scope}`),
    copyText: async text => void did.push(`copy ${text}`),
    addFolders: async paths => void did.push(`add ${paths.join(', ')}`),
    about: () => ({
      version: '1.2.3',
      host: 'an editor',
      system: 'a system',
      provider: 'gemini',
      model: 'strong-1',
      trusted: true,
      managed: ['sandbox'],
    }),
    folderMemory: () => [],
    hooks: async () => ({ list: async () => [], refresh: async () => {} }),
    report: async title => void did.push(`report ${title}`),
    inbox: async () => {
      throw new Error('There is no inbox here.');
    },
    servers: async () => {
      throw new Error('No servers can be changed here.');
    },
    files: new NodeFileSystem(),
    place: () => ({ home: '/home', extra: [], trusted: true, folders: [], names: [] }),
    ...around,
  };
  if (parsed.kind !== 'command') return parsed.kind === 'refused' ? [parsed.sentence] : ['a prompt'];
  const surface = { user: all, session: all, models: all, views: all, installed: all };
  const refusal = await carryOut(
    parsed.command,
    { ...surface, files: all.files, place: all.place },
    parsed.argument,
  );
  return refusal === undefined ? did : [...did, refusal];
}
