/*
 * Debugs with the window's extensions, as the user does. A session is Folio's by its name, or by its parent's:
 * JavaScript debuggers run each program in a child session. All others are the user's and read-only.
 */

import {
  type DebugAdapterTracker,
  type DebugProtocolMessage,
  type DebugSession,
  DebugStackFrame,
  type Disposable,
  debug,
  Location,
  Position,
  SourceBreakpoint,
  Uri,
  type WorkspaceFolder,
  workspace,
} from 'vscode';
import { abortable } from '../base/abort.ts';
import { messageOf } from '../base/errors.ts';
import { fieldsOf, isRecord, textOrEmpty } from '../base/record.ts';
import { headOf, oneLine } from '../base/text.ts';
import {
  asNumber,
  exceptionFilters,
  parseBreakpoint,
  parseDebugEvent,
} from '../platform/debug/adapterMessages.ts';
import {
  type Breakpoint,
  type DebugCommand,
  DebugError,
  type DebugEvent,
  type DebuggedProgram,
  type Debugger,
  type DebugStart,
  type InspectionCommand,
  type LaunchConfiguration,
  type UserProgram,
} from '../platform/debug/debugger.ts';

export class VscodeDebugger implements Debugger {
  private running: WindowProgram | undefined;

  isAvailable(): boolean {
    return workspace.isTrusted && (listConfigurations().length > 0 || this.users() !== undefined);
  }

  users(): UserProgram | undefined {
    const frame = viewedFrame();
    return frame && !isAgents(frame.session) ? new UsersWindowProgram(frame) : undefined;
  }

  async configurations(): Promise<readonly LaunchConfiguration[]> {
    return listConfigurations().map(({ configuration }) => configuration);
  }

  async start(
    request: DebugStart,
    report: (event: DebugEvent) => void,
    signal: AbortSignal,
  ): Promise<DebuggedProgram> {
    const { name, values } = request.configuration;
    const found = listConfigurations().find(({ configuration }) => configuration.values === values);
    const folder =
      found?.folder ?? listConfigurations().find(each => each.configuration.name === name)?.folder;
    const program = new WindowProgram(request, report);
    this.running = program;
    await program.start(folder, signal);
    return program;
  }

  async close(): Promise<void> {
    await this.running?.stop();
  }
}

interface FoundConfiguration {
  readonly folder: WorkspaceFolder;
  readonly configuration: LaunchConfiguration;
}

function listConfigurations(): readonly FoundConfiguration[] {
  return (workspace.workspaceFolders ?? []).flatMap(folder => {
    const given = workspace.getConfiguration('launch', folder.uri).get<unknown>('configurations');
    const all = Array.isArray(given) ? given.filter(isRecord) : [];
    return all.map(values => {
      const [name, type] = [textOrEmpty(values.name), textOrEmpty(values.type)];
      return { folder, configuration: { name, type, request: textOrEmpty(values.request), values } };
    });
  });
}

/** Requests that resume a program, which adapters need not report. */
const resuming = new Set(['continue', 'next', 'stepIn', 'stepOut', 'reverseContinue', 'stepBack']);

/** Requested location of a breakpoint. */
interface Place {
  readonly path: string;
  readonly line: number | undefined;
}

class WindowProgram implements DebuggedProgram {
  private readonly request: DebugStart;
  private readonly report: (event: DebugEvent) => void;
  private readonly name: string;
  private readonly disposables: Disposable[];
  private breakpoints: readonly SourceBreakpoint[] = [];
  /** Settled when VS Code says whether it starts. Never rejects. */
  private starting: Promise<void> | undefined;
  private root: DebugSession | undefined;
  /** The session whose program stopped last. */
  private current: DebugSession | undefined;
  private capabilities: Readonly<Record<string, unknown>> = {};
  /** Requested breakpoints, one of which may be the user's. */
  private wanted: readonly Breakpoint[] = [];
  /** Pending requests for breakpoints, by session and number. */
  private readonly asked = new Map<string, readonly Place[]>();
  private exitCode: number | undefined;
  /** Exception filters apply only once there is a session, which may be too late, so it waits at its first line. */
  private awaitsEntry: boolean;
  private isOver = false;

  constructor(request: DebugStart, report: (event: DebugEvent) => void) {
    this.request = request;
    this.report = report;
    this.awaitsEntry = request.stopsAtCaught;
    this.name = `${request.configuration.name} (Folio ${headOf(Math.random().toString(36).replace('0.', ''), 6)})`;
    this.disposables = [
      debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: session => (this.owns(session) ? this.track(session) : undefined),
      }),
      debug.onDidTerminateDebugSession(session => {
        if (session === this.root) this.end();
      }),
    ];
  }

  /** Rejects with a `DebugError` or the signal's reason, after everything of it has ended. */
  async start(folder: WorkspaceFolder | undefined, signal: AbortSignal): Promise<void> {
    const { configuration, breakpoints, stopsAtCaught } = this.request;
    await this.setBreakpoints(breakpoints);
    const { type, request, values } = configuration;
    const wanted = { ...values, type, request, name: this.name };
    const starting = Promise.resolve(
      debug.startDebugging(folder, stopsAtCaught ? { ...wanted, stopOnEntry: true } : wanted, {
        suppressDebugView: true,
      }),
    );
    const settled = () => {
      this.starting = undefined;
    };
    this.starting = starting.then(settled, settled);
    try {
      if (await abortable(starting, signal)) return;
    } catch (error) {
      await this.stop();
      throw signal.aborted ? error : new DebugError('VS Code did not start the program.', messageOf(error));
    }
    await this.stop();
    throw new DebugError('VS Code did not start the program; it tells the user why.');
  }

  async ask(command: DebugCommand, args: object): Promise<Readonly<Record<string, unknown>>> {
    const session = this.current ?? this.root;
    if (!session) throw new DebugError('The program has ended.');
    return await askSession(session, command, args);
  }

  async setBreakpoints(breakpoints: readonly Breakpoint[]): Promise<void> {
    debug.removeBreakpoints(this.breakpoints);
    this.wanted = breakpoints;
    const wanted = breakpoints.filter(each => !hasUsers(each));
    this.breakpoints = wanted.map(({ path, line, condition, log }) => {
      const place = new Location(Uri.file(path), new Position(line - 1, 0));
      return new SourceBreakpoint(place, true, condition, undefined, log);
    });
    debug.addBreakpoints(this.breakpoints);
  }

  async stopAtCaught(): Promise<void> {
    if (this.current) await this.setFilters(this.current);
  }

  async stop(): Promise<void> {
    // A starting program, or a task before it, cannot be cancelled, so it is ended once it has started.
    if (this.starting && !this.root)
      return void this.starting.then(() => this.stop()).catch(() => this.end());
    const { root } = this;
    if (root && !this.isOver) await debug.stopDebugging(root);
    this.end();
  }

  private owns(session: DebugSession): boolean {
    for (let each: DebugSession | undefined = session; each; each = each.parentSession)
      if (each.name === this.name) return true;
    return false;
  }

  private track(session: DebugSession): DebugAdapterTracker {
    if (!session.parentSession) this.root = session;
    return {
      onWillReceiveMessage: message => this.note(session, fieldsOf(message)),
      onDidSendMessage: message => this.hear(session, message),
    };
  }

  /** Responses contain neither file nor line of an unbound breakpoint. */
  private note(
    session: DebugSession,
    { command, seq, arguments: args }: Readonly<Record<string, unknown>>,
  ): void {
    if (command !== 'setBreakpoints') return;
    const { source, breakpoints } = fieldsOf(args);
    const path = toFilePath(textOrEmpty(fieldsOf(source).path));
    const all = Array.isArray(breakpoints) ? breakpoints : [];
    const places = all.map(each => ({ path, line: asNumber(fieldsOf(each).line) }));
    this.asked.set(`${session.id} ${seq}`, places);
  }

  private hear(session: DebugSession, message: DebugProtocolMessage): void {
    const { type, command, event, body, success, request_seq } = fieldsOf(message);
    if (type === 'response' && success === true)
      this.hearAnswer(textOrEmpty(command), fieldsOf(body), `${session.id} ${request_seq}`);
    if (type !== 'event') return;
    if (event === 'exited') this.exitCode = asNumber(fieldsOf(body).exitCode);
    const parsed = parseDebugEvent(textOrEmpty(event), body);
    if (parsed?.kind === 'stopped') this.current = session;
    if (parsed?.kind === 'stopped' && this.awaitsEntry) void this.enter(session, parsed);
    else if (parsed) this.tell(parsed);
  }

  private hearAnswer(command: string, body: Readonly<Record<string, unknown>>, to: string): void {
    if (command === 'initialize') this.capabilities = body;
    if (resuming.has(command)) this.tell({ kind: 'continued' });
    const places = this.asked.get(to) ?? [];
    this.asked.delete(to);
    if (command !== 'setBreakpoints' || !Array.isArray(body.breakpoints)) return;
    for (const [at, each] of body.breakpoints.entries()) {
      const place = places[at];
      // The same request includes the user's breakpoints.
      if (!this.wanted.some(({ path, line }) => path === place?.path && line === place.line)) continue;
      const event = parseBreakpoint({ ...fieldsOf(each), line: place?.line });
      if (event) this.tell(event);
    }
  }

  private async enter(session: DebugSession, stop: Extract<DebugEvent, { kind: 'stopped' }>): Promise<void> {
    this.awaitsEntry = false;
    try {
      await this.setFilters(session);
      if (stop.reason === 'entry') await customRequest(session, 'continue', { threadId: stop.threadId });
      else this.tell(stop);
    } catch (error) {
      this.tell({ kind: 'output', text: `${messageOf(error)}\n` });
      this.tell(stop);
    }
  }

  private async setFilters(session: DebugSession): Promise<void> {
    const filters = exceptionFilters(this.capabilities, true);
    await customRequest(session, 'setExceptionBreakpoints', { filters });
  }

  private tell(event: DebugEvent): void {
    if (!this.isOver) this.report(event);
  }

  private end(): void {
    if (this.isOver) return;
    this.tell({ kind: 'ended', exitCode: this.exitCode });
    this.isOver = true;
    debug.removeBreakpoints(this.breakpoints);
    for (const each of this.disposables) each.dispose();
  }
}

class UsersWindowProgram implements UserProgram {
  readonly name: string;
  readonly threadId: number;
  private readonly session: DebugSession;

  constructor({ session, threadId }: DebugStackFrame) {
    this.name = session.name;
    this.threadId = threadId;
    this.session = session;
  }

  async ask(command: InspectionCommand, args: object): Promise<Readonly<Record<string, unknown>>> {
    const frame = viewedFrame();
    if (frame?.session.id !== this.session.id || frame.threadId !== this.threadId)
      throw new DebugError("The user's program no longer stands there.");
    return await askSession(this.session, command, args);
  }
}

/** Only a paused program has frames. */
function viewedFrame(): DebugStackFrame | undefined {
  const { activeStackItem } = debug;
  return activeStackItem instanceof DebugStackFrame ? activeStackItem : undefined;
}

/** Returns whether Folio started it, for any session of this window. */
function isAgents(session: DebugSession): boolean {
  for (let each: DebugSession | undefined = session; each; each = each.parentSession)
    if (/ \(Folio [a-z0-9]+\)$/.test(each.name)) return true;
  return false;
}

async function askSession(
  session: DebugSession,
  command: DebugCommand,
  args: object,
): Promise<Readonly<Record<string, unknown>>> {
  const body = await customRequest(session, command, args);
  const { stackFrames } = body;
  return Array.isArray(stackFrames) ? { stackFrames: stackFrames.map(withFilePath) } : body;
}

function withFilePath(frame: unknown): unknown {
  const { source, ...rest } = fieldsOf(frame);
  const path = toFilePath(textOrEmpty(fieldsOf(source).path));
  return { ...rest, source: { ...fieldsOf(source), path } };
}

/** In a remote window VS Code turns paths into URIs. */
function toFilePath(path: string): string {
  return /^[\w-]{2,}:\/\//.test(path) ? Uri.parse(path).fsPath : path;
}

async function customRequest(
  session: DebugSession,
  command: string,
  args: object,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return fieldsOf(await session.customRequest(command, args));
  } catch (error) {
    throw new DebugError(`The debugger refused ${command}.`, oneLine(messageOf(error), 300));
  }
}

/** Returns whether the user has such a breakpoint there, which is shared and stays. */
function hasUsers({ path, line, condition, log }: Breakpoint): boolean {
  if (condition !== undefined || log !== undefined) return false;
  return debug.breakpoints.some(
    each =>
      each instanceof SourceBreakpoint &&
      each.enabled &&
      each.condition === undefined &&
      each.logMessage === undefined &&
      each.location.uri.fsPath === path &&
      each.location.range.start.line === line - 1,
  );
}
