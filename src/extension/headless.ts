/* Folio without a window: the same agent over Node ports, one prompt a run. */

import { stat } from 'node:fs/promises';
import type { TurnEnd } from '../protocol/events.ts';
import { setEnglishCatalog } from '../protocol/language.ts';
import { rewindPoints } from '../protocol/state.ts';
import type { DetachedTask } from '../protocol/values.ts';
import { describeTurnEnd } from '../protocol/words/turnEnd.ts';
import { messageOf } from './base/errors.ts';
import type { Session } from './core/session/session.ts';
import { resolvePrompt } from './headless/answerPrompt.ts';
import {
  type BackgroundRequest,
  type HeadlessArguments,
  parseArguments,
  RunRefusal,
  UsageError,
} from './headless/arguments.ts';
import { type BegunSession, beginSession } from './headless/beginSession.ts';
import type { AnswerPrompt, RunContext } from './headless/commandContext.ts';
import { openEarlierSession, rewindSession, rewindsFiles } from './headless/earlierSession.ts';
import { useEnvironmentProxy } from './headless/environmentProxy.ts';
import { type HeadlessAgent, openHeadlessAgent } from './headless/headlessAgent.ts';
import { headlessMessages } from './headless/headlessMessages.ts';
import { usageText } from './headless/options.ts';
import { makeOutput, type Printer, type RunOutput } from './headless/output.ts';
import { formatStatistics } from './headless/runPlace.ts';
import { SettingsError } from './node/settings/fileSettings.ts';

/** Exit codes by how the last turn ended. */
const exitCodes = {
  rested: 0,
  failed: 1,
  budget: 1,
  loop: 1,
  hook: 1,
  stopped: 130,
} as const satisfies Record<TurnEnd['kind'], number>;
const usageExitCode = 2;
/** The run is done, and a server's task continues without it. */
const detachedExitCode = 3;

/** Aborts when nobody reads the output any more. A run that serves a client then ends in order, any other at once. */
const outputGone = new AbortController();
let isServing = false;

const printer: Printer = {
  out: print,
  error: sentence => void process.stderr.write(`${sentence}\n`),
};

/** Too short to notice. Most requests are sent earlier, so that they need not wait for output. */
const printPauseMs = 10;

let unprinted = '';

/** Batches texts that are printed in quick succession: for a pipe every write is a system call. */
function print(text: string): void {
  if (unprinted === '') setTimeout(printAll, printPauseMs);
  unprinted += text;
}

function printAll(): void {
  const text = unprinted;
  unprinted = '';
  if (text !== '') process.stdout.write(text);
}

async function main(interrupted: AbortSignal): Promise<number> {
  setEnglishCatalog(headlessMessages);
  try {
    const argv = process.argv.slice(2);
    if (takesNoRun(argv)) return await withoutRun(argv, interrupted);
    const args = parseArguments(argv);
    if (args === 'help' || args.statistics) return await printOnly(args);
    useEnvironmentProxy(process.env, printer.error);
    await Promise.all([checkWorkspace(args.workspace), checkPolicies(args.policyFiles)]);
    if (args.background) return await askBackground(args.background, { args, argv }, interrupted);
    if (args.sign || args.acp || args.mcp) return await serveUser(args, interrupted);
    isServing = args.streams;
    const stop = args.streams ? AbortSignal.any([interrupted, outputGone.signal]) : interrupted;
    const { kind, tasks = [] } = await run(args, stop);
    return kind === 'rested' && tasks.length > 0 ? detachedExitCode : exitCodes[kind];
  } catch (error) {
    if (error instanceof RunRefusal) printer.error(error.message);
    else if (error instanceof UsageError) printer.error(`${error.message} See --help.`);
    else if (error instanceof SettingsError) printer.error(error.message);
    else throw error;
    return usageExitCode;
  }
}

function takesNoRun([first]: readonly string[]): boolean {
  return first === '--background-host' || first === '--verify-audit';
}

function withoutRun([first, file]: readonly string[], interrupted: AbortSignal): Promise<number> {
  return first === '--verify-audit' ? checkAudit(file) : serveBackground(interrupted);
}

async function printOnly(args: HeadlessArguments | 'help'): Promise<number> {
  printer.out(args === 'help' ? usageText : await formatStatistics(args));
  return exitCodes.rested;
}

/** Editors that start Folio may request sign-in together with `--acp`. */
async function serveUser(args: HeadlessArguments, interrupted: AbortSignal): Promise<number> {
  if (args.sign === undefined) return await serveClient(args, interrupted);
  const { signIn, signOut } = await import('./headless/acp/signIn.ts');
  if (args.sign === 'in') await signIn(args, printer, interrupted);
  else await signOut(args, printer);
  return exitCodes.rested;
}

/** The client closing the connection is no failure. */
async function serveClient(args: HeadlessArguments, interrupted: AbortSignal): Promise<number> {
  isServing = true;
  const ended = AbortSignal.any([interrupted, outputGone.signal]);
  if (args.mcp) await (await import('./headless/mcp/serveMcp.ts')).serveMcp(args, printer.error, ended);
  else await (await import('./headless/acp/serveAcp.ts')).serveAcp(args, printer.error, ended);
  return interrupted.aborted ? exitCodes.stopped : 0;
}

async function checkAudit(file: string | undefined): Promise<number> {
  if (file === undefined) throw new UsageError('--verify-audit takes the file of an audit log.');
  const { describeCheck, verifyAudit } = await import('./observers/audit/verifyAudit.ts');
  const check = await verifyAudit(file).catch((error: unknown) => {
    throw new RunRefusal(`${file} cannot be read: ${messageOf(error)}`);
  });
  printer.out(`${describeCheck(file, check)}\n`);
  return check.ok ? exitCodes.rested : exitCodes.failed;
}

/** Not in the help: clients start it. */
async function serveBackground(interrupted: AbortSignal): Promise<number> {
  isServing = true;
  useEnvironmentProxy(process.env, printer.error);
  const { runBackgroundHost } = await import('./headless/background/backgroundHost.ts');
  await runBackgroundHost(interrupted);
  return exitCodes.rested;
}

async function askBackground(
  request: BackgroundRequest,
  given: { readonly args: HeadlessArguments; readonly argv: readonly string[] },
  interrupted: AbortSignal,
): Promise<number> {
  const { runBackgroundCommand } = await import('./headless/background/commandLine.ts');
  await runBackgroundCommand(request, given, printer, interrupted);
  return interrupted.aborted ? exitCodes.stopped : exitCodes.rested;
}

/** How a run ended, with the tasks that it left to their servers. */
type RunEnd = TurnEnd & { readonly tasks?: readonly DetachedTask[] };

async function run(args: HeadlessArguments, interrupted: AbortSignal): Promise<RunEnd> {
  const made = await openHeadlessAgent(args, { interactive: args.streams, notify: printer.error });
  try {
    if (args.importFile !== undefined) return await importFile(args.importFile, made);
    await made.servers.start(interrupted);
    return await runPrompt(args, made, interrupted);
  } finally {
    await made.dispose();
  }
}

async function runPrompt(
  args: HeadlessArguments,
  made: HeadlessAgent,
  interrupted: AbortSignal,
): Promise<RunEnd> {
  checkRewind(args, made);
  const answer = args.prompt === undefined ? undefined : await resolvePrompt(args.prompt, made);
  const output = makeOutput(args.output, printer);
  if (interrupted.aborted) return sayStopped();
  const { session, setUp } = await openSession(args, made, output.event);
  interrupted.addEventListener('abort', () => void session.stop(), { once: true });
  try {
    await goBackAndSetUp(session, args, setUp, output);
    if (interrupted.aborted) return sayStopped();
    const before = rewindPoints(session.state).length;
    const runContext = { made, notify: output.reported, warn: printer.error, signal: interrupted };
    const end = await answerInput(session, args, answer, runContext);
    if (end) await reviewSessions(session, before, interrupted);
    const tasks = await openTasks(args, session);
    output.end(end, session.state, tasks);
    return { ...(end ?? { kind: 'rested' }), tasks };
  } finally {
    await closeSession(args, made, session);
  }
}

async function goBackAndSetUp(
  session: Session,
  { rewind }: HeadlessArguments,
  setUp: string,
  output: RunOutput,
): Promise<void> {
  if (rewind) output.rewound(await rewindSession(session, rewind));
  if (setUp !== '') await session.runCommand(setUp, 'setUp');
}

/**
 * Results of tasks that an earlier run left to their servers come before the prompt, unless it is a command. A run that
 * does not wait for them sends nothing before they arrive.
 */
async function answerInput(
  session: Session,
  { streams, resume, prompt, detachesTasks }: HeadlessArguments,
  answer: AnswerPrompt | undefined,
  runContext: RunContext,
): Promise<TurnEnd | undefined> {
  if (streams) return await followInput(session, runContext.made, runContext);
  if (resume !== undefined && prompt !== undefined && !prompt.trimStart().startsWith('/')) {
    const { made, warn: notify, signal } = runContext;
    const { deliverTaskResults, detachedTasks } = await import('./headless/detachedTasks.ts');
    await deliverTaskResults({ session, servers: made.servers, notify, signal }, detachesTasks);
    if (signal.aborted) return { kind: 'stopped' };
    if (detachesTasks && detachedTasks(session.state).length > 0) return undefined;
  }
  return await answer?.(session, runContext);
}

async function openTasks(
  { detachesTasks }: HeadlessArguments,
  { state }: Session,
): Promise<readonly DetachedTask[]> {
  if (!detachesTasks) return [];
  const { describeDetached, detachedTasks } = await import('./headless/detachedTasks.ts');
  const tasks = detachedTasks(state);
  if (tasks.length > 0) printer.error(describeDetached(state, tasks));
  return tasks;
}

/** Writes the session file even after a failure, to show how far the run came. */
async function closeSession(
  { sessionFile }: HeadlessArguments,
  { agent }: HeadlessAgent,
  session: Session,
): Promise<void> {
  await session.dispose();
  if (sessionFile === undefined) return;
  await (await import('./headless/sessionFiles.ts')).writeSessionFile(sessionFile, agent, session.id);
}

async function importFile(path: string, { agent }: HeadlessAgent): Promise<TurnEnd> {
  const { importSessionFile } = await import('./headless/sessionFiles.ts');
  printer.out(`${await importSessionFile(path, agent)}\n`);
  return { kind: 'rested' };
}

function sayStopped(): TurnEnd {
  printer.error(describeTurnEnd({ kind: 'stopped' }));
  return { kind: 'stopped' };
}

/**
 * Does nothing after a run that only printed something or failed, to save its cost.
 * @param before prompts of earlier runs
 */
async function reviewSessions(session: Session, before: number, signal: AbortSignal): Promise<void> {
  const { state } = session;
  const last = state.chapters.at(-1)?.items.pages.at(-1)?.at(-1);
  if (rewindPoints(state).length > before && last?.type !== 'end') await session.reviewSessions(signal);
}

/** Handles requests from standard input, line by line, until it ends or an interrupt comes. */
async function followInput(
  session: Session,
  made: HeadlessAgent,
  runContext: RunContext,
): Promise<TurnEnd | undefined> {
  const { StreamInput } = await import('./headless/streamInput.ts');
  const { readLines } = await import('./headless/client/readLines.ts');
  const { signal } = runContext;
  const input = new StreamInput(session, async (text, attachments) =>
    (await resolvePrompt(text, made, attachments))(session, runContext),
  );
  const refuse = (line: number, reason: string) =>
    printer.out(`${JSON.stringify({ type: 'input.refused', line, reason })}\n`);
  const { stdin } = process;
  stdin.setEncoding('utf8');
  const end = await input.follow(readLines(stdin as AsyncIterable<string>), refuse, signal);
  return signal.aborted ? { kind: 'stopped' } : end;
}

/** Opens a new session, or resumes one with this run's model and mode. */
async function openSession(
  args: HeadlessArguments,
  made: HeadlessAgent,
  listener: RunOutput['event'],
): Promise<BegunSession> {
  const { agent } = made;
  if (args.resume === undefined) return await beginSession(args, made, listener, printer.error);
  const session = await openEarlierSession(agent, args.resume, args.workspace, listener);
  if (args.model !== undefined) session.setModel(args.model);
  if (args.mode !== undefined) session.setMode(args.mode);
  return { session, setUp: '' };
}

async function checkWorkspace(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`There is no folder ${folder}.`);
}

function checkRewind({ rewind }: HeadlessArguments, { trusted }: HeadlessAgent): void {
  if (!trusted && rewind && rewindsFiles(rewind))
    throw new UsageError(
      'The workspace is restricted, so no file is written: only --rewind-scope conversation goes back.',
    );
}

/** A requested rule file that is missing must not be ignored silently. */
async function checkPolicies(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) throw new UsageError(`There is no file of rules ${file}.`);
  }
}

/** The first interrupt stops the turn, a second one exits at once. */
function onInterrupt(): AbortSignal {
  const interrupted = new AbortController();
  const interrupt = () => {
    if (interrupted.signal.aborted) process.exit(exitCodes.stopped);
    interrupted.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return interrupted.signal;
}

/** Flushes the output however the run ends. */
process.on('exit', printAll);

/** The reader of our output may close first; that needs no stack trace. */
process.stdout.on('error', error => {
  outputGone.abort();
  if (!isServing) process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1);
});

main(onInterrupt()).then(
  // Open keep-alive connections must not delay the exit, but output must be flushed first.
  code => {
    printAll();
    process.stdout.write('', () => process.exit(code));
  },
  error => {
    printer.error(`Folio met a fault of its own: ${messageOf(error)}`);
    process.exit(1);
  },
);
