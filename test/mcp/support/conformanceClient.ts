/*
 * Folio as a client under the protocol's own conformance tests: `node conformanceClient.ts <url>`. The user is played
 * by a browser that follows every page, and signs in whenever the server wants it.
 */

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

async function callAll(): Promise<void> {
  for (const { name, input } of world.tools()) {
    if (!name.startsWith('mcp_peer_')) continue;
    const args = input().safeParse({ a: 2, b: 3 }).success ? { a: 2, b: 3 } : {};
    const tool = world.tool(name);
    const call = {
      callId: 'call-1',
      signal: new AbortController().signal,
      write: () => {},
      saveOutput: async () => undefined,
      files: new MemoryFileSystem(),
    };
    await tool.run(tool.input().parse(args), undefined, call);
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
