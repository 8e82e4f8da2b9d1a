/* Slash commands of a prompt, and what they work with. */

import type { ApprovalMode, Attachment, RewindScope } from '../../../protocol/intentions.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { ExtensionFolders } from '../../platform/customizations/extensionFolders.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Effort } from '../../platform/settings.ts';
import type { Inbox } from '../context/inbox/inbox.ts';
import type { MemoryBlock } from '../context/memory.ts';
import type { MemoryPlace } from '../context/memoryPlace.ts';
import type { Additions } from '../customizations/additions.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { Skill } from '../skills/skills.ts';
import type { Chats } from './chats.ts';
import type { ComparisonAccess } from './comparisonAccess.ts';
import type { CustomCommand } from './custom/customCommand.ts';
import type { ServerAccess } from './serverAccess.ts';
import type { TemplateWork } from './template/templateSources.ts';
import type { WorktreeAccess } from './worktreeAccess.ts';

export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** One line, for a list. */
  readonly description: string;
  /** Describes the argument in a word or two; absent: the command takes none. */
  readonly argument?: string;
  /** Other names, which are not offered. */
  readonly aliases?: readonly string[];
  /** Words that may follow first; absent: nothing has a name of its own. */
  readonly words?: readonly SubCommand[];
  /** Values of the argument, for the completion. */
  readonly values?: (models: readonly KnownModel[]) => readonly ArgumentValue[];
  /** Says whether the command needs a model; absent: it works without one. */
  readonly asksModel?: 'always' | 'withArgument';
  /** The source that brings the command; absent: Folio itself. */
  readonly source?: CommandSource;
  /** Rejects with a `Refusal` when it cannot be carried out; then nothing has happened. */
  readonly run: (surface: CommandSurface, argument: string) => Promise<unknown>;
}

export type ArgumentValue = Pick<Command, 'name' | 'description'>;

/** One word behind a command's name, as `add` in `/memory add`. */
export type SubCommand = Pick<Command, 'name' | 'aliases' | 'description' | 'argument' | 'words' | 'run'>;

export type CommandSource =
  | { readonly kind: 'person' | 'workspace' }
  | { readonly kind: 'extension' | 'server'; readonly name: string };

/** A page or dialog where the user views something or decides on it. */
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

/** Back to before the prompt of this number, from 1. */
export interface RewindIntent {
  readonly number: number;
  readonly turnId: string;
  /** Absent: the user is asked where that can be, else both go back. */
  readonly scope: RewindScope | undefined;
}

/** Commands do it with this; the window and a script each bring their own. */
export interface CommandSurface {
  readonly user: CommandUser;
  readonly session: CommandSession;
  readonly models: CommandModels;
  readonly views: CommandViews;
  readonly installed: CommandResources;
  readonly files: CommandFiles;
  readonly place: () => MemoryPlace;
}

/** The user who gave the command: what they are told and asked. */
export interface CommandUser {
  /** A Markdown text to read. */
  show(title: string, text: string): Promise<unknown>;
  /** A sentence that is what was asked for. */
  answer(sentence: string): void;
  /** A sentence for the user that stops nothing. */
  notify(sentence: string): void;
  /** Puts a decision before the user; `nobody`: none is there to take it, but they can read the text. */
  confirm(question: Confirmation): Promise<'yes' | 'no' | 'nobody'>;
  /** Asks for what was not said; `left`: the user went away, `nobody`: none is there. Answers go by key. */
  fillForm(
    title: string,
    fields: readonly FormField[],
  ): Promise<ReadonlyMap<string, string> | 'left' | 'nobody'>;
  /** Runs what may take its time; the user can end it. */
  working<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Opens it in the editor, where there is one. */
  openFile(path: string): Promise<unknown>;
  /** Puts a text on the clipboard. */
  copyText(text: string): Promise<unknown>;
}

/** The session that is shown, and the way to others. */
export interface CommandSession {
  state(): SessionState;
  send(prompt: CommandPrompt): Promise<unknown>;
  setMode(mode: ApprovalMode): Promise<unknown>;
  setModel(model: string): Promise<unknown>;
  /** Summarises the oldest part of the session. Without a user both ways are one. */
  compress(how: 'proposed' | 'applied'): Promise<unknown>;
  startNew(): Promise<unknown>;
  /** Continues with an earlier session that these words name. */
  resume(words: string): Promise<unknown>;
  rewind(intent: RewindIntent): Promise<unknown>;
  readonly chats: Chats;
  /** The sources that fill a template. Absent: no prompt of a template can be sent here. */
  template(signal: AbortSignal): Promise<TemplateWork | undefined>;
  /** Works in these folders, too, and says so. Absolute; they are there. */
  addFolders(paths: readonly string[]): Promise<unknown>;
  /** Memory of folders that came with results in the session. */
  folderMemory(): readonly MemoryBlock[];
}

export interface CommandModels {
  /** Models that can be chosen, as far as they are known. */
  known(): readonly KnownModel[];
  /** The id that a name such as `flash` stands for; any other is taken for an id. */
  resolve(name: string): string;
  /** Says why the organisation does not allow a model; absent or `undefined`: it does. */
  refuse?(model: string): string | undefined;
  /** Keeps how hard a model thinks; `undefined`: the model decides, or what is set for all counts. */
  setEffort(model: string, effort: Effort | undefined): Promise<unknown>;
}

export interface KnownModel {
  readonly id: string;
  readonly label: string;
  /** Steps that it has, the least first; absent: it offers no choice. */
  readonly efforts?: readonly Effort[] | undefined;
}

/** Pages and dialogs in which the user views something, and their content. */
export interface CommandViews {
  /** Opens it, or says what to do instead. */
  open(view: CommandView): Promise<unknown>;
  /** Writes the facts for a report about Folio. @param title empty: none */
  report(title: string): Promise<unknown>;
  showMemory(): Promise<unknown>;
  /** Opens the page of the inbox; false where there are no pages. */
  showInbox(): Promise<boolean>;
  /** All that there are. */
  showCommands(): Promise<unknown>;
  about(): AboutFacts;
  /** Tools, skills and agents as the model has them now. */
  list(kind: ListedKind): Promise<readonly ListedThing[]>;
}

/** Commands for extensions, servers, hooks and so on work on these. Each is loaded when it is first asked for. */
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
  /** The editor and its version, or a word that there is none. */
  readonly host: string;
  /** The operating system. */
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
  /** Lines with what it means, for which a user reads them all. */
  readonly text: string;
  /** The words on the button that does it. */
  readonly button: string;
}

export interface FormField {
  readonly key: string;
  /** A sentence without its end. */
  readonly prompt: string;
  /** One of these is the answer; absent: any line is. */
  readonly choices?: readonly string[];
  /** Gives a sentence when the line cannot be the answer. */
  readonly findFault?: (line: string) => Promise<string | undefined>;
}

export type NameCommands = (
  custom: readonly CustomCommand[],
  skills: readonly Skill[],
) => ReadonlyMap<string, string>;

/** Finds the names by which the model calls tools of servers, in the order given. */
export type NameTools = (
  tools: readonly { readonly server: string; readonly tool: string }[],
) => readonly string[];

export interface ExtensionAccess {
  readonly folders: ExtensionFolders;
  readonly additions: Additions;
  /** Finds the names that commands of files get beside all others, by their paths. */
  readonly nameCommands: NameCommands;
  readonly nameTools: NameTools;
  /** The user's home folder, absolute. */
  readonly home: string;
}

type CommandFiles = Pick<FileSystem, 'stat' | 'realPath' | 'readText' | 'writeText'>;

export interface CommandPrompt {
  /** The text that the user sees. */
  readonly shown: string;
  /** The text that the model reads instead. */
  readonly wording?: string;
  readonly attachments?: readonly Attachment[];
  /** Works on this prompt alone. */
  readonly model?: string;
}

export type ListedKind = 'tool' | 'skill' | 'agent';

export interface ListedThing {
  readonly name: string;
  readonly description: string;
  /** Where it comes from, a few words. */
  readonly source?: string;
}
