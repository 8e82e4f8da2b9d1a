import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Answer of the model at one step. */
export type Answer =
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: Readonly<Record<string, unknown>>;
      /** Text before the call. */
      readonly saying?: string;
    }
  | {
      readonly kind: 'text';
      readonly chunks: readonly string[];
      /** Chunks per second. Absent: as fast as possible. */
      readonly pace?: number;
    };

/** The model: returns the answer to request `step`, from 0. Side requests are not counted. */
export type Script = (step: number, exchange: Exchange, body: Buffer) => Answer;

export interface Exchange {
  /** End of the request, by `performance.now()`. */
  readonly askedAt: number;
  /** When the answer was written to the socket. */
  answeredAt: number;
  /** When each chunk of a paced answer was written, by `performance.now()`. */
  readonly sentAt: number[];
  readonly bytes: number;
  /** True if old results in it are masked. */
  readonly isMasked: boolean;
}

export interface BenchServer {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** Requests that asked for a summary of the conversation. */
  readonly summaries: () => number;
  /** Newest request of the conversation. */
  readonly lastRequest: () => string;
  close(): Promise<void>;
}

/** Answer to requests that check for loops. */
const debounce = '{"unproductive": 0.1, "why": "Each step reads another note."}';

/**
 * Serves the Gemini protocol for measuring: without checks and delays, one write per answer. The server of the tests
 * checks each request, which would count as time of the contestant. A request without tools is a side request.
 * @param summary answer to requests for a summary
 */
export async function startServer(script: Script, summary = ''): Promise<BenchServer> {
  const exchanges: Exchange[] = [];
  let summaries = 0;
  let lastBody = Buffer.alloc(0);
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    if (!request.url?.includes(':streamGenerateContent')) return answerSideRequest(response);
    const askedAt = performance.now();
    const isMasked = body.includes('<masked_output>');
    const exchange: Exchange = { askedAt, answeredAt: 0, sentAt: [], bytes: body.length, isMasked };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (!body.includes('"functionDeclarations":')) {
      const isSummary = body.includes('<state_snapshot>') && body.includes('<scratchpad>');
      if (isSummary) summaries += 1;
      response.end(event([{ text: isSummary ? summary : debounce }], 'STOP', body.length));
      return;
    }
    lastBody = body;
    exchanges.push(exchange);
    const answer = script(exchanges.length - 1, exchange, body);
    const pace = answer.kind === 'text' ? answer.pace : undefined;
    const begunAt = performance.now();
    for (const chunk of chunksOf(answer, exchanges.length, body.length)) {
      if (pace !== undefined) {
        await untilTime(begunAt + (exchange.sentAt.length * 1000) / pace);
        exchange.sentAt.push(performance.now());
      }
      if (!response.write(chunk)) await new Promise(resolve => response.once('drain', resolve));
    }
    exchange.answeredAt = performance.now();
    response.end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    summaries: () => summaries,
    lastRequest: () => lastBody.toString(),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Waits until a time. Returns at once if a late timer has passed it. */
async function untilTime(due: number): Promise<void> {
  const rest = due - performance.now();
  if (rest > 0) await sleep(rest);
}

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Answers token counts and other side requests of some contestants. */
function answerSideRequest(response: ServerResponse): void {
  const candidate = { content: { role: 'model', parts: [{ text: '{}' }] }, finishReason: 'STOP', index: 0 };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ totalTokens: 100, candidates: [candidate], usageMetadata: usage(100) }));
}

function* chunksOf(answer: Answer, step: number, bytes: number): Generator<string> {
  if (answer.kind === 'call') {
    const functionCall = { id: `call-${step}`, name: answer.name, args: answer.args };
    yield event([...saying(answer.saying), { functionCall }], 'STOP', bytes);
    return;
  }
  const last = answer.chunks.length - 1;
  for (const [index, text] of answer.chunks.entries()) {
    yield event([{ text }], index === last ? 'STOP' : undefined, bytes);
  }
}

function saying(text: string | undefined): readonly unknown[] {
  return text === undefined ? [] : [{ text }];
}

function event(parts: readonly unknown[], finishReason: string | undefined, bytes: number): string {
  const candidate = { content: { role: 'model', parts }, finishReason, index: 0 };
  const body = {
    candidates: [candidate],
    usageMetadata: usage(Math.ceil(bytes / 4)),
    modelVersion: 'bench',
  };
  return `data: ${JSON.stringify(body)}\r\n\r\n`;
}

function usage(prompt: number): object {
  return { promptTokenCount: prompt, candidatesTokenCount: 20, totalTokenCount: prompt + 20 };
}
