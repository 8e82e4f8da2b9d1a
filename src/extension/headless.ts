/* Folio without a window: the same agent over Node ports, one prompt a run. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TurnEnd } from '../protocol/events.ts';
import { describeTurnEnd } from '../protocol/turnEnd.ts';
import { assembleAgent, memoryPlace } from './assemble.ts';
import { messageOf } from './base/errors.ts';
import { plural } from './base/text.ts';
import { hookExtensions, policyFilesWith } from './compose/extensions.ts';
import { serverPrompts } from './compose/serverTools.ts';
import type { Agent } from './core/agent.ts';
import { tableOf } from './core/commands/commandTable.ts';
import { Additions } from './core/customizations/additions.ts';
import { Hooks } from './core/hooks/hooks.ts';
import type { ModelInfo, ModelProvider } from './core/model.ts';
import type { Session } from './core/session/session.ts';
import { allSeen, noDiagnostics, noEditor, noWorkbench } from './headless/absent.ts';
import { type AnswerPrompt, readPrompt } from './headless/answerPrompt.ts';
import { type HeadlessArguments, parseArguments, UsageError } from './headless/arguments.ts';
import { goBack, openEarlierSession } from './headless/earlierSession.ts';
import { usage } from './headless/options.ts';
import { makeOutput, type Output, type Printer } from './headless/output.ts';
import { RunServers } from './headless/runServers.ts';
import { tellOfAdditions } from './headless/tellOfAdditions.ts';
import { readReplay, withRecord } from './headless/traffic.ts';
import { chosenProvider } from './models/chosenProvider.ts';
import { addressOf, providers, vertexPlace } from './models/providers.ts';
import { ConsoleLog } from './node/consoleLog.ts';
import { NodeCustomFiles } from './node/customFiles.ts';
import { EnvironmentSecrets } from './node/environmentSecrets.ts';
import { NodeExtensionVariables } from './node/extensionVariables.ts';
import { type FileSettings, readFileSettings, SettingsError } from './node/fileSettings.ts';
import { GitDiff } from './node/gitDiff.ts';
import { GitFiles } from './node/gitFiles.ts';
import { findHome } from './node/homeFolder.ts';
import { NodeHookFiles } from './node/hookFiles.ts';
import { NodeHookProcesses } from './node/hookProcess.ts';
import { lazyHttp } from './node/lazyHttp.ts';
import { NodeBlobStore } from './node/nodeBlobStore.ts';
import { NodeFileSystem } from './node/nodeFileSystem.ts';
import { NodeProcesses } from './node/nodeProcesses.ts';
import { NodeSearch } from './node/nodeSearch.ts';
import { NodeSessionStore } from './node/nodeSessionStore.ts';
import { PassingSecrets } from './node/passingSecrets.ts';
import { SeenFile } from './node/seenFile.ts';
import { SystemClock } from './node/systemClock.ts';
import type { Clock } from './platform/clock.ts';
import type { Processes } from './platform/processes.ts';
import type { SeenItems } from './platform/seenItems.ts';

/** By how the last turn ended. */
const exitCodes = {
  rested: 0,
  failed: 1,
  budget: 1,
  loop: 1,
  hook: 1,
  stopped: 130,
} as const satisfies Record<TurnEnd['kind'], number>;
const usageExitCode = 2;

const printer: Printer = {
  out: print,
  error: sentence => void process.stderr.write(`${sentence}\n`),
};

/** What is printed in one breath goes out together: a pipe takes every write as a call into the system. */
function print(text: string): void {
  const { stdout } = process;
  if (stdout.writableCorked === 0) {
    stdout.cork();
    setImmediate(() => stdout.uncork());
  }
  stdout.write(text);
}

async function main(interrupted: AbortSignal): Promise<number> {
  try {
    const args = parseArguments(process.argv.slice(2));
    if (args === 'help') {
      printer.out(usage);
      return 0;
    }
    await checkWorkspace(args.workspace);
    await checkPolicies(args.policyFiles);
    return exitCodes[(await run(args, interrupted)).kind];
  } catch (error) {
    if (error instanceof UsageError) printer.error(`${error.message} See --help.`);
    else if (error instanceof SettingsError) printer.error(error.message);
    else throw error;
    return usageExitCode;
  }
}

async function run(args: HeadlessArguments, interrupted: AbortSignal): Promise<TurnEnd> {
  const clock = new SystemClock();
  const processes = new NodeProcesses(process.env, clock.newId());
  const made = await makeAgent(args, clock, processes);
  try {
    await made.servers.start(interrupted);
    return await runPrompt(args, made, interrupted);
  } finally {
    await Promise.all([processes.dispose(), made.hooks.processes.dispose(), made.servers.stop()]);
  }
}

async function runPrompt(args: HeadlessArguments, made: Made, interrupted: AbortSignal): Promise<TurnEnd> {
  const { agent, files, place, additions } = made;
  const answer = args.prompt === undefined ? undefined : await readAnswer(args.prompt, args.trusted, made);
  const output = makeOutput(args.output, printer);
  if (interrupted.aborted) {
    printer.error(describeTurnEnd({ kind: 'stopped' }));
    return { kind: 'stopped' };
  }
  const session = await openSession(args, agent, output.event);
  interrupted.addEventListener('abort', () => void session.stop(), { once: true });
  try {
    if (args.rewind) output.rewound(await goBack(session, args.rewind));
    const end = await answer?.(session, {
      ...{ files, place, additions, tell: output.told, warn: printer.error },
      signal: interrupted,
    });
    output.end(end, session.state);
    return end ?? { kind: 'rested' };
  } finally {
    await session.dispose();
  }
}

/** Throws `UsageError` when it looks like a command and is none. */
async function readAnswer(
  prompt: string,
  trusted: boolean,
  { additions, servers }: Pick<Made, 'additions' | 'servers'>,
): Promise<AnswerPrompt> {
  if (prompt.trimStart().startsWith('/')) await additions.refresh();
  const advice = { trust: 'run without --untrusted', letCount: 'do so in a window, or run with --trusted' };
  const prompts = serverPrompts(() => servers.present);
  return readPrompt(prompt, tableOf(additions, { trusted, advice, prompts }));
}

/** A new session, or an earlier one with what this run says of model and mode. */
async function openSession(
  args: HeadlessArguments,
  agent: Agent,
  listener: Output['event'],
): Promise<Session> {
  if (args.resume === undefined) return agent.newSession(listener);
  const session = await openEarlierSession(agent, args.resume, args.workspace, listener);
  if (args.model !== undefined) session.setModel(args.model);
  if (args.mode !== undefined) session.setMode(args.mode);
  return session;
}

type Made = Awaited<ReturnType<typeof makeAgent>>;

async function makeAgent(args: HeadlessArguments, clock: Clock, processes: Processes) {
  const { env } = process;
  const home = findHome();
  if (home === undefined) throw new UsageError('There is no home folder. Set HOME to one.');
  const folders = [args.workspace];
  const trusted = () => args.trusted;
  const additions = new Additions({
    files: new NodeCustomFiles({ home, folders: () => folders }),
    seen: seenItems(args, home),
    trusted,
    disabled: () => settings.get('disabled'),
    extensionValues: { variables: new NodeExtensionVariables(), secrets: new PassingSecrets() },
  });
  const settings = await readSettings(args, home);
  additions.all.onDidChange(() => settings.setWorkspace(additions.settings));
  await additions.refresh();
  tellOfAdditions(additions, printer.error);
  const sessions = args.sessionDir ?? join(home, '.folio', 'sessions');
  const secrets = new EnvironmentSecrets(env);
  const name = settings.get('provider');
  if (name === 'vscode')
    throw new UsageError("VS Code's own models need a window. Choose another provider with --provider.");
  const facts = providers[name];
  const chosen = chosenProvider({
    provider: () => name,
    apiKey: async provider => {
      const { secret } = providers[provider];
      return secret && secrets.read(secret);
    },
    baseUrl: provider => addressOf(provider, settings, env),
    newId: () => clock.newId(),
    contextLimit: () => settings.get('openai.contextLimit'),
    vertex: vertexPlace(settings, env),
  });
  const provider =
    args.replay === undefined ? await withRecord(chosen, args, printer.error) : await readReplay(args.replay);
  // How much fits into a request of the others' models is known without asking.
  const listed = name === 'openai' ? await readModels(provider) : [];
  const files = new NodeFileSystem();
  const hooks = makeHooks(args, home, additions);
  const log = new ConsoleLog('error');
  const contextLimit = (model: string) =>
    listed.find(({ id }) => id === model)?.contextLimit ??
    facts.contextLimit(model, settings.get('openai.contextLimit'));
  const tell = printer.error;
  const servers = new RunServers({ ...{ additions, folders, home, env, trusted, clock, log, tell } });
  const agent = assembleAgent({
    ...{ log, contextLimit, tell },
    moreTools: [session => servers.tools(() => contextLimit(session.model()))],
    servers: () => servers.present,
    trustedServers: () => servers.present?.trusted ?? [],
    ...{ clock, settings, processes, home, env, files, folders, trusted, hooks, additions },
    search: new NodeSearch(),
    http: lazyHttp(),
    editor: noEditor,
    diagnostics: noDiagnostics,
    store: new NodeSessionStore(sessions),
    blobs: new NodeBlobStore(join(sessions, 'blobs')),
    versionControl: new GitFiles(),
    workingDiff: new GitDiff(),
    workbench: noWorkbench,
    policyFiles: policyFilesWith(additions, {
      ...{ home, folders: () => folders, files: args.policyFiles },
      ...(args.settingsFile !== undefined && { settingsFile: args.settingsFile }),
    }),
    seen: seenItems(args, home),
    provider: () => provider,
    searchesWeb: () => facts.searchesWeb,
    ownModels: () => facts.ownModels,
    costOf: facts.costOf,
    interactive: false,
    platform: process.platform,
    shell: process.platform === 'win32' ? 'PowerShell' : 'bash',
  });
  return {
    agent,
    files,
    hooks,
    additions,
    servers,
    place: memoryPlace({ settings, home, folders, trusted, additions }),
  };
}

/** A server's list alone says how much fits into a request. Without one the settings do. */
async function readModels(provider: ModelProvider): Promise<readonly ModelInfo[]> {
  try {
    return await provider.listModels(AbortSignal.timeout(5000));
  } catch {
    // What is wrong with the server, the first request will tell.
    return [];
  }
}

/** What a person has let count in a window counts here; or they vouch for all that the workspace brings. */
function seenItems({ allSeen: isAll }: Pick<HeadlessArguments, 'allSeen'>, home: string): SeenItems {
  return isAll ? allSeen : new SeenFile(join(home, '.folio', 'seen.txt'));
}

/** Those of the person run; those of the workspace when they were let run in a window, or are vouched for. */
function makeHooks(
  { workspace, settingsFile, trusted, ...args }: HeadlessArguments,
  home: string,
  additions: Additions,
): Hooks {
  const person = [
    ...(settingsFile === undefined ? [] : [settingsFile]),
    ...['.gemini', '.claude'].map(name => join(home, name, 'settings.json')),
  ];
  const hooks = new Hooks({
    files: new NodeHookFiles({
      ...{ person, folders: () => [workspace] },
      ...hookExtensions(async () => additions),
    }),
    processes: new NodeHookProcesses(process.env),
    seen: seenItems(args, home),
    trusted: () => trusted,
    tell: printer.error,
  });
  hooks.onDidChange(() => {
    const { size } = hooks.unseen;
    if (size > 0)
      printer.error(
        `${plural(size, 'hook')} of the workspace did not run. Look at .gemini/settings.json, then run with --trusted.`,
      );
  });
  return hooks;
}

async function readSettings(args: HeadlessArguments, home: string): Promise<FileSettings> {
  return await readFileSettings({
    homeFile: join(home, '.gemini', 'settings.json'),
    settingsFile: args.settingsFile,
    overrides: {
      provider: args.provider,
      model: args.model,
      approvalMode: args.mode,
      baseUrl: args.baseUrl || process.env.GOOGLE_GEMINI_BASE_URL || undefined,
      'openai.baseUrl': args.baseUrl || process.env.OPENAI_BASE_URL || undefined,
      'vertex.baseUrl': args.baseUrl || process.env.GOOGLE_VERTEX_BASE_URL || undefined,
    },
    warn: printer.error,
  });
}

async function checkWorkspace(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`There is no folder ${folder}.`);
}

/** A rule that was asked for and is not there must not be missed silently. */
async function checkPolicies(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) throw new UsageError(`There is no file of rules ${file}.`);
  }
}

/** The first interrupt stops the turn, a second one ends the process on the spot. */
function onInterrupt(): AbortSignal {
  const interrupted = new AbortController();
  const interrupt = () => {
    if (interrupted.signal.aborted) process.exit(exitCodes.stopped);
    interrupted.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return interrupted.signal;
}

/** However the run ends, what it has printed is out by then. */
process.on('exit', () => process.stdout.uncork());

/** Who reads our output may go away first; that is no trouble worth a stack trace. */
process.stdout.on('error', error => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1));

main(onInterrupt()).then(
  // Kept connections must not hold the process; what was printed must be out before it ends.
  code => process.stdout.write('', () => process.exit(code)),
  error => {
    printer.error(`Folio met a fault of its own: ${messageOf(error)}`);
    process.exit(1);
  },
);
