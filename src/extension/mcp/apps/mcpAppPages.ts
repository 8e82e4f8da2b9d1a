import { t } from '../../../protocol/language.ts';
import type { SavedMcpApp } from '../../../protocol/values.ts';
import { LocalizedError } from '../../base/errors.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { ListedTool } from '../connection/parseListed.ts';
import type { McpServers } from '../mcpServers.ts';
import type { AppInput } from '../tools/saveAppInput.ts';
import { AppBridge, type AppHost } from './appBridge.ts';
import { AppHttpServer } from './appHttpServer.ts';
import { type AppliedCsp, appliedCsp, readAppPage } from './appPage.ts';

interface OpenApp {
  /** The address for the panel. */
  readonly address: string;
  /** Must be listed in the panel's policy. `undefined` for an address of this machine. */
  readonly origin: string | undefined;
  /** Origins that the page asks to reach. */
  readonly hosts: readonly string[];
  /** True if the user allowed the origins. */
  readonly isGranted: boolean;
  readonly csp: AppliedCsp;
  readonly given: PageInput;
  /** Returns the response to a message from the page, or `undefined` if none is expected. Never rejects. */
  take(text: string): Promise<string | undefined>;
  close(): void;
}

/**
 * Data of a call for its page, with the server's current description of the tool. `tool` is omitted if the server no
 * longer has it.
 */
type PageInput = Omit<AppInput, 'tool'> & { readonly tool?: object | undefined };

export class McpAppPages {
  private readonly servers: () => McpServers | undefined;
  private readonly files: Pick<FileSystem, 'readText'>;
  private readonly clock: Pick<Clock, 'now'>;
  private readonly http: AppHttpServer;
  /** Origins that a server's pages may reach until the window closes, by server. */
  private readonly granted = new Map<string, ReadonlySet<string>>();

  /** @param addressFor see `AppHttpServer` */
  constructor(
    servers: () => McpServers | undefined,
    files: Pick<FileSystem, 'readText'>,
    clock: Pick<Clock, 'now'>,
    addressFor?: (local: string) => Promise<string>,
  ) {
    this.servers = servers;
    this.files = files;
    this.clock = clock;
    this.http = new AppHttpServer(addressFor);
  }

  /** Rejects with a user-facing message. @param allowed origins that the user has seen and allowed */
  async open(
    { server: name, uri, path }: SavedMcpApp,
    allowed: readonly string[],
    user: AppHost,
    signal: AbortSignal,
  ): Promise<OpenApp> {
    const servers = this.servers();
    if (!servers?.showsApps) throw new LocalizedError(() => t('Pages of servers are disabled.'));
    const server = servers.find(name);
    const { tool: called, ...input } = parseInput(await this.readInput(path));
    const tool = server.lists.tools.find(each => each.name === called);
    const given = { ...input, tool: tool && describeForPage(tool) };
    const page = await readAppPage(server, uri, signal);
    const hosts = [...new Set([...page.connects, ...page.loads])];
    // A workspace server may have the same name as another server.
    const key = `${server.config.origin} ${name}`;
    const granted = new Set([...(this.granted.get(key) ?? []), ...allowed]);
    this.granted.set(key, granted);
    const isGranted = hosts.every(host => granted.has(host));
    const [connects, loads] = isGranted ? [page.connects, page.loads] : [[], []];
    const { address, origin, close } = await this.http.add({ html: page.html, connects, loads });
    const talk = new AppBridge(server, user, () => this.clock.now());
    return {
      address,
      origin,
      hosts,
      isGranted,
      csp: appliedCsp({ connects, loads }),
      given,
      take: text => talk.take(text),
      close,
    };
  }

  dispose(): void {
    this.http.dispose();
  }

  private async readInput(path: string): Promise<string> {
    try {
      return (await this.files.readText(path)).text;
    } catch {
      throw gone();
    }
  }
}

function gone(): LocalizedError {
  return new LocalizedError(() => t('The result is no longer there.'));
}

function parseInput(text: string): AppInput {
  const value = tryParseJson(text);
  if (!isRecord(value) || !isRecord(value.arguments) || !isRecord(value.result)) throw gone();
  const { tool, arguments: args, result } = value;
  return { tool: typeof tool === 'string' ? tool : undefined, arguments: args, result };
}

/** Describes the tool in the protocol's format. */
function describeForPage({ name, title, description, inputSchema, outputSchema, hints }: ListedTool): object {
  return { name, title, description, inputSchema, outputSchema, annotations: hints };
}
