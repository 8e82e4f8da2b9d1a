/*
 * Folio as a client for MCP's official conformance tests: `node conformanceClient.ts <url>`. The user is a browser that
 * follows every page and signs in when required.
 */

import { ToolFailure } from '../../../src/extension/core/tool.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { mcpWorld } from './mcpWorld.ts';

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const url = process.argv.at(-1) ?? '';
const world = await mcpWorld();
let signIns = 0;

world.user.visit = async address => {
  const response = await fetch(address);
  await response.body?.cancel();
  return true;
};
for (let at = 0; at < 5; at++) world.user.says.push({ kind: 'accepted', answers: [] });

const known = context.client_id
  ? { clientId: context.client_id, clientSecret: context.client_secret }
  : undefined;
const document = { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
const oauth = scenario === 'auth/basic-cimd' ? document : known;
world.set({ peer: { httpUrl: url, ...(oauth && { oauth }) } });

/** Signs in several times if required. */
async function untilReady(): Promise<void> {
  const { status } = await world.settled('peer');
  if (status.kind === 'ready') return;
  if (status.kind !== 'needsSignIn' || signIns >= 3) throw new Error(JSON.stringify(status));
  signIns++;
  const problem = await world.servers.signIn('peer');
  if (problem) throw new Error(problem);
  await untilReady();
}

type Arguments = Readonly<Record<string, unknown>>;

interface WantedCall {
  readonly name: string;
  readonly arguments: Arguments;
}

/** Returns the calls that the scenario names, otherwise one of each tool. */
function wantedCalls(): readonly WantedCall[] {
  if (context.toolCalls) return context.toolCalls;
  const schemas = world.servers.schemas('peer');
  return schemas.map(({ tool: name, schema }) => ({ name, arguments: fill(schema, schemas[0]?.schema) }));
}

/** Returns a value for each property. @param echoed value for a tool that expects its schema back */
function fill(schema: unknown, echoed: unknown): Arguments {
  const { properties = {} } = schema as { readonly properties?: Record<string, { readonly type?: unknown }> };
  const values: Arguments = { string: 'text', number: 2, integer: 2, boolean: true, array: [], object: {} };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [
      name,
      name === 'schema' ? echoed : values[String(type)],
    ]),
  );
}

async function callAll(): Promise<void> {
  for (const { name, arguments: args } of wantedCalls()) {
    const tool = world.tool(`mcp_peer_${name}`);
    // A model omits arguments without a value.
    const given = Object.entries(args).filter(([, value]) => value !== null);
    const input = tool.input().safeParse(Object.fromEntries(given));
    if (!input.success) continue;
    const call = {
      callId: 'call-1',
      signal: new AbortController().signal,
      write: () => {},
      saveOutput: async () => undefined,
      files: new MemoryFileSystem(),
    };
    // Some scenarios only check the request, and refuse each call.
    await tool.run(input.data, undefined, call).catch(error => {
      if (scenario.startsWith('auth/') || !(error instanceof ToolFailure)) throw error;
    });
  }
}

try {
  await untilReady();
  try {
    await callAll();
  } catch (error) {
    if (!scenario.startsWith('auth/')) throw error;
    // The call may need more scopes than the start.
    while (signIns < 3) {
      signIns++;
      const problem = await world.servers.signIn('peer');
      if (problem) throw new Error(problem);
      await untilReady();
      const done = await callAll().then(
        () => true,
        () => false,
      );
      if (done) break;
    }
  }
} catch (error) {
  console.error(error, world.logged.join('\n'));
  process.exitCode = 1;
} finally {
  await world.end();
}
