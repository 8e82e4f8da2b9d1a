import type {
  ConnectAction,
  ConnectionMethodName,
  ConnectionStep,
  ConnectState,
} from '../../../protocol/panel/connecting.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { ApiKeyName } from '../../platform/secrets.ts';
import type { ConnectAttempt, ConnectionMethod, ConnectResult } from './connectionMethod.ts';

/** The state of connecting a model. A click aborts the previous one, whose late results are dropped. */
export class ConnectFlow implements Disposable {
  private readonly methods: Readonly<Record<ConnectionMethodName, ConnectionMethod>>;
  private readonly log: Log;
  private readonly changed = new Emitter<void>();
  private readonly connected = new Emitter<void>();
  private running = new AbortController();
  private reported: ConnectState = { known: {} };
  readonly onDidChange = this.changed.event;
  readonly onDidConnect = this.connected.event;

  constructor(methods: Readonly<Record<ConnectionMethodName, ConnectionMethod>>, log: Log) {
    this.methods = methods;
    this.log = log;
  }

  get connecting(): ConnectState {
    return this.reported;
  }

  /** Looks up known facts about each option. Failures leave it unknown. */
  async scan(): Promise<void> {
    const scans = Object.values(this.methods).map(async method => {
      const known = await method.known?.();
      if (known) this.notify({ ...this.reported, known: { ...this.reported.known, ...known } });
    });
    for (const scan of await Promise.allSettled(scans)) {
      if (scan.status === 'rejected')
        this.log.warn(`A way to a model is not known: ${messageOf(scan.reason)}`);
    }
  }

  start(name: ConnectionMethodName): Promise<void> {
    return this.run(name, attempt => this.methods[name].start(attempt));
  }

  async choose(id: string): Promise<void> {
    const name = this.reported.step?.way;
    if (name)
      await this.run(name, async attempt => (await this.methods[name].choose?.(id, attempt)) ?? 'left');
  }

  async act(action: ConnectAction): Promise<void> {
    const name = this.reported.step?.way;
    if (name)
      await this.run(name, async attempt => (await this.methods[name].act?.(action, attempt)) ?? 'left');
  }

  useKey(owner: ApiKeyName, key: string): Promise<void> {
    const name = owner === 'openai' ? 'server' : owner;
    return this.run(name, async attempt => (await this.methods[name].useKey?.(key, attempt)) ?? 'left');
  }

  /** Keeps a list that the user is choosing from. */
  stop(): void {
    this.running.abort();
    const { step } = this.reported;
    if (step?.status === 'working') this.show(step.way, undefined);
    else if (step?.status === 'choosing') this.show(step.way, { ...step, trying: undefined });
  }

  dispose(): void {
    this.running.abort();
    this.changed.dispose();
    this.connected.dispose();
  }

  private async run(
    name: ConnectionMethodName,
    work: (attempt: ConnectAttempt) => Promise<ConnectResult>,
  ): Promise<void> {
    this.running.abort();
    const own = new AbortController();
    this.running = own;
    const isCurrent = () => this.running === own && !own.signal.aborted;
    const show = (step: ConnectionStep) => void (isCurrent() && this.show(name, step));
    try {
      const attempted = await work({ signal: own.signal, show });
      if (!isCurrent()) return;
      if (attempted === 'connected' || attempted === 'left') this.show(name, undefined);
      else this.show(name, attempted);
      if (attempted === 'connected') this.connected.fire();
    } catch (error) {
      // The code that aborted it has shown the next step.
      if (!isCurrent()) return;
      this.log.error('A model could not be connected', error);
      this.show(name, { status: 'stuck', problem: messageOf(error), actions: ['again'] });
    }
  }

  private show(way: ConnectionMethodName, step: ConnectionStep | undefined): void {
    this.notify({ known: this.reported.known, step: step && { ...step, way } });
  }

  private notify(reported: ConnectState): void {
    this.reported = reported;
    this.changed.fire();
  }
}
