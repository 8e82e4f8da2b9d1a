/* Slash commands of a prompt, and their interfaces to the window or a script. */

import type { ApprovalMode, Attachment, RewindScope } from '../../../protocol/intentions.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { ExtensionFolders } from '../../platform/customizations/extensionFolders.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Effort } from '../../platform/settings.ts';
import type { Inbox } from '../context/inbox/inbox.ts';
import type { MemoryBlock } from '../context/memory.ts';
import type { MemorySources } from '../context/memoryPlace.ts';
import type { LoadedCustomizations } from '../customizations/loadedCustomizations.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { Skill } from '../skills/skills.ts';
import type { SavedChats } from './chats.ts';
import type { ComparisonAccess } from './comparisonAccess.ts';
import type { CustomCommand } from './custom/customCommand.ts';
import type { ServerAccess } from './serverAccess.ts';
import type { TemplateServices } from './template/templateSources.ts';
import type { WorktreeAccess } from './worktreeAccess.ts';

export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** One line, for a list. */
  readonly description: string;
  /** Describes the argument in a word or two; absent: the command takes none. */
  readonly argument?: string;
  /** Other names, which completion does not offer. */
  readonly aliases?: readonly string[];
  /** Subcommands; absent: none. */
  readonly words?: readonly SlashSubCommand[];
  /** Values of the argument, for completion. */
  readonly values?: (models: readonly KnownModel[]) => readonly ArgumentValue[];
  /** Tells when the command needs a model; absent: never. */
  readonly asksModel?: 'always' | 'withArgument';
  /** Where the command comes from; absent: Folio itself. */
  readonly source?: CommandSource;
  /** Rejects with a `CommandError` if it cannot be carried out; then nothing has happened. */
  readonly run: (surface: CommandContext, argument: string) => Promise<unknown>;
}

export type ArgumentValue = Pick<Command, 'name' | 'description'>;

/** A word after a command's name, such as `add` in `/memory add`. */
export type SlashSubCommand = Pick<
  Command,
  'name' | 'aliases' | 'description' | 'argument' | 'words' | 'run'
>;

export type CommandSource =
  | { readonly kind: 'person' | 'workspace' }
  | { readonly kind: 'extension' | 'server'; readonly name: string };

/** A page or dialog for the user. */
export type CommandView =
  | 'model'
  | 'effort'
  | 'mode'
  | 'servers'
  | 'history'
  | 'rewind'
  | 'export'
  | 'permissions'
  | 'hooks'
  | 'settings'
  | 'connect'
  | 'background'
  | 'signOut';

/** A rewind to before the prompt of this number, from 1. */
export interface RewindIntent {
  readonly number: number;
  readonly turnId: string;
  /** Absent: asks the user if possible, else rewinds both. */
  readonly scope: RewindScope | undefined;
}

/** The environment of commands. The window and a script each implement it. */
export interface CommandContext {
  readonly user: CommandDialogs;
  readonly session: CommandSession;
  readonly models: CommandModels;
  readonly views: CommandViews;
  readonly installed: CommandResources;
  readonly files: CommandFiles;
  readonly place: () => MemorySources;
}

/** Messages and questions to the user who typed the command. */
export interface CommandDialogs {
  /** Shows a Markdown text. */
  show(title: string, text: string): Promise<unknown>;
  /** Shows a sentence that is the command's result. */
  answer(sentence: string): void;
  /** Shows a sentence without interrupting. */
  notify(sentence: string): void;
  /** Asks the user to confirm; `nobody`: no user can answer, but the text was shown. */
  confirm(question: Confirmation): Promise<'yes' | 'no' | 'nobody'>;
  /** Asks for missing values; `left`: the user cancelled, `nobody`: no user is present. Returns answers by key. */
  fillForm(
    title: string,
    fields: readonly FormField[],
  ): Promise<ReadonlyMap<string, string> | 'left' | 'nobody'>;
  /** Runs work that may take time, with a way to cancel it. */
  working<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  openFile(path: string): Promise<unknown>;
  copyText(text: string): Promise<unknown>;
}

/** The shown session, and access to others. */
export interface CommandSession {
  state(): SessionState;
  send(prompt: CommandPrompt): Promise<unknown>;
  setMode(mode: ApprovalMode): Promise<unknown>;
  setModel(model: string): Promise<unknown>;
  /** Summarises the oldest part of the session. Without a user, both ways are the same. */
  compress(how: 'proposed' | 'applied'): Promise<unknown>;
  startNew(): Promise<unknown>;
  /** Continues the earlier session that these words name. */
  resume(words: string): Promise<unknown>;
  rewind(intent: RewindIntent): Promise<unknown>;
  readonly chats: SavedChats;
  /** Sources that fill a template. Absent: prompts from templates cannot be sent here. */
  template(signal: AbortSignal): Promise<TemplateServices | undefined>;
  /** Adds folders to the session and tells the user. The paths are absolute and exist. */
  addFolders(paths: readonly string[]): Promise<unknown>;
  /** Instruction files of folders that came with results of the session. */
  folderMemory(): readonly MemoryBlock[];
}

export interface CommandModels {
  /** Known models to choose from. */
  known(): readonly KnownModel[];
  /** Resolves an alias such as `flash` to an id. Any other name counts as an id. */
  resolve(name: string): string;
  /** Returns why the organisation forbids a model; absent or `undefined`: it is allowed. */
  refuse?(model: string): string | undefined;
  /** Stores a model's thinking effort; `undefined`: the general setting, or the model, decides. */
  setEffort(model: string, effort: Effort | undefined): Promise<unknown>;
}

export interface KnownModel {
  readonly id: string;
  readonly label: string;
  /** Supported efforts, lowest first; absent: no choice. */
  readonly efforts?: readonly Effort[] | undefined;
}

/** Pages and dialogs for the user, and their content. */
export interface CommandViews {
  /** Opens it, or tells what to do instead. */
  open(view: CommandView): Promise<unknown>;
  /** Writes the facts for a bug report. @param title may be empty */
  report(title: string): Promise<unknown>;
  showMemory(): Promise<unknown>;
  /** Opens a page of the panel. Returns false if there is no panel. */
  showPage(page: 'inbox' | 'mcp'): Promise<boolean>;
  showCommands(): Promise<unknown>;
  about(): AboutFacts;
  /** Lists tools, skills or agents as the model has them now. */
  list(kind: ListedKind): Promise<readonly ListedEntry[]>;
}

/** Access for commands about extensions, servers, hooks and so on. Each is loaded on first use. */
export interface CommandResources {
  extensions(): Promise<ExtensionAccess>;
  servers(): Promise<ServerAccess>;
  hooks(): Promise<Pick<Hooks, 'list' | 'refresh'>>;
  inbox(): Promise<Inbox>;
  worktrees(): Promise<WorktreeAccess>;
  comparisons(): Promise<ComparisonAccess>;
}

export interface AboutFacts {
  readonly version: string;
  /** The editor and its version, or a word for "none". */
  readonly host: string;
  readonly system: string;
  readonly provider: string;
  /** Empty: none is chosen. */
  readonly model: string;
  readonly trusted: boolean;
  /** Names of settings that an organisation set. */
  readonly managed: readonly string[];
}

export interface Confirmation {
  /** A sentence about what would be done. */
  readonly sentence: string;
  /** Details of the effect. */
  readonly text: string;
  readonly button: string;
}

export interface FormField {
  readonly key: string;
  /** A phrase without a full stop. */
  readonly prompt: string;
  /** The possible answers; absent: any line. */
  readonly choices?: readonly string[];
  /** Returns a sentence if the line is not a valid answer. */
  readonly findFault?: (line: string) => Promise<string | undefined>;
}

export type NameCommands = (
  custom: readonly CustomCommand[],
  skills: readonly Skill[],
) => ReadonlyMap<string, string>;

/** Returns the names under which the model calls tools of servers, in the given order. */
export type NameTools = (
  tools: readonly { readonly server: string; readonly tool: string }[],
) => readonly string[];

export interface ExtensionAccess {
  readonly folders: ExtensionFolders;
  readonly additions: LoadedCustomizations;
  /** Returns the names of file-based commands among all commands, by path. */
  readonly nameCommands: NameCommands;
  readonly nameTools: NameTools;
  /** Absolute path of the user's home folder. */
  readonly home: string;
}

type CommandFiles = Pick<FileSystem, 'stat' | 'realPath' | 'readText' | 'writeText'>;

export interface CommandPrompt {
  /** The text that the user sees. */
  readonly shown: string;
  /** The text that the model reads instead. */
  readonly wording?: string;
  readonly attachments?: readonly Attachment[];
  /** The model for this prompt only. */
  readonly model?: string;
}

export type ListedKind = 'tool' | 'skill' | 'agent';

/** A tool, skill or agent in a list for the user. */
export interface ListedEntry {
  readonly name: string;
  readonly description: string;
  /** Where it comes from, in a few words. */
  readonly source?: string;
}
