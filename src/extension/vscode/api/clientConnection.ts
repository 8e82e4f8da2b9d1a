import type { SessionEvent, TurnEnd } from '../../../protocol/events.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { Log } from '../../platform/log.ts';
import { apiError } from './apiError.ts';
import { checkFunction, checkHook, checkPrompt, checkProvider, checkTool } from './checkInput.ts';
import { ClientEvents, toFolioTurnEnd } from './clientEvents.ts';
import type { ClientExtensions } from './clientExtensions.ts';
import type { CheckSchema } from './clientTool.ts';
import type {
  FolioConnection,
  FolioContextProvider,
  FolioDisposable,
  FolioEvent,
  FolioHook,
  FolioPromptOptions,
  FolioTool,
  FolioTurn,
} from './folioApi.ts';

/** Parts of the window that a connection needs. */
export interface ClientHost {
  readonly clientExtensions: ClientExtensions;
  readonly checkSchema: CheckSchema;
  readonly log: Log;
  /** Events of all open sessions. */
  readonly onEvent: Event<{ readonly session: { readonly id: string }; readonly event: SessionEvent }>;
  isBusy(): boolean;
  /** Resolves once a prompt can be sent. */
  prepare(): Promise<void>;
  startNewSession(): Promise<void>;
  /** `shown` is displayed to the user. Returns `undefined` if the agent is busy and the prompt was not sent. */
  send(
    shown: string,
    wording: string,
  ): Promise<{ readonly sessionId: string; readonly end: TurnEnd } | undefined>;
  stop(why: string): Promise<void>;
}

/** The connection of one extension. */
export class ClientConnection implements FolioConnection {
  private readonly extensionId: string;
  private readonly file: string;
  private readonly host: ClientHost;
  private readonly store = new DisposableStore();
  private disposed = false;

  /** @param file absolute, of the extension; opened when the user asks who registered a hook */
  constructor(extensionId: string, file: string, host: ClientHost) {
    this.extensionId = extensionId;
    this.file = file;
    this.host = host;
  }

  async sendPrompt(text: string, options?: FolioPromptOptions): Promise<FolioTurn> {
    this.checkOpen();
    checkPrompt(text, options);
    const { host, extensionId } = this;
    if (host.isBusy()) throw busy();
    await host.prepare();
    if (options?.newSession) await host.startNewSession();
    const turn = await host.send(`[${extensionId}] ${text}`, text);
    if (!turn) throw busy();
    return Object.freeze({ sessionId: turn.sessionId, end: Object.freeze(toFolioTurnEnd(turn.end)) });
  }

  async abort(): Promise<void> {
    this.checkOpen();
    await this.host.stop(`The extension ${this.extensionId} stopped the agent`);
  }

  onEvent(listener: (event: FolioEvent) => void): FolioDisposable {
    this.checkOpen();
    checkFunction(listener, 'The listener of onEvent');
    const sessions = new Map<string, ClientEvents>();
    return this.own(
      this.host.onEvent(({ session, event }) => {
        const events = sessions.get(session.id) ?? new ClientEvents(session.id);
        sessions.set(session.id, events);
        for (const each of events.addEvent(event)) this.notify(listener, each);
      }),
    );
  }

  registerTool(tool: FolioTool): FolioDisposable {
    this.checkOpen();
    const { clientExtensions, checkSchema } = this.host;
    return this.own(clientExtensions.addTool(this.extensionId, checkTool(tool), checkSchema));
  }

  registerContext(provider: FolioContextProvider): FolioDisposable {
    this.checkOpen();
    return this.own(this.host.clientExtensions.addContext(this.extensionId, checkProvider(provider)));
  }

  registerHook(hook: FolioHook): FolioDisposable {
    this.checkOpen();
    return this.own(this.host.clientExtensions.addHook(this.extensionId, this.file, checkHook(hook)));
  }

  dispose(): void {
    this.disposed = true;
    this.store.dispose();
  }

  /** An error in another extension must not affect the work, and the work does not wait for its listener. */
  private notify(listener: (event: FolioEvent) => unknown, event: FolioEvent): void {
    queueMicrotask(async () => {
      try {
        await listener(event);
      } catch (error) {
        this.host.log.warn(
          `The extension ${this.extensionId} failed to hear ${event.type}: ${String(error)}`,
        );
      }
    });
  }

  /** Also disposed with the connection. */
  private own(item: Disposable): FolioDisposable {
    this.store.add(item);
    return Object.freeze(toDisposable(() => item.dispose()));
  }

  private checkOpen(): void {
    if (this.disposed) throw apiError('disposed', 'The connection to Folio was disposed. Connect again.');
  }
}

function busy(): Error {
  return apiError('busy', 'The agent works already. Wait for "turn.ended", or call abort first.');
}
