/* All servers of a window, during its lifetime. */

import type { Blob } from '../../protocol/events.ts';
import { t } from '../../protocol/language.ts';
import type { McpServer, McpStatus } from '../../protocol/panel/mcp.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { LocalizedError, messageOf } from '../base/errors.ts';
import { headOf } from '../base/text.ts';
import type { Customization } from '../core/customizations/files/customization.ts';
import { extensionOf } from '../platform/customizations/customFiles.ts';
import { type ParsedServer, parseServer, serverToStart } from './config/parseServer.ts';
import { isToolEnabled, type ServerConfig } from './config/serverConfig.ts';
import type { ListedPrompt, ListedResource, ListedTemplate } from './connection/parseListed.ts';
import { addResource, type ContentParts, emptyParts } from './content/contentParts.ts';
import { type PromptText, parsePromptAnswer } from './content/promptText.ts';
import { ManagedServer } from './managedServer.ts';
import type { McpPorts } from './ports.ts';
import type { ServerLists } from './serverLists.ts';
import { loopbackRedirects } from './signIn/redirects.ts';

/** An entry from `LoadedCustomizations.readServers`. */
export interface ConfiguredServer {
  readonly item: Customization;
  readonly state: 'enabled' | 'waiting' | 'refused' | 'disabled';
  /** Variables of the extension that contributes it. */
  readonly given?: Readonly<Record<string, string>>;
  /** Values of them to mask everywhere. */
  readonly secrets?: readonly string[];
  /** Why it cannot run yet, as a user-facing message. */
  readonly problem?: string;
}

export type ServerPrompt = ListedPrompt & { readonly server: string };
type ServerResource = ListedResource & { readonly server: string };
type ServerTemplate = ListedTemplate & { readonly server: string };

interface Known {
  readonly entry: ConfiguredServer;
  readonly parsed: ParsedServer;
  /** The configuration that it was created from. A changed one creates another server. */
  readonly made: string;
  /** Omitted if it must not run. */
  readonly server?: ManagedServer;
}

/** Minimum interval of change events. */
const notifyMs = 60;
const maxSignInMs = 5 * 60_000;

export class McpServers implements Disposable {
  private readonly ports: McpPorts;
  private readonly changed = new Emitter<void>();
  private readonly store = new DisposableStore();
  private known: ReadonlyMap<string, Known> = new Map();
  private ending: Promise<unknown> = Promise.resolve();
  private notifying = false;
  private disposed = false;
  private count = 0;

  /** Fires soon after a change. Many changes cause one event. */
  readonly onDidChange = this.changed.event;

  constructor(ports: McpPorts) {
    this.ports = ports;
    this.store.add(this.changed);
    this.store.add(
      ports.onDidChangeFolders(() => {
        for (const server of this.running) void server.reportFolders();
      }),
    );
  }

  /**
   * Applies the configuration: starts new servers in parallel, restarts changed ones, stops the rest. Call again when
   * trust or folders change. Returns at once.
   */
  set(entries: readonly ConfiguredServer[]): void {
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

  /** The list for the panel. `shorten` shortens a path for display. */
  list(shorten: (path: string) => string): readonly McpServer[] {
    return [...this.known.values()].map(each => this.describe(each, shorten));
  }

  schemas(name: string): readonly { readonly tool: string; readonly schema: unknown }[] {
    const tools = this.known.get(name)?.server?.lists.tools ?? [];
    return tools.map(({ name: tool, inputSchema: schema }) => ({ tool, schema }));
  }

  /** Servers that run or are starting. */
  get running(): readonly ManagedServer[] {
    return [...this.known.values()].flatMap(({ server }) => server ?? []);
  }

  get showsApps(): boolean {
    return this.ports.showsApps?.() ?? false;
  }

  /** Changes whenever the tools on offer may have changed. */
  get version(): number {
    return this.count;
  }

  /** Servers whose tools need no confirmation by the user. */
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

  /** The servers' instructions for the prompt. They are untrusted and must be fenced. */
  instructions(): readonly { readonly server: string; readonly text: string }[] {
    return this.running.flatMap(({ config, instructions }) =>
      instructions ? [{ server: config.name, text: headOf(instructions, maxInstructionsLength) }] : [],
    );
  }

  /** Rejects with a user-facing message. */
  async getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<PromptText> {
    const params = { name, arguments: args };
    return parsePromptAnswer(await this.find(server).request('prompts/get', params, signal));
  }

  /** Rejects with a user-facing message. */
  async readResource(server: string, uri: string, signal: AbortSignal): Promise<ResourceContent> {
    return readContent(await this.find(server).request('resources/read', { uri }, signal));
  }

  /** Throws a user-facing message if no such server runs. */
  find(name: string): ManagedServer {
    const found = this.known.get(name)?.server;
    if (found) return found;
    const names = this.running.map(({ config }) => config.name);
    throw new LocalizedError(() =>
      names.length === 0
        ? t('There is no server {0}. No server is running.', name)
        : t('There is no server {0}. Available: {1}.', name, names.join(', ')),
    );
  }

  /** Only for a request of the user. */
  restart(name: string): void {
    this.find(name).start({ asked: true });
  }

  /** Returns a message if it failed. Opens a page in the browser, so call it only after a click. */
  async signIn(
    name: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string | undefined> {
    const { user, redirects = loopbackRedirects } = this.ports;
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

  /** Deletes the tokens and the client registration. */
  async signOut(name: string): Promise<void> {
    const server = this.find(name);
    await (await server.findSignIn())?.signOut();
    server.start({ asked: true });
  }

  dispose(): void {
    void this.stop();
  }

  /** Resolves when no server process is left. Never rejects. */
  async stop(): Promise<void> {
    this.disposed = true;
    const running = this.running;
    this.known = new Map();
    this.store.dispose();
    await Promise.all([this.ending, ...running.map(server => server.stop())]);
    await this.ports.processes.dispose();
  }

  private listed<T>(
    pick: (lists: ServerLists) => readonly T[],
  ): readonly (T & { readonly server: string })[] {
    return this.running.flatMap(({ config, lists }) =>
      pick(lists).map(each => ({ ...each, server: config.name })),
    );
  }

  private keepOrStart(entry: ConfiguredServer, before: Known | undefined): Known {
    const { trusted } = this.ports;
    const { item, secrets } = entry;
    const parsed = this.parse(entry);
    const shallRun =
      entry.state === 'enabled' && trusted() && parsed.ok && parsed.config.source.kind !== 'vscode';
    // An update may change what a server starts but not its entry.
    const made = canonicalJson([shallRun, parsed, extensionOf(item.origin)?.installedAt ?? null]);
    if (before?.made === made) return { ...before, entry };
    if (!shallRun) return { entry, parsed, made };
    const server = this.make({ ...parsed.config, secrets });
    return { entry, parsed, made, server };
  }

  private parse({ item, given, problem }: ConfiguredServer): ParsedServer {
    if (problem !== undefined) return { ok: false, problem };
    const { env, home, folders, restrictions } = this.ports;
    const parsed = parseServer(item, { env, home, folders: folders(), given });
    const refused = parsed.ok ? restrictions?.refuseServer(serverToStart(parsed.config)) : undefined;
    return refused === undefined ? parsed : { ok: false, problem: refused };
  }

  private make(config: ServerConfig): ManagedServer {
    const server = new ManagedServer(config, this.ports, () => this.notify());
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

  private restingStatus({ state }: ConfiguredServer, parsed: ParsedServer): McpStatus {
    if (state === 'disabled') return { kind: 'disabled' };
    if (!parsed.ok) return { kind: 'failed', reason: parsed.problem };
    if (state === 'enabled' && this.ports.trusted()) {
      return { kind: 'failed', reason: t('VS Code runs this server automatically.') };
    }
    return { kind: 'waiting' };
  }

  private notify(): void {
    this.count++;
    if (this.notifying) return;
    this.notifying = true;
    void this.ports.clock.sleep(notifyMs).then(() => {
      this.notifying = false;
      if (!this.disposed) this.changed.fire();
    });
  }
}

const maxInstructionsLength = 4_000;

/** If several entries share a name, the last that may run counts, else the last. Each name has one row. */
function pickServers(entries: readonly ConfiguredServer[]): readonly ConfiguredServer[] {
  const picked = new Map<string, ConfiguredServer>();
  for (const entry of entries) {
    if (entry.item.kind !== 'server') continue;
    const before = picked.get(entry.item.name);
    if (before?.state === 'enabled' && entry.state !== 'enabled') continue;
    picked.set(entry.item.name, entry);
  }
  return [...picked.values()];
}

interface ResourceContent {
  /** The server's text, to be fenced. */
  readonly text: string;
  readonly blobs: readonly Blob[];
  readonly parts: ContentParts;
}

/** Parses the answer to `resources/read`. */
function readContent(result: Readonly<Record<string, unknown>>): ResourceContent {
  const parts = emptyParts();
  if (Array.isArray(result.contents)) for (const each of result.contents) addResource(parts, each);
  return { text: parts.texts.join('\n\n'), blobs: parts.blobs, parts };
}
