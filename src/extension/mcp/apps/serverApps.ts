/* Pages of the servers of a window. */

import { t } from '../../../protocol/language.ts';
import type { SavedApp } from '../../../protocol/values.ts';
import { SpokenError } from '../../base/errors.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { ListedTool } from '../connection/listed.ts';
import type { McpServers } from '../mcpServers.ts';
import type { AppInput } from '../tools/keepApp.ts';
import { type AppliedCsp, appliedCsp, readAppPage } from './appPage.ts';
import { AppServer } from './appServer.ts';
import { AppTalk, type AppUser } from './appTalk.ts';

interface OpenApp {
  /** Where the panel finds it. */
  readonly address: string;
  /** The panel's policy has to name it; `undefined` for an address of this machine. */
  readonly origin: string | undefined;
  /** Origins that the page wants to reach. */
  readonly hosts: readonly string[];
  /** The user let it. */
  readonly isGranted: boolean;
  readonly csp: AppliedCsp;
  readonly given: PageInput;
  /** Gives the answer to a message of the page; `undefined` where none is wanted. Never rejects. */
  take(text: string): Promise<string | undefined>;
  close(): void;
}

/** Input of a page from its call, with the tool as the server describes it now; absent: it has it no longer. */
type PageInput = Omit<AppInput, 'tool'> & { readonly tool?: object | undefined };

export class ServerApps {
  private readonly servers: () => McpServers | undefined;
  private readonly files: Pick<FileSystem, 'readText'>;
  private readonly clock: Pick<Clock, 'now'>;
  private readonly http: AppServer;
  /** Origins that pages of a server may reach until the window closes, by its name. */
  private readonly granted = new Map<string, ReadonlySet<string>>();

  /** @param addressFor as `AppServer` has it */
  constructor(
    servers: () => McpServers | undefined,
    files: Pick<FileSystem, 'readText'>,
    clock: Pick<Clock, 'now'>,
    addressFor?: (local: string) => Promise<string>,
  ) {
    this.servers = servers;
    this.files = files;
    this.clock = clock;
    this.http = new AppServer(addressFor);
  }

  /**
   * Rejects with a sentence.
   * @param allowed origins that the user has seen, and lets the page reach from now on
   */
  async open(
    { server: name, uri, path }: SavedApp,
    allowed: readonly string[],
    user: AppUser,
    signal: AbortSignal,
  ): Promise<OpenApp> {
    const servers = this.servers();
    if (!servers?.showsApps) throw new SpokenError(() => t('Pages of servers are disabled.'));
    const server = servers.find(name);
    const { tool: called, ...input } = parseInput(await this.readInput(path));
    const tool = server.lists.tools.find(each => each.name === called);
    const given = { ...input, tool: tool && describeForPage(tool) };
    const page = await readAppPage(server, uri, signal);
    const hosts = [...new Set([...page.connects, ...page.loads])];
    // A server of the workspace may have the name of another.
    const key = `${server.config.origin} ${name}`;
    const granted = new Set([...(this.granted.get(key) ?? []), ...allowed]);
    this.granted.set(key, granted);
    const isGranted = hosts.every(host => granted.has(host));
    const [connects, loads] = isGranted ? [page.connects, page.loads] : [[], []];
    const { address, origin, close } = await this.http.add({ html: page.html, connects, loads });
    const talk = new AppTalk(server, user, () => this.clock.now());
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

function gone(): SpokenError {
  return new SpokenError(() => t('The result is no longer there.'));
}

function parseInput(text: string): AppInput {
  const value = tryParseJson(text);
  if (!isRecord(value) || !isRecord(value.arguments) || !isRecord(value.result)) throw gone();
  const { tool, arguments: args, result } = value;
  return { tool: typeof tool === 'string' ? tool : undefined, arguments: args, result };
}

/** In the words of the protocol. */
function describeForPage({ name, title, description, inputSchema, outputSchema, hints }: ListedTool): object {
  return { name, title, description, inputSchema, outputSchema, annotations: hints };
}
