import { realpath } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { messageOf } from '../base/errors.ts';
import type {
  FoundSession,
  OtherAgentSessions,
  OtherAgentTranscript,
} from '../core/imports/otherAgentSessions.ts';
import { claudeCode } from './claudeCode.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import type { AgentSessionRoots, FoundFile, SessionFormat } from './format.ts';
import { geminiCli } from './geminiCli.ts';
import { opencode } from './opencode.ts';
import { listLimit, sessionLimit } from './readBounded.ts';

const formats: readonly SessionFormat[] = [claudeCode, geminiCli, codex, opencode, copilot];

/** Number of sessions of each agent that are read for the list. */
const listedOfEach = 40;

export class NodeOtherAgents implements OtherAgentSessions {
  private readonly places: AgentSessionRoots;

  constructor(places: AgentSessionRoots) {
    this.places = places;
  }

  async find(folders: readonly string[] | 'all'): Promise<readonly FoundSession[]> {
    // Compares resolved paths too, since either side may have used a link.
    const wanted =
      folders === 'all'
        ? folders
        : [...new Set([...folders, ...(await Promise.all(folders.map(realOrSame)))])];
    const found: FoundSession[] = [];
    for (const format of formats) {
      const files = [...(await format.find(this.places, wanted, listedOfEach))];
      files.sort((a, b) => b.changedAt - a.changedAt);
      const isEnough = () => found.filter(({ agent }) => agent === format.agent).length >= listedOfEach;
      for (const file of files) {
        if (isEnough()) break;
        const session = await describe(format, file, wanted);
        if (session) found.push(session);
      }
    }
    return found.sort((a, b) => b.changedAt - a.changedAt);
  }

  async read({ agent, path }: Pick<FoundSession, 'agent' | 'path'>): Promise<OtherAgentTranscript> {
    const format = formats.find(each => each.agent === agent);
    if (!format) throw new Error(`There is no agent ${agent}.`);
    return await format.read(path, sessionLimit);
  }
}

/** Resolves to `undefined` if it has no prompt, or belongs to another folder. */
async function describe(
  { agent, read }: SessionFormat,
  { path, changedAt, isWanted }: FoundFile,
  wanted: readonly string[] | 'all',
): Promise<FoundSession | undefined> {
  const known = { agent, path, changedAt };
  try {
    const { id, folder, title, turns, isCut } = await read(path, listLimit);
    const isThere =
      folder === '' ? isWanted || wanted === 'all' : wanted === 'all' || (await isIn(wanted, folder));
    if (!isThere || (turns.length === 0 && !isCut)) return undefined;
    const name = title || turns[0]?.prompt || basename(path);
    return { ...known, id: id || basename(path), title: name, prompts: turns.length, isCut };
  } catch (error) {
    const problem = messageOf(error);
    return { ...known, id: basename(path), title: basename(path), prompts: 0, isCut: false, problem };
  }
}

async function isIn(folders: readonly string[], folder: string): Promise<boolean> {
  const within = (path: string) => folders.some(each => path === each || path.startsWith(each + sep));
  return within(folder) || within(await realOrSame(folder));
}

function realOrSame(path: string): Promise<string> {
  // The folder may be gone, or on another machine.
  return realpath(path).catch(() => path);
}

/** The workspace storage of VS Code and its forks. */
export function workspaceStorageOf(
  { home, env }: Pick<AgentSessionRoots, 'home' | 'env'>,
  platform: string,
): readonly string[] {
  const data =
    platform === 'win32'
      ? env.APPDATA || join(home, 'AppData', 'Roaming')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : env.XDG_CONFIG_HOME || join(home, '.config');
  return ['Code', 'Code - Insiders', 'VSCodium'].map(name => join(data, name, 'User', 'workspaceStorage'));
}
