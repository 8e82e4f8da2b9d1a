/*
 * A local A2A server with the official SDK, in version 1.0 or 0.3. The first word of the message selects its action.
 */

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, formatSSEEvent, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
  ServerCallContext,
} from '@a2a-js/sdk/server';

export type A2aVersion = '1.0' | '0.3';

interface SentRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
}

export class A2aServer {
  /** Requests, in order. */
  readonly requests: SentRequest[] = [];
  /** Ids of canceled tasks. */
  readonly canceled: string[] = [];
  /** Required value of `authorization`, if any. */
  wanted: string | undefined;
  private readonly version: A2aVersion;
  private readonly streams: boolean;
  private readonly http = createServer((request, response) => {
    this.serve(request, response).catch(() => response.destroy());
  });
  private readonly running = new Map<string, () => void>();
  private handler!: JsonRpcTransportHandler | LegacyJsonRpcTransportHandler;

  private constructor(version: A2aVersion, streams: boolean) {
    this.version = version;
    this.streams = streams;
  }

  static async start({ version = '1.0' as A2aVersion, streams = true } = {}): Promise<A2aServer> {
    const server = new A2aServer(version, streams);
    await new Promise<void>(resolve => server.http.listen(0, '127.0.0.1', resolve));
    const executor: AgentExecutor = {
      execute: (context, bus) => server.execute(context, bus),
      cancelTask: async id => {
        server.canceled.push(id);
        server.running.get(id)?.();
      },
    };
    const requests = new DefaultRequestHandler(
      AgentCard.fromJSON(server.card),
      new InMemoryTaskStore(),
      executor,
    );
    server.handler =
      version === '1.0' ? new JsonRpcTransportHandler(requests) : new LegacyJsonRpcTransportHandler(requests);
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  get cardUrl(): string {
    return `${this.origin}/.well-known/agent-card.json`;
  }

  get card() {
    const { version, origin, streams } = this;
    const common = {
      name: 'Counter',
      description: 'Counts',
      version: '1',
      capabilities: { streaming: streams },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    };
    const url = `${origin}/a2a`;
    return version === '1.0'
      ? { ...common, supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }
      : { ...common, url, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' };
  }

  sent(method: RegExp): readonly SentRequest[] {
    return this.requests.filter(request => method.test(request.method));
  }

  async end(): Promise<void> {
    for (const stop of this.running.values()) stop();
    this.http.closeAllConnections();
    await new Promise(resolve => this.http.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.wanted !== undefined && request.headers.authorization !== this.wanted) {
      response.writeHead(401).end();
      return;
    }
    if (request.method === 'GET') {
      response.writeHead(request.url === '/.well-known/agent-card.json' ? 200 : 404);
      response.end(JSON.stringify(this.card));
      return;
    }
    let text = '';
    for await (const packet of request) text += packet;
    const { method, params } = JSON.parse(text);
    this.requests.push({ method, params, headers: request.headers });
    const context = new ServerCallContext({ requestedVersion: this.version });
    const answer = await this.handler.handle(JSON.parse(text), context);
    if (!(Symbol.asyncIterator in answer)) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      return;
    }
    await this.stream(answer as AsyncGenerator<unknown>, response);
  }

  /** Streams events. Like the SDK's middleware, answers errors before the first event as JSON. */
  private async stream(events: AsyncGenerator<unknown>, response: ServerResponse): Promise<void> {
    const first = await events.next().catch((error: unknown) => ({ error, done: true }));
    if ('error' in first) {
      const map =
        this.version === '1.0'
          ? JsonRpcTransportHandler.mapToJSONRPCError
          : LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: map(first.error) }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (!first.done) response.write(formatSSEEvent(first.value as never));
    for await (const event of events) response.write(formatSSEEvent(event as never));
    response.end();
  }

  private async execute({ userMessage, taskId, contextId }: RequestContext, bus: ExecutionEventBus) {
    const { content } = userMessage.parts[0]!;
    const words = content?.$case === 'text' ? content.value : '';
    const ids = { taskId, contextId };
    const status = (state: string, text?: string) => ({
      state: `TASK_STATE_${state}`,
      message: text && { messageId: `${taskId}-${text}`, role: 'ROLE_AGENT', parts: [{ text }] },
    });
    const move = (state: string, text?: string) =>
      bus.publish(
        AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ ...ids, status: status(state, text) })),
      );
    const add = (text: string, append: boolean) => {
      const artifact = { artifactId: 'result', parts: [{ text }] };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ ...ids, artifact, append })));
    };
    bus.publish(AgentEvent.task(Task.fromJSON({ id: taskId, contextId, status: status('SUBMITTED') })));
    switch (words.split(' ', 1)[0]) {
      case 'count':
        move('WORKING', 'I begin.');
        for (const [at, text] of ['one', ' two', ' three'].entries()) add(text, at > 0);
        move('COMPLETED');
        break;
      case 'where':
        move('COMPLETED', `In ${contextId}.`);
        break;
      case 'ask':
        move('INPUT_REQUIRED', 'Which colour?');
        break;
      case 'fail':
        move('FAILED', 'The oven is cold.');
        break;
      case 'hang':
        move('WORKING', 'Still thinking.');
        await new Promise<void>(resolve => this.running.set(taskId, resolve));
        move('CANCELED');
        break;
      default:
        move('COMPLETED', `You said ${words}.`);
    }
    bus.finished();
  }
}
