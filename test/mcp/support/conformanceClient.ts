/*
 * Folio as a client under the protocol's own conformance tests: `node conformanceClient.ts <url>`. The user is played
 * by a browser that follows every page, and signs in whenever the server wants it.
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

/** Signs in as often as a patient user would. */
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

/** Those that the scenario names, else one of each tool. */
function wantedCalls(): readonly WantedCall[] {
  if (context.toolCalls) return context.toolCalls;
  const schemas = world.servers.schemas('peer');
  return schemas.map(({ tool: name, schema }) => ({ name, arguments: fill(schema, schemas[0]?.schema) }));
}

/** A value for each property. @param echoed what a tool that takes a schema gets back */
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
    // A model leaves out what has no value.
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
    // Some scenarios only look at what was sent, and refuse each call.
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
    // More rights are wanted for the call than for the start.
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
