/* What a prompt can ask for by a slash and a name, in the order in which it is offered. */

import type { ApprovalMode } from '../../../protocol/events.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { MemoryPlace } from '../context/memory.ts';
import { initWording } from './initWording.ts';

export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** One line, for a list. */
  readonly description: string;
  /** What may follow the name, in a word or two; without it nothing may. */
  readonly argument?: string;
  /** Gives the sentence why it cannot be carried out; then nothing has happened. */
  readonly run: (surface: CommandSurface, argument: string) => Promise<Refusal | undefined>;
}

export interface Refusal {
  readonly sentence: string;
}

/** What commands do it with; the window and a script each bring their own. */
export interface CommandSurface {
  /** Summarises the oldest part of the session. */
  compress(): Promise<unknown>;
  startNewSession(): Promise<unknown>;
  showMemory(): Promise<unknown>;
  showCommands(commands: readonly Command[]): Promise<unknown>;
  /** Sends a prompt. The person sees `shown`, the model reads `wording`. */
  send(shown: string, wording: string): Promise<unknown>;
  mode(): ApprovalMode;
  readonly files: Pick<FileSystem, 'stat'>;
  readonly place: () => MemoryPlace;
}

export const commands: readonly Command[] = [
  {
    name: 'compress',
    description: 'Summarise the oldest part of the session',
    run: surface => done(surface.compress()),
  },
  {
    name: 'init',
    description: 'Write or improve the memory file of the project',
    argument: 'what matters to you',
    run: runInit,
  },
  {
    name: 'clear',
    description: 'Begin a new session; this one stays in the history',
    run: surface => done(surface.startNewSession()),
  },
  {
    name: 'memory',
    description: 'Show which memory files are loaded',
    run: surface => done(surface.showMemory()),
  },
  {
    name: 'help',
    description: 'Show what can be asked for by a slash',
    run: surface => done(surface.showCommands(commands)),
  },
];

async function runInit(surface: CommandSurface, argument: string): Promise<Refusal | undefined> {
  const { trusted, folders, names } = surface.place();
  if (folders[0] === undefined) return refuse('No folder is open: open the project first, then use /init.');
  if (!trusted)
    return refuse('Nothing is written in a restricted workspace: trust it first, then use /init.');
  if (surface.mode() === 'plan')
    return refuse('Nothing is written in Plan mode: choose another, then use /init.');
  const wording = await initWording(surface.files, { folder: folders[0], name: names[0], wish: argument });
  await surface.send(argument ? `/init ${argument}` : '/init', wording);
  return undefined;
}

async function done(work: Promise<unknown>): Promise<undefined> {
  await work;
}

function refuse(sentence: string): Refusal {
  return { sentence };
}
