/* Hooks with real files and real child processes around a session whose model is scripted. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import { Hooks } from '../../src/extension/core/hooks/hooks.ts';
import { NodeHookFiles } from '../../src/extension/node/customizations/hookFiles.ts';
import { NodeHookProcesses } from '../../src/extension/node/processes/hookProcess.ts';
import { SeenItemsFile } from '../../src/extension/node/settings/seenItemsFile.ts';
import { NodeSettingsDocuments } from '../../src/extension/node/settings/settingsDocuments.ts';
import type { SessionEvent, SessionEventBody } from '../../src/protocol/events.ts';
import { ManualClock } from './manualClock.ts';

export interface HookFolder {
  readonly folder: string;
  readonly workspace: string;
  readonly consent: ConsentService;
  readonly hooks: Hooks;
  readonly reported: readonly string[];
  /** By which hooks run out of time; it stands still. */
  readonly clock: ManualClock;
  setTrusted(trusted: boolean): void;
  /** Settings of the user. */
  ofUser(settings: unknown): Promise<void>;
  /** Settings of the workspace, in `.gemini` or `.claude`. */
  ofWorkspace(settings: unknown, program?: 'gemini' | 'claude'): Promise<void>;
  /** A command that keeps what it is told in `<name>.json`, then prints this and ends with this code. */
  script(name: string, printed?: unknown, code?: number): Promise<string>;
  /** What the script of this name was told last. */
  reportedTo(name: string): Promise<Record<string, unknown>>;
  /** How often it ran. */
  runsOf(name: string): Promise<number>;
  dispose(): Promise<void>;
}

export async function makeHookFolder(
  environment: Record<string, string | undefined> = process.env,
): Promise<HookFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-hooks-'));
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const clock = new ManualClock();
  let trusted = true;
  const reported: string[] = [];
  const consent = new ConsentService(new SeenItemsFile(join(folder, 'seen.txt')), () => trusted);
  const hooks = new Hooks({
    files: new NodeHookFiles(
      { user: [join(folder, 'settings.json')], folders: () => [workspace] },
      new NodeSettingsDocuments(),
    ),
    processes: new NodeHookProcesses(environment, clock),
    consent,
    notify: sentence => void reported.push(sentence),
  });
  const put = async (path: string, settings: unknown) => {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, typeof settings === 'string' ? settings : JSON.stringify(settings));
    await hooks.refresh();
  };
  return {
    folder,
    workspace,
    consent,
    hooks,
    reported,
    clock,
    setTrusted: now => {
      trusted = now;
    },
    ofUser: settings => put(join(folder, 'settings.json'), settings),
    ofWorkspace: (settings, program = 'gemini') =>
      put(join(workspace, `.${program}`, 'settings.json'), settings),
    script: async (name, printed, code = 0) => {
      const text =
        printed === undefined ? '' : typeof printed === 'string' ? printed : JSON.stringify(printed);
      const file = join(folder, `${name}.sh`);
      const print = join(folder, `${name}.out`);
      await writeFile(print, text);
      const lines = [`cat > '${join(folder, name)}.json'`, `echo run >> '${join(folder, name)}.runs'`];
      await writeFile(file, `${lines.join('\n')}\ncat '${print}'\nexit ${code}\n`);
      return `sh '${file}'`;
    },
    reportedTo: async name => JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')),
    runsOf: async name => {
      const runs = await readFile(join(folder, `${name}.runs`), 'utf8').catch(() => '');
      return runs.split('\n').length - 1;
    },
    dispose: async () => {
      await hooks.processes.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Settings with one hook of an event. */
export function oneHook(event: string, command: string, more: object = {}, matcher?: string): unknown {
  return { hooks: { [event]: [{ matcher, hooks: [{ type: 'command', command, ...more }] }] } };
}

export type HookRun = Omit<SessionEventBody<'hook.started'>, 'type'> &
  Omit<SessionEventBody<'hook.ended'>, 'type'>;

export function runsIn(events: readonly SessionEvent[]): readonly HookRun[] {
  const started = events.filter(event => event.type === 'hook.started');
  return started.map(start => {
    const end = events.find(event => event.type === 'hook.ended' && event.runId === start.runId);
    if (end?.type !== 'hook.ended') throw new Error(`The hook ${start.name} did not end.`);
    return { ...start, ...end };
  });
}
