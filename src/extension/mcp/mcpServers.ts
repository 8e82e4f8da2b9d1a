/* All servers of a window, as long as it lives. */

import type { Blob } from '../../protocol/events.ts';
import { t } from '../../protocol/language.ts';
import type { McpServer, McpStatus } from '../../protocol/panel/mcp.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { messageOf, SpokenError } from '../base/errors.ts';
import { headOf } from '../base/text.ts';
import type { Customization } from '../core/customizations/files/customization.ts';
import { extensionOf } from '../platform/customizations/customFiles.ts';
import { type ParsedServer, parseServer, startedServer } from './config/parseServer.ts';
import { isToolEnabled, type ServerConfig } from './config/serverConfig.ts';
import type { ListedPrompt, ListedResource, ListedTemplate } from './connection/listed.ts';
import { addResource, type ContentParts, noParts } from './content/parts.ts';
import { type PromptText, readPrompt } from './content/promptText.ts';
import type { McpPorts } from './ports.ts';
import { Server } from './server.ts';
import type { ServerLists } from './serverLists.ts';
import { loopbackRedirects } from './signIn/redirects.ts';

/** As `Additions.readServers` has it. */
export interface ServerEntry {
  readonly item: Customization;
  readonly state: 'enabled' | 'waiting' | 'refused' | 'disabled';
  /** Variables of the extension that brings it. */
  readonly given?: Readonly<Record<string, string>>;
  /** Values of them that are shown nowhere. */
  readonly secrets?: readonly string[];
  /** A sentence: why it cannot run yet. */
  readonly problem?: string;
}

export type ServerPrompt = ListedPrompt & { readonly server: string };
type ServerResource = ListedResource & { readonly server: string };
type ServerTemplate = ListedTemplate & { readonly server: string };

interface Known {
  readonly entry: ServerEntry;
  readonly parsed: ParsedServer;
  /** The configuration that it was made from; a changed one makes another server. */
  readonly made: string;
  /** Absent: it shall not run. */
  readonly server?: Server;
}

/** Changes are told at most this often. */
const notifyMs = 60;
const maxSignInMs = 5 * 60_000;

export class McpServers implements Disposable {
  private readonly around: McpPorts;
  private readonly changed = new Emitter<void>();
  private readonly store = new DisposableStore();
  private known: ReadonlyMap<string, Known> = new Map();
  private ending: Promise<unknown> = Promise.resolve();
  private notifying = false;
  private disposed = false;
  private count = 0;

  /** Told soon after something changed, many changes at once. */
  readonly onDidChange = this.changed.event;

  constructor(around: McpPorts) {
    this.around = around;
    this.store.add(this.changed);
    this.store.add(
      around.onDidChangeFolders(() => {
        for (const server of this.running) void server.reportFolders();
      }),
    );
  }

  /**
   * Takes on what is configured now: new servers start, all at once, changed ones start again, others end. To be called
   * again when trust or folders change. Returns at once.
   */
  set(entries: readonly ServerEntry[]): void {
    if (this.disposed) return;
    const before = this.known;
    const next = new Map<string, Known>();
    for (const entry of pickServers(entries)) {
      next.set(entry.item.name, this.keepOrStart(entry, before.get(entry.item.name)));
    }
    this.known = next;
    const gone = [...before].filter(([name, { server }]) => server && next.get(name)?.server !== server);
    this.ending = Promise.all([this.ending, ...gone.map(([, { server }]) => server?.stop())]);
    this.notify();
  }

  /** As the panel shows them. `shorten` makes a path short for the user. */
  list(shorten: (path: string) => string): readonly McpServer[] {
    return [...this.known.values()].map(each => this.describe(each, shorten));
  }

  schemas(name: string): readonly { readonly tool: string; readonly schema: unknown }[] {
    const tools = this.known.get(name)?.server?.lists.tools ?? [];
    return tools.map(({ name: tool, inputSchema: schema }) => ({ tool, schema }));
  }

  /** Servers that run or try to. */
  get running(): readonly Server[] {
    return [...this.known.values()].flatMap(({ server }) => server ?? []);
  }

  get showsApps(): boolean {
    return this.around.showsApps?.() ?? false;
  }

  /** Another number: the tools on offer may be others. */
  get version(): number {
    return this.count;
  }

  /** Servers whose tools the user does not want to be asked about. */
  get trusted(): readonly string[] {
    return this.running.flatMap(({ config }) => (config.trusted ? [config.name] : []));
  }

  prompts(): readonly ServerPrompt[] {
    return this.listed(({ prompts }) => prompts);
  }

  resources(): readonly ServerResource[] {
    return this.listed(({ resources }) => resources);
  }

  templates(): readonly ServerTemplate[] {
    return this.listed(({ templates }) => templates);
  }

  /** The servers' own instructions for the prompt. They are foreign text and must be fenced. */
  instructions(): readonly { readonly server: string; readonly text: string }[] {
    return this.running.flatMap(({ config, instructions }) =>
      instructions ? [{ server: config.name, text: headOf(instructions, maxInstructionsLength) }] : [],
    );
  }

  /** Rejects with a sentence. */
  async getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<PromptText> {
    const params = { name, arguments: args };
    return readPrompt(await this.find(server).request('prompts/get', params, signal));
  }

  /** Rejects with a sentence. */
  async readResource(server: string, uri: string, signal: AbortSignal): Promise<ResourceContent> {
    return readContent(await this.find(server).request('resources/read', { uri }, signal));
  }

  /** Rejects with a sentence when there is no such server that runs. */
  find(name: string): Server {
    const found = this.known.get(name)?.server;
    if (found) return found;
    const names = this.running.map(({ config }) => config.name);
    throw new SpokenError(() =>
      names.length === 0
        ? t('There is no server {0}. No server is running.', name)
        : t('There is no server {0}. Available: {1}.', name, names.join(', ')),
    );
  }

  /** The user did it. */
  restart(name: string): void {
    this.find(name).start({ asked: true });
  }

  /** Returns a sentence when it did not succeed. Shows a page in the browser, so only a click may lead here. */
  async signIn(
    name: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string | undefined> {
    const { user, redirects = loopbackRedirects } = this.around;
    try {
      const server = this.find(name);
      const signIn = await server.findSignIn();
      if (!signIn)
        return t('The server {0} has no sign-in: it does not use HTTP, or oauth is disabled.', name);
      if (!user) return t('No user can sign in to {0} in this run.', name);
      const limit = AbortSignal.timeout(maxSignInMs);
      const open = (address: string) => user.open(address);
      await signIn.signIn({ redirects, open }, AbortSignal.any([signal, limit]));
      server.start({ asked: true });
      return undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      const why =
        error instanceof Error && error.name === 'TimeoutError' ? t('no answer came.') : messageOf(error);
      return t('You are not signed in to {0}: {1}', name, why);
    }
  }

  /** Forgets the tokens, and what Folio was registered as. */
  async signOut(name: string): Promise<void> {
    const server = this.find(name);
    await (await server.findSignIn())?.signOut();
    server.start({ asked: true });
  }

  /** Ends all. */
  dispose(): void {
    void this.stop();
  }

  /** Resolves when no process of a server is left. Never rejects. */
  async stop(): Promise<void> {
    this.disposed = true;
    const running = this.running;
    this.known = new Map();
    this.store.dispose();
    await Promise.all([this.ending, ...running.map(server => server.stop())]);
    await this.around.processes.dispose();
  }

  private listed<T>(
    pick: (lists: ServerLists) => readonly T[],
  ): readonly (T & { readonly server: string })[] {
    return this.running.flatMap(({ config, lists }) =>
      pick(lists).map(each => ({ ...each, server: config.name })),
    );
  }

  private keepOrStart(entry: ServerEntry, before: Known | undefined): Known {
    const { trusted } = this.around;
    const { item, secrets } = entry;
    const parsed = this.parse(entry);
    const shallRun =
      entry.state === 'enabled' && trusted() && parsed.ok && parsed.config.source.kind !== 'vscode';
    // An update may change what a server starts and leave its entry as it was.
    const made = canonicalJson([shallRun, parsed, extensionOf(item.origin)?.installedAt ?? null]);
    if (before?.made === made) return { ...before, entry };
    if (!shallRun) return { entry, parsed, made };
    const server = this.make({ ...parsed.config, secrets });
    return { entry, parsed, made, server };
  }

  private parse({ item, given, problem }: ServerEntry): ParsedServer {
    if (problem !== undefined) return { ok: false, problem };
    const { env, home, folders, restrictions } = this.around;
    const parsed = parseServer(item, { env, home, folders: folders(), given });
    const refused = parsed.ok ? restrictions?.refuseServer(startedServer(parsed.config)) : undefined;
    return refused === undefined ? parsed : { ok: false, problem: refused };
  }

  private make(config: ServerConfig): Server {
    const server = new Server(config, this.around, () => this.notify());
    server.start({ asked: false });
    return server;
  }

  private describe({ entry, parsed, server }: Known, shorten: (path: string) => string): McpServer {
    const { item } = entry;
    const { tools = [], prompts = [], resources = [], templates = [] } = server?.lists ?? {};
    const source = parsed.ok ? parsed.config.source.kind : 'stdio';
    return {
      name: item.name,
      origin: item.origin.kind,
      file: shorten(item.path),
      transport: source,
      description: (parsed.ok && parsed.config.description) || undefined,
      status: server?.status ?? this.restingStatus(entry, parsed),
      tools: tools.map(({ name, description, readOnly }) => ({
        name,
        description,
        readOnly,
        enabled: parsed.ok && isToolEnabled(parsed.config, name),
        refused: server?.refusalOf(name),
      })),
      prompts: prompts.length,
      resources: resources.length + templates.length,
      lastLog: server?.lastLog,
    };
  }

  private restingStatus({ state }: ServerEntry, parsed: ParsedServer): McpStatus {
    if (state === 'disabled') return { kind: 'disabled' };
    if (!parsed.ok) return { kind: 'failed', reason: parsed.problem };
    if (state === 'enabled' && this.around.trusted()) {
      return { kind: 'failed', reason: t('VS Code runs this server automatically.') };
    }
    return { kind: 'waiting' };
  }

  private notify(): void {
    this.count++;
    if (this.notifying) return;
    this.notifying = true;
    void this.around.clock.sleep(notifyMs).then(() => {
      this.notifying = false;
      if (!this.disposed) this.changed.fire();
    });
  }
}

const maxInstructionsLength = 4_000;

/** When several share a name, the last that may run counts, else the last; one name has one row. */
function pickServers(entries: readonly ServerEntry[]): readonly ServerEntry[] {
  const picked = new Map<string, ServerEntry>();
  for (const entry of entries) {
    if (entry.item.kind !== 'server') continue;
    const before = picked.get(entry.item.name);
    if (before?.state === 'enabled' && entry.state !== 'enabled') continue;
    picked.set(entry.item.name, entry);
  }
  return [...picked.values()];
}

interface ResourceContent {
  /** The server's; to be fenced. */
  readonly text: string;
  readonly blobs: readonly Blob[];
  readonly parts: ContentParts;
}

/** From the answer to `resources/read`. */
function readContent(result: Readonly<Record<string, unknown>>): ResourceContent {
  const parts = noParts();
  if (Array.isArray(result.contents)) for (const each of result.contents) addResource(parts, each);
  return { text: parts.texts.join('\n\n'), blobs: parts.blobs, parts };
}
