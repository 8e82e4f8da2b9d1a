import { parseArguments } from '../../src/extension/headless/arguments.ts';
import { HostClient } from '../../src/extension/headless/client/hostClient.ts';
import { type HeadlessAgent, openHeadlessAgent } from '../../src/extension/headless/headlessAgent.ts';
import type { Log } from '../../src/extension/platform/log.ts';
import { ActiveSession } from '../../src/extension/vscode/activeSession.ts';
import { BackgroundSessionList } from '../../src/extension/vscode/features/sessions/backgroundSessionList.ts';
import { BackgroundSessionPages } from '../../src/extension/vscode/features/sessions/backgroundSessionPages.ts';
import { BackgroundSessionWatcher } from '../../src/extension/vscode/features/sessions/backgroundSessionWatcher.ts';
import { HostHandover } from '../../src/extension/vscode/features/sessions/hostHandover.ts';
import type { BackgroundOrder } from '../../src/protocol/background.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';
import type { BackgroundWorld } from './backgroundWorld.ts';
import { environment, headlessEntry } from './headlessProgram.ts';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A window that shows sessions of the background host, without VS Code. */
export class WatchingWindow {
  private readonly made: HeadlessAgent;
  private readonly list: BackgroundSessionList;
  private readonly pages: BackgroundSessionPages;
  private following: { close(): void } | undefined;
  private isClosed = false;
  readonly session: ActiveSession;
  readonly sidebar = makePage('new');
  readonly tab = makePage('new:tab');
  /** Notifications for the user. */
  readonly notified: string[] = [];

  /** @param memory workspace state with the last session of the side bar, shared by windows */
  static async open(world: BackgroundWorld, memory: { last?: string | undefined }): Promise<WatchingWindow> {
    const parsed = parseArguments(['--prompt', 'None', ...world.places]);
    if (parsed === 'help') throw new Error('These are no arguments of a run.');
    const env = environment(world.home, { GEMINI_API_KEY: 'test' });
    const made = await openHeadlessAgent(parsed, { interactive: true, notify() {}, env });
    return new WatchingWindow(world, memory, made, env);
  }

  private constructor(
    { home, workspace }: BackgroundWorld,
    memory: { last?: string | undefined },
    made: HeadlessAgent,
    env: NodeJS.ProcessEnv,
  ) {
    this.made = made;
    const last = {
      read: () => memory.last,
      write: (id: string | undefined) => {
        memory.last = id;
      },
    };
    const preview = () => ({ folders: [workspace], model: emptySession.model, mode: emptySession.mode });
    const notify = (sentence: string) => void this.notified.push(sentence);
    this.session = new ActiveSession(async () => made.agent, last, preview, notify, log);
    const host = new HostClient(home, headlessEntry);
    const reach = (order: BackgroundOrder) => this.reach(host, order);
    const hosts = {
      connect: (order: BackgroundOrder) => host.connect(order),
      connectOrStart: reach,
      holds: (id: string) => host.holds(id),
    };
    const list = new BackgroundSessionList(
      hosts,
      async () => env as Record<string, string>,
      () => [workspace],
      log,
    );
    this.list = list;
    const hostSessions = {
      get sessions() {
        return list.sessions;
      },
      holds: (id: string) => list.holds(id),
      send: () => Promise.reject(new Error('Nothing is sent to a session that no page shows.')),
    };
    const panel = { feed: this.sidebar.feed, refresh() {} };
    const dialogs = { offerReturn: async () => false, report: notify };
    const watch = new BackgroundSessionWatcher(host, list, async () => false);
    this.pages = new BackgroundSessionPages(hostSessions, watch, this.session, panel, dialogs, log);
    const handover = new HostHandover(host, this.session, log);
    this.session.opened.takeBack = id => handover.take(id, taken => void taken.retry());
    this.session.showHosted = id => this.pages.restore(id, this.sidebar);
  }

  /** State of the session in the side bar. */
  get shown(): SessionState {
    return this.pages.stateOf(this.sidebar) ?? this.session.state;
  }

  /** True if it shows a session of the host, not one of the window. */
  get isWatching(): boolean {
    return this.pages.stateOf(this.sidebar) !== undefined && this.session.present === undefined;
  }

  /** Opens a session from the history. */
  async show(sessionId: string): Promise<void> {
    if (!(await this.list.holds(sessionId)) || !(await this.pages.show(sessionId, this.sidebar)))
      await this.session.switchTo(sessionId);
  }

  startNew(): Promise<void> {
    this.pages.leave(this.sidebar);
    return this.session.startNew();
  }

  restoreTab(sessionId: string): Promise<boolean> {
    return this.pages.restore(sessionId, this.tab);
  }

  tabState(): SessionState | undefined {
    return this.pages.stateOf(this.tab);
  }

  send(text: string): Promise<boolean> {
    return this.pages.take({ type: 'prompt.send', text, attachments: [], how: 'next' }, this.sidebar);
  }

  /** Connects to the host, unless the window is closed. */
  private async reach(host: HostClient, order: BackgroundOrder) {
    if (this.isClosed) throw new Error('The window is closed.');
    const connection = await host.connectOrStart(order);
    this.following = connection;
    return connection;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.following?.close();
    this.pages.dispose();
    await this.session.close();
    await this.made.dispose();
  }
}

function makePage(name: string) {
  return { name, isVisible: true, feed: { changed() {}, update() {}, deliver() {} } };
}
