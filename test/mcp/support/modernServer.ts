/*
 * A server that supports only 2026-07-28, made with the official library. As a program it uses standard input and
 * output: `node modernServer.ts`.
 */

import { inputRequired, type JSONObject, Server, type Tool } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { FakeTasks, tasksExtension } from './fakeTasks.ts';

export interface ModernState {
  /** Time to live of lists, in milliseconds. */
  ttlMs: number;
  /** Names of additional tools. A call of `grow` adds one. */
  readonly more: string[];
  /** Received methods, in order. */
  readonly seen: string[];
  /** Name of the header that `place` requires. */
  header: string;
  /** True to list tools in a different order each time. */
  isRestless: boolean;
  readonly tasks: FakeTasks;
}

export function modernState(): ModernState {
  return { ttlMs: 0, more: [], seen: [], header: 'Region', isRestless: false, tasks: new FakeTasks() };
}

const form = (field: string) =>
  inputRequired.elicit({
    message: `Your ${field}?`,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });

export function modernServer(state: ModernState): Server {
  const capabilities = {
    tools: { listChanged: true },
    resources: {},
    logging: {},
    extensions: { [tasksExtension]: {} },
  };
  const server = new Server(
    { name: 'modern', version: '1' },
    { capabilities, instructions: 'Ask me anything.' },
  );
  server.setRequestHandler('tools/list', () => {
    state.seen.push('tools/list');
    const tools = [...usualTools(state), ...state.more.map(name => tool(name))];
    return {
      tools: state.isRestless && state.seen.length % 2 === 0 ? tools.reverse() : tools,
      ttlMs: state.ttlMs,
      cacheScope: 'private' as const,
    };
  });
  server.setRequestHandler('resources/list', () => ({
    resources: [{ uri: 'tide://today', name: 'Today' }],
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params }) => ({
    contents: [{ uri: params.uri, text: 'high at noon' }],
  }));
  state.tasks.serve(server);
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    state.seen.push(`tools/call ${params.name}`);
    const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
    const given = ctx.mcpReq.inputResponses ?? {};
    switch (params.name) {
      case 'echo':
      case 'place':
      case 'pair':
        return said(JSON.stringify(params.arguments));
      case 'any':
        return { content: [], structuredContent: params.arguments?.value };
      case 'whoami':
        return said(JSON.stringify(ctx.mcpReq.envelope));
      case 'ask': {
        const round = ctx.mcpReq.requestState() as string | undefined;
        if (round === undefined)
          return inputRequired({ inputRequests: { a: form('name') }, requestState: ' 1 "ä"\n' });
        if (round === ' 1 "ä"\n') {
          const { action } = given.a as { action: string };
          if (action !== 'accept') return said(`The user said ${action}.`);
          return inputRequired({
            inputRequests: { b: form('town') },
            requestState: `2 ${JSON.stringify(given.a)}`,
          });
        }
        return said(`${round} and ${JSON.stringify(given.b)}`);
      }
      case 'later':
        return ctx.mcpReq.requestState() === undefined
          ? inputRequired({ requestState: 'wait' })
          : said('came later');
      case 'visit': {
        if (given.page) return said(JSON.stringify(given.page));
        const page = inputRequired.elicitUrl({ message: 'Pay', url: 'https://pay.example/1' });
        return inputRequired({ inputRequests: { page } });
      }
      case 'sample': {
        const question = { role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } };
        const model = inputRequired.createMessage({ messages: [question], maxTokens: 1 });
        return inputRequired({ inputRequests: { model } });
      }
      case 'folders':
        return given.folders
          ? said(JSON.stringify(given.folders))
          : inputRequired({ inputRequests: { folders: inputRequired.listRoots() } });
      case 'endless':
        return inputRequired({ inputRequests: { folders: inputRequired.listRoots() } });
      case 'slow':
        return state.tasks.begin(ctx);
      case 'log':
        await ctx.mcpReq.log('info', 'a line of the call');
        return said('logged');
      case 'grow':
        state.more.push(`grown${state.more.length}`);
        await server.sendToolListChanged();
        return said('grown');
      default:
        return said('done');
    }
  });
  return server;
}

function tool(name: string, properties: JSONObject = {}, more: JSONObject = {}): Tool {
  const inputSchema = { type: 'object' as const, properties, ...more };
  return { name, description: `Does ${name}`, inputSchema };
}

function usualTools({ header }: ModernState): readonly Tool[] {
  const prefixItems: JSONObject[] = [{ type: 'integer' }, { $ref: '#/$defs/word' }];
  const pair = { type: 'array', prefixItems, items: false };
  return [
    tool('echo', { text: { type: 'string' } }),
    { ...tool('look'), annotations: { readOnlyHint: true } },
    { ...tool('set'), annotations: { idempotentHint: true } },
    tool('pair', { pair }, { $defs: { word: { type: 'string', minLength: 2 } }, required: ['pair'] }),
    tool('place', { region: { type: 'string', 'x-mcp-header': header }, count: { type: 'integer' } }),
    // The protocol allows no header for numbers.
    tool('crooked', { size: { type: 'number', 'x-mcp-header': 'Size' } }),
    { ...tool('any', { value: {} }), outputSchema: {} },
    ...['whoami', 'ask', 'later', 'visit', 'sample', 'folders', 'endless', 'slow', 'log', 'grow', 'act'].map(
      name => tool(name),
    ),
  ];
}

export function serve(): void {
  const state = modernState();
  serveStdio(() => modernServer(state), { legacy: 'reject' });
}

if (process.argv[1] === import.meta.filename) serve();
