import { randomUUID } from 'node:crypto';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import type { ProcessExit, Processes, ProcessSpec, RunningProcess } from '../../platform/processes.ts';
import { type DevContainer, processGroupExpression } from './devContainer.ts';

/**
 * Runs commands in a container, and starts it first if needed. The output of the start precedes the command's output.
 */
export class ContainerProcesses implements Processes {
  private readonly container: DevContainer;
  private readonly running = new Set<RunningProcess>();
  private readonly started = new Emitter<RunningProcess>();
  readonly onDidStart = this.started.event;

  constructor(container: DevContainer) {
    this.container = container;
  }

  start(spec: ProcessSpec): RunningProcess {
    const process = new ContainerProcess(this.container, spec);
    if (!spec.background) this.running.add(process);
    void process.exit.then(() => this.running.delete(process));
    this.started.fire(process);
    return process;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.running].map(each => each.stop()));
    this.container.close();
    this.started.dispose();
  }
}

class ContainerProcess implements RunningProcess {
  private readonly container: DevContainer;
  readonly spec: ProcessSpec;
  readonly exit: Promise<ProcessExit>;
  private readonly mark = randomUUID();
  private readonly stopped = new AbortController();
  private readonly written = new Emitter<string>();
  readonly onDidWrite = this.written.event;
  private client: RunningProcess | undefined;
  private isKept = false;

  constructor(container: DevContainer, spec: ProcessSpec) {
    this.container = container;
    this.spec = spec;
    this.exit = this.run();
  }

  /** Process id of the client on this machine. */
  get pid(): number | undefined {
    return this.client?.pid;
  }

  get groupInside(): string | undefined {
    return this.spec.background ? processGroupExpression(this.mark) : undefined;
  }

  keep(): void {
    this.isKept = true;
    this.client?.keep?.();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    const wasThere = await this.container.end(this.mark);
    await this.client?.stop();
    // The client may have just requested it from the engine.
    if (!wasThere && this.client) await this.container.end(this.mark);
    await this.exit;
  }

  private async run(): Promise<ProcessExit> {
    const { container, spec, stopped, mark } = this;
    try {
      await container.ready(text => this.written.fire(text), stopped.signal);
      const client = container.exec(spec, mark);
      this.client = client;
      if (this.isKept) client.keep?.();
      client.onDidWrite(text => this.written.fire(text));
      const exit = await client.exit;
      // The CLI leaves a client running that it used to read the user's variables.
      await client.stop();
      return { ...exit, leftRunning: [] };
    } catch (error) {
      if (stopped.signal.aborted) return { code: null, signal: 'SIGTERM', leftRunning: [] };
      return { code: null, signal: null, failure: messageOf(error), leftRunning: [] };
    }
  }
}
