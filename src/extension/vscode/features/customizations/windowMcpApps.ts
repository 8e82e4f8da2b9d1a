/* MCP apps in the panel. Each belongs to a call that a page of the panel shows. */

import { randomUUID } from 'node:crypto';
import { t } from '../../../../protocol/language.ts';
import type { ShownApp } from '../../../../protocol/panel/messages.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import type { SavedMcpApp } from '../../../../protocol/values.ts';
import { LocalizedError, messageOf } from '../../../base/errors.ts';
import { oneLine } from '../../../base/text.ts';
import { McpAppContexts } from '../../../core/context/mcpAppContexts.ts';
import type { Session } from '../../../core/session/session.ts';
import type { AnyTool } from '../../../core/tool.ts';
import { findItem } from '../../findCall.ts';
import type { PanelPage } from '../../panel/panelPage.ts';
import type { PanelView } from '../../panel/panelView.ts';

type Calling = Pick<Session, 'id' | 'state' | 'busy' | 'onEvent' | 'runOwnCall' | 'environmentContext'>;

interface OpenApp extends Omit<ShownApp, 'id'> {
  readonly origin: string | undefined;
  take(text: string): Promise<string | undefined>;
  close(): void;
}

interface AppHost {
  call(tool: AnyTool, args: Readonly<Record<string, unknown>>): Promise<void>;
  openLink(address: string): Promise<void>;
  saveFile(file: OfferedFile): Promise<boolean>;
  draft(text: string): void;
  addContext(text: string): void;
}

/** Same shape as in `mcp/apps/appFile.ts`. */
interface OfferedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** Same shape as in `mcp/apps/serverApps.ts`. */
interface Apps {
  open(app: SavedMcpApp, allowed: readonly string[], user: AppHost, signal: AbortSignal): Promise<OpenApp>;
}

interface Shown {
  readonly page: PanelPage;
  readonly callId: string;
  readonly app: OpenApp;
  readonly session: Calling;
  /** Identity of the panel's page. After a reload the page no longer has a frame for the app. */
  readonly shownIn: object | undefined;
}

type Panel = Pick<PanelView, 'sessionOf' | 'notify'>;

/** Maximal number of open apps. The oldest stops answering. */
const most = 20;
const maxOpenMs = 30_000;

export class WindowMcpApps {
  private readonly apps: Apps;
  private readonly panel: Panel;
  private readonly contexts = new WeakMap<Calling, McpAppContexts>();
  private readonly shown = new Map<string, Shown>();
  private isAsking = false;

  constructor(apps: Apps, panel: Panel) {
    this.apps = apps;
    this.panel = panel;
  }

  /** @param hosts that the user allows the app to reach */
  async show(page: PanelPage, callId: string, hosts: readonly string[]): Promise<void> {
    const session = this.panel.sessionOf(page);
    const kept = session && appOf(session.state, callId);
    if (!kept) return;
    this.forget(each => each.page === page && each.callId === callId);
    try {
      const id = randomUUID();
      const user = this.userAt(page, session, kept.server, id);
      const app = await this.apps.open(kept, hosts, user, AbortSignal.timeout(maxOpenMs));
      if (app.origin !== undefined && app.origin !== page.frames) {
        app.close();
        return await allowFrames(page, app.origin);
      }
      this.shown.set(id, { page, callId, app, session, shownIn: page.feed.showing });
      if (this.shown.size > most) this.forget((_, at) => at === 0);
      const { address, hosts: wanted, isGranted, csp, given } = app;
      page.feed.deliver({
        type: 'app.told',
        callId,
        app: { id, address, hosts: wanted, isGranted, csp, given },
      });
    } catch (error) {
      page.feed.deliver({ type: 'app.told', callId, problem: messageOf(error) });
    }
  }

  /** Handles a message of the app. */
  async take(page: PanelPage, app: string, message: string): Promise<void> {
    const shown = this.shown.get(app);
    if (shown?.page !== page) return;
    const text = await shown.app.take(message);
    if (text !== undefined) page.feed.deliver({ type: 'app.answered', app, text });
  }

  /** Excludes the app's text from the prompt, at the user's request. */
  leaveOut(page: PanelPage, app: string): void {
    const session = this.panel.sessionOf(page);
    if (session) this.contexts.get(session)?.leaveOut(app);
  }

  private forget(isMeant: (shown: Shown, at: number) => boolean): void {
    for (const [at, [id, shown]] of [...this.shown].entries()) {
      if (!isMeant(shown, at)) continue;
      shown.app.close();
      this.shown.delete(id);
      this.contexts.get(shown.session)?.remove(id);
    }
  }

  private contextsOf(session: Calling): McpAppContexts {
    const present = this.contexts.get(session);
    if (present) return present;
    const announce = () =>
      this.panel.notify(page => {
        const shown = this.panel.sessionOf(page);
        const contexts = shown && this.contexts.get(shown);
        return { type: 'app.adds', additions: contexts?.waiting ?? [] };
      });
    const contexts = new McpAppContexts(app => this.isOpen(app, session), announce);
    this.contexts.set(session, contexts);
    session.environmentContext.add(contexts);
    session.onEvent(event => contexts.hear(event, session.state.queue.length));
    return contexts;
  }

  /** Returns whether a page of the panel still has the frame, and the session still has the call. */
  private isOpen(app: string, session: Calling): boolean {
    const shown = this.shown.get(app);
    if (shown?.session !== session || shown.shownIn !== shown.page.feed.showing) return false;
    return appOf(session.state, shown.callId) !== undefined;
  }

  /** Changes nothing while a card asks, so that no line moves the prompt. */
  private addContext(session: Calling, app: string, server: string, text: string): void {
    if (!this.isOpen(app, session)) throw new LocalizedError(() => t('The page is closed.'));
    if (session.state.activity.status === 'waiting')
      throw new LocalizedError(() => t('The user is deciding on a call. Try again later.'));
    if (!this.contextsOf(session).set(app, oneLine(server, 60), text))
      throw new LocalizedError(() => t('Too many pages add to the next prompt.'));
  }

  private userAt(page: PanelPage, session: Calling, server: string, id: string): AppHost {
    return {
      call: (tool, args) => callAtRest(session, server, tool, args),
      openLink: address => this.openLink(server, address),
      saveFile: file =>
        this.askOnce(async () => (await import('./windowQuestions.ts')).offerToSave(server, file)),
      draft: text =>
        page.feed.deliver({
          type: 'composer.filled',
          text,
          attachments: [],
          hint: t(
            'The page of the server {0} wrote this. Nothing is sent before you send it.',
            oneLine(server, 60),
          ),
        }),
      addContext: text => this.addContext(session, id, server, text),
    };
  }

  private async openLink(server: string, address: string): Promise<void> {
    if (!/^https?:\/\//i.test(address))
      throw new LocalizedError(() => t('Only web addresses are opened from here.'));
    await this.askOnce(async () => {
      const { confirmOpen, openAddress } = await import('./windowQuestions.ts');
      const opens = await confirmOpen(server, t('A page of this server asks for it.'), address);
      if (!opens) throw new LocalizedError(() => t('The user did not open it.'));
      await openAddress(address);
    });
  }

  /** Asks one question at a time, so that an app cannot flood the window. */
  private async askOnce<T>(ask: () => Promise<T>): Promise<T> {
    if (this.isAsking) throw new LocalizedError(() => t('The user is deciding on another link or file.'));
    this.isAsking = true;
    try {
      return await ask();
    } finally {
      this.isAsking = false;
    }
  }
}

function appOf(state: SessionState, callId: string): SavedMcpApp | undefined {
  const item = findItem(state, callId);
  if (item?.type !== 'call' || item.status.kind !== 'ended') return undefined;
  return item.status.display.app;
}

/**
 * Reloads the document with a policy that allows the app's origin. Allows one origin per page: an origin that keeps
 * changing would otherwise reload the page endlessly.
 */
async function allowFrames(page: PanelPage, origin: string): Promise<void> {
  if (page.frames !== undefined)
    throw new LocalizedError(() =>
      t('Its address is another one than before: {0}. Reload the window.', origin),
    );
  await page.allowFrames(origin);
}

/** A running turn comes first. The app waits for its end. */
async function callAtRest(
  session: Calling,
  server: string,
  tool: AnyTool,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  while (session.busy) await nextEnd(session);
  const deed = `a page of the server ${oneLine(server, 60)}, which they see, called its tool ${oneLine(tool.of?.tool ?? tool.name, 60)}`;
  const text = t('Page of the server {0}: {1}', oneLine(server, 60), oneLine(tool.of?.tool ?? tool.name, 60));
  const end = await session.runOwnCall(text, { tool, args, deed, by: 'page' });
  if (end.kind === 'failed') throw new LocalizedError(() => end.trouble.message);
}

function nextEnd(session: Pick<Calling, 'onEvent'>): Promise<void> {
  return new Promise(resolve => {
    const subscription = session.onEvent(({ type }) => {
      if (type !== 'turn.ended') return;
      subscription.dispose();
      resolve();
    });
  });
}
