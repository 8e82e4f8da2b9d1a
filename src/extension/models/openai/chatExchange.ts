import type { OpenAI } from 'openai';
import { t } from '../../../protocol/language.ts';
import type { ModelError, ModelRequest } from '../../core/model.ts';
import { parseErrorBody } from '../wire/errorBody.ts';
import { Exchange, type WireConnection } from '../wire/exchange.ts';
import type { Service } from '../wire/service.ts';
import { openClient } from './openClient.ts';

const chatService: Service = {
  ownAddress: 'https://api.openai.com/v1',
  setting: 'folio.openai.baseUrl',
  variable: 'OPENAI_BASE_URL',
  nameOf: host => t('The model server {0}', host),
  missingKey: () =>
    t(
      'No OpenAI API key is set. Run "Folio: Set API Key", set OPENAI_API_KEY, or name a server that needs none with the setting folio.openai.baseUrl.',
    ),
  keptHeaders: ['accept', 'content-type'],
  keyHeader: key => ['authorization', `Bearer ${key}`],
  keyVariable: 'OPENAI_API_KEY',
  api: () => 'chat completions',
  ending: '/v1',
  excess: /\/(chat\/completions|completions|models)$/,
  keyForm: 'openai',
  limitSetting: 'folio.openai.contextLimit',
};

/** One request and its answer over the client library of OpenAI. */
export class ChatExchange {
  private readonly request: ModelRequest | undefined;
  /** Holds the line that ends a stream, with room for line breaks around it. */
  private readonly tail = new AnswerTail(64);
  private readonly exchange: Exchange;
  private isWhole = false;

  constructor(callerSignal: AbortSignal, request?: ModelRequest) {
    this.request = request;
    this.exchange = new Exchange(chatService, callerSignal, this.tail.add);
  }

  get signal(): AbortSignal {
    return this.exchange.signal;
  }

  /** The server's host name. */
  get hostName(): string {
    return this.exchange.hostName;
  }

  /** In which the answer comes. */
  get form(): 'stream' | 'whole' {
    return this.isWhole ? 'whole' : 'stream';
  }

  /** The server said that nothing follows, which the library keeps to itself. */
  get isComplete(): boolean {
    return this.isWhole || /(^|[\r\n])data: ?\[DONE\]\s*$/.test(this.tail.text);
  }

  open(connection: WireConnection): Promise<OpenAI> {
    return openClient(this.exchange, connection, response => this.framed(response));
  }

  /** The server's words when it refused the request itself; empty when it did not. */
  get refusalWords(): string {
    const { status, body } = this.exchange.refusal ?? { status: 0, body: '' };
    return status === 400 || status === 422 ? parseErrorBody(body).message : '';
  }

  classify(error: unknown): ModelError {
    return this.exchange.classify(error, this.request);
  }

  /** As that of `Exchange`. */
  settle<T>(work: () => Promise<T>): Promise<T> {
    return this.exchange.settle(work);
  }

  close(): void {
    this.exchange.close();
  }

  /** A server that does not stream answers as a whole: that becomes the only event of a stream. */
  private async framed(response: Response): Promise<Response> {
    const type = response.headers.get('content-type') ?? '';
    if (!this.request || !/json/i.test(type) || /ndjson/i.test(type)) return response;
    this.isWhole = true;
    // A line break can only stand between the tokens of JSON.
    const text = (await response.text()).replace(/[\r\n]+/g, ' ');
    return new Response(`data: ${text}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
  }
}

/** The last bytes of an answer as the server sent it, for what a client library keeps to itself. */
class AnswerTail {
  private readonly limit: number;
  /** Twice as long as what is kept, so that it is seldom moved. */
  private readonly bytes: Buffer;
  private used = 0;

  /** @param limit bytes that are kept at least, where there were as many */
  constructor(limit: number) {
    this.limit = limit;
    this.bytes = Buffer.alloc(2 * limit);
  }

  readonly add = (packet: Uint8Array): void => {
    const kept = packet.subarray(-this.limit);
    if (this.used + kept.length > this.bytes.length) {
      this.bytes.copyWithin(0, this.used - this.limit, this.used);
      this.used = this.limit;
    }
    this.bytes.set(kept, this.used);
    this.used += kept.length;
  };

  get text(): string {
    return this.bytes.toString('utf8', 0, this.used);
  }
}
