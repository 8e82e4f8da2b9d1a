/* Answers a page's JSON-RPC requests to its host. The panel answers those about its own frame (`webview/mcp`). */

import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { removeInvisibleText } from '../../base/hiddenText.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';
import { cutMiddle, headOf } from '../../base/text.ts';
import type { AnyTool } from '../../core/tool.ts';
import { isToolEnabled } from '../config/serverConfig.ts';
import type { ManagedServer } from '../managedServer.ts';
import { serverTool } from '../tools/serverTool.ts';
import { toolNames } from '../tools/toolName.ts';
import { type DownloadFile, parseDownloadEntries, readDownloadFile } from './appFile.ts';

/** Carries out a page's requests that reach outside of its frame. */
export interface AppHost {
  /** Makes a call as the agent would, with the same policy, prompts and cards. Rejects with a user-facing message. */
  call(tool: AnyTool, args: Readonly<Record<string, unknown>>): Promise<void>;
  /** Asks the user, or shows them the target. */
  openLink(address: string): Promise<void>;
  /** Shows the file to the user, who chooses where to save it. Resolves to false if they decline. Never opens it. */
  saveFile(file: DownloadFile): Promise<boolean>;
  /** Inserts a text into the prompt, which only the user sends. */
  draft(text: string): void;
  /**
   * Adds the text to the user's next prompt. Replaces the page's previous text; an empty text removes it. Throws a
   * user-facing message if it cannot.
   */
  addContext(text: string): void;
}

const message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.number()]).optional(),
  method: z.string().max(200),
  params: z.record(z.string(), z.unknown()).optional(),
});

/** Limits concurrent calls and reads, and those per minute, because each call is a card of the session. */
const most = { open: 4, inMinute: 30 };
const draftLength = 4_000;
const contextLength = 4_000;
const readLimitMs = 60_000;
const code = { unknown: -32_601, invalid: -32_602, refused: -32_000 };

class Refused extends LocalizedError {}

export class AppBridge {
  private readonly server: ManagedServer;
  private readonly user: AppHost;
  private readonly now: () => number;
  private open = 0;
  private made: readonly number[] = [];

  /** @param now returns milliseconds */
  constructor(server: ManagedServer, user: AppHost, now: () => number) {
    this.server = server;
    this.user = user;
    this.now = now;
  }

  /** Returns the response, or `undefined` if none is expected. Never rejects. */
  async take(text: string): Promise<string | undefined> {
    const { data } = message.safeParse(tryParseJson(text));
    if (!data || data.id === undefined) return undefined;
    const answer = await this.answer(data.method, data.params ?? {}).catch((error: unknown) => ({
      error: { code: error instanceof Refused ? code.refused : code.invalid, message: messageOf(error) },
    }));
    return JSON.stringify({ jsonrpc: '2.0', id: data.id, ...answer });
  }

  private async answer(method: string, params: Readonly<Record<string, unknown>>): Promise<object> {
    switch (method) {
      case 'ping':
        return { result: {} };
      case 'tools/call':
        return { result: await this.call(params) };
      case 'resources/read':
        if (typeof params.uri !== 'string') throw new LocalizedError(() => t('There is no address.'));
        return { result: await this.read(method, { uri: params.uri }) };
      case 'resources/list':
      case 'resources/templates/list': {
        const { cursor } = params;
        return { result: await this.read(method, typeof cursor === 'string' ? { cursor } : {}) };
      }
      case 'ui/download-file':
        return { result: await this.offerFiles(params.contents) };
      case 'ui/open-link':
        if (typeof params.url !== 'string') throw new LocalizedError(() => t('There is no address.'));
        await this.user.openLink(params.url);
        return { result: {} };
      case 'ui/message':
        this.user.draft(draftOf(params.content));
        return { result: {} };
      case 'ui/update-model-context':
        this.user.addContext(contextOf(params));
        return { result: {} };
      default:
        return { error: { code: code.unknown, message: `Folio does not know ${headOf(method, 60)}.` } };
    }
  }

  /** Calls only tools of the page's own server, except those reserved for the model. Returns the server's answer. */
  private async call({ name, arguments: args }: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { config, lists } = this.server;
    const tool = lists.tools.find(each => each.name === name);
    if (!tool || tool.hiddenFrom === 'page' || !isToolEnabled(config, tool.name))
      throw new Refused(() => t('The server {0} has no such tool for its page.', config.name));
    this.count();
    let result: Readonly<Record<string, unknown>> | undefined;
    const hear = (heard: Readonly<Record<string, unknown>>) => {
      result = heard;
    };
    const [called = tool.name] = toolNames([{ server: config.name, tool: tool.name }]);
    this.open++;
    try {
      await this.user.call(serverTool(this.server, tool, called, hear), isRecord(args) ? args : {});
    } catch (error) {
      throw new Refused(() => messageOf(error));
    } finally {
      this.open--;
    }
    if (!result) throw new Refused(() => t('The call was not carried out; its card says why.'));
    return result;
  }

  /** Reads more from the page's own server, hidden from the model and the session. */
  private read(
    method: 'resources/read' | 'resources/list' | 'resources/templates/list',
    params: { readonly uri: string } | { readonly cursor?: string },
  ): Promise<unknown> {
    return this.counted(() => this.server.request(method, { ...params }, AbortSignal.timeout(readLimitMs)));
  }

  /** Offers one file at a time. Stops at the first that the user declines. */
  private offerFiles(contents: unknown): Promise<{ readonly isError?: true }> {
    return this.counted(async () => {
      for (const entry of parseDownloadEntries(contents)) {
        const file = await readDownloadFile(entry, this.server, AbortSignal.timeout(readLimitMs));
        if (!(await this.user.saveFile(file))) return { isError: true };
      }
      return {};
    });
  }

  private async counted<T>(work: () => Promise<T>): Promise<T> {
    this.count();
    this.open++;
    try {
      return await work();
    } finally {
      this.open--;
    }
  }

  private count(): void {
    const now = this.now();
    this.made = this.made.filter(at => at > now - 60_000);
    if (this.open >= most.open || this.made.length >= most.inMinute)
      throw new Refused(() => t('The page calls too many tools.'));
    this.made = [...this.made, now];
  }
}

function draftOf(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.flatMap(each => (isRecord(each) && typeof each.text === 'string' ? each.text : []));
  if (texts.length === 0) throw new LocalizedError(() => t('Only text can be put into the prompt.'));
  return headOf(texts.join('\n\n'), draftLength);
}

/** The text that user and model read, without hidden characters. */
function contextOf({ content = [], structuredContent }: Readonly<Record<string, unknown>>): string {
  const texts = (Array.isArray(content) ? content : [content]).map(each => {
    if (!isRecord(each) || typeof each.text !== 'string')
      throw new LocalizedError(() => t('You can only attach text to a prompt.'));
    return each.text;
  });
  if (isRecord(structuredContent)) texts.push(JSON.stringify(structuredContent));
  return cutMiddle(removeInvisibleText(texts.join('\n\n')).trim(), contextLength);
}
