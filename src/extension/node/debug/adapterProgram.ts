/*
 * A program under a debug adapter in a separate process. The protocol starts it in this order:
 *
 *   initialize ─► launch or attach ─► (event initialized) ─► breakpoints, filters ─► configurationDone
 *                        └── is answered only here ◄─────────────────────────────────────────┘
 */

import { abortable } from '../../base/abort.ts';
import {
  asNumber,
  exceptionFilters,
  parseBreakpoint,
  parseDebugEvent,
} from '../../platform/debug/adapterMessages.ts';
import {
  type Breakpoint,
  type DebugCommand,
  DebugError,
  type DebugEvent,
  type DebuggedProgram,
  type DebugStart,
} from '../../platform/debug/debugger.ts';
import type { ServerProcess } from '../../platform/serverProcesses.ts';
import { AdapterConnection } from './adapterConnection.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/** Time for the program to end with its adapter's help, milliseconds. */
const goodbyeMs = 2_000;

export class AdapterProgram implements DebuggedProgram {
  private readonly process: ServerProcess;
  private readonly connection: AdapterConnection;
  private readonly report: (event: DebugEvent) => void;
  private capabilities: Capabilities = {};
  /** Files that have or had breakpoints of ours. */
  private readonly files = new Set<string>();
  private isReady = () => {};
  private readonly ready = new Promise<void>(resolve => {
    this.isReady = resolve;
  });
  private exitCode: number | undefined;
  private isOver = false;

  constructor(process: ServerProcess, report: (event: DebugEvent) => void) {
    this.process = process;
    this.report = report;
    this.connection = new AdapterConnection(process, (event, body) => this.hear(event, body));
    void this.connection.ended.then(() => this.end());
  }

  /** Rejects with a `DebugError` or the signal's reason; the adapter has then ended. */
  async start(request: DebugStart, signal: AbortSignal): Promise<void> {
    try {
      await abortable(this.begin(request), signal);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  ask(command: DebugCommand, args: object): Promise<Readonly<Record<string, unknown>>> {
    return this.connection.request(command, args);
  }

  async setBreakpoints(breakpoints: readonly Breakpoint[]): Promise<void> {
    for (const { condition, log } of breakpoints) {
      if (condition !== undefined) this.mustHave('supportsConditionalBreakpoints', 'conditions');
      if (log !== undefined) this.mustHave('supportsLogPoints', 'logpoints');
    }
    for (const { path } of breakpoints) this.files.add(path);
    for (const path of this.files) {
      const ofFile = breakpoints.filter(each => each.path === path);
      const answer = await this.connection.request('setBreakpoints', {
        source: { path },
        breakpoints: ofFile.map(({ line, condition, log }) => ({ line, condition, logMessage: log })),
      });
      const bound = Array.isArray(answer.breakpoints) ? answer.breakpoints : [];
      for (const [at, each] of bound.entries()) {
        const event = parseBreakpoint({ ...each, line: ofFile[at]?.line });
        if (event) this.report(event);
      }
    }
  }

  stopAtCaught(): Promise<void> {
    return this.setFilters(true);
  }

  async stop(): Promise<void> {
    let takeBack: NodeJS.Timeout | undefined;
    const goodbye = this.connection.request('disconnect', { terminateDebuggee: true }).catch(() => {
      // The adapter has ended, or is about to.
    });
    await Promise.race([
      goodbye,
      new Promise(resolve => {
        takeBack = setTimeout(resolve, goodbyeMs);
      }),
    ]);
    clearTimeout(takeBack);
    await this.process.stop();
    this.end();
  }

  private async begin(request: DebugStart): Promise<void> {
    const { configuration, breakpoints, stopsAtCaught } = request;
    this.capabilities = await this.connection.request('initialize', {
      clientID: 'folio',
      adapterID: configuration.type,
      pathFormat: 'path',
      linesStartAt1: true,
      columnsStartAt1: true,
      supportsRunInTerminalRequest: false,
    });
    const launched = this.connection.request(configuration.request, configuration.values);
    // A refused launch never becomes ready, so wait for whichever comes first.
    await Promise.race([this.ready, launched]);
    await this.setBreakpoints(breakpoints);
    await this.setFilters(stopsAtCaught);
    if (this.capabilities.supportsConfigurationDoneRequest === true)
      await this.connection.request('configurationDone', {});
    await launched;
  }

  private async setFilters(stopsAtCaught: boolean): Promise<void> {
    const filters = exceptionFilters(this.capabilities, stopsAtCaught);
    if (filters.length > 0) await this.connection.request('setExceptionBreakpoints', { filters });
  }

  private mustHave(capability: string, name: string): void {
    if (this.capabilities[capability] !== true) throw new DebugError(`This debugger knows no ${name}.`);
  }

  private hear(event: string, body: unknown): void {
    if (event === 'initialized') this.isReady();
    if (event === 'exited') this.exitCode = asNumber((body as { exitCode?: unknown } | undefined)?.exitCode);
    if (event === 'terminated') {
      this.end();
      // The program has ended, so the adapter is not needed any more.
      void this.process.stop();
      return;
    }
    const parsed = parseDebugEvent(event, body);
    if (parsed && !this.isOver) this.report(parsed);
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.report({ kind: 'ended', exitCode: this.exitCode });
  }
}
