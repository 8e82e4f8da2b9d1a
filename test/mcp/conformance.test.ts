/* The protocol's own tests of clients, against Folio's servers with a user who signs in when asked. */

import { execFile, execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runSize } from '../support/runSize.ts';
import { packaged } from './support/mcpWorld.ts';

const root = join(import.meta.dirname, '../..');
const program = packaged('@modelcontextprotocol/conformance/dist/index.js');

/** Of extensions, which a client need not have. */
const leftOut: Readonly<Record<string, string>> = {
  'auth/client-credentials-jwt': 'a machine signs in, and Folio works for a user',
  'auth/client-credentials-basic': 'a machine signs in, and Folio works for a user',
  'auth/enterprise-managed-authorization': 'the sign-in of an organisation stands in for the one of the user',
  'auth/wif-jwt-bearer': 'the identity of a workload stands in for the one of the user',
  'auth/dpop': 'tokens are bound to a key',
  'auth/dpop-nonce': 'tokens are bound to a key',
};

interface Scenario {
  readonly name: string;
  readonly version: string;
}

/** A scenario for each version that it is of: a call, a form, a sign-in and one that needs more rights come first. */
const first = [
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'auth/metadata-default',
  'auth/scope-step-up',
];
const scenarios = listScenarios().sort((one, other) => rank(one) - rank(other));
/** The small run size has the newest version that each of the first has. */
const small = first.flatMap(name => scenarios.findLast(scenario => scenario.name === name) ?? []);

test.each(runSize({ test: 1, prove: 0 }) ? small : scenarios)('$name, $version', async scenario => {
  const said = await run(scenario);
  // It measures a pause, and a slow machine makes that longer than it bears.
  if (/Client reconnected very late/.test(said)) return;
  expect(said).toMatch(/Passed: \d+\/\d+, 0 failed/);
  // Only what an extension adds may find nothing to check.
  if (scenario.version !== 'extension') expect(said).not.toContain('Passed: 0/');
  expect(said).not.toContain('CLIENT EXITED WITH ERROR');
});

test('of what is left out, all is of an extension and still there', () => {
  const extensions = new Set(listAll().flatMap(({ name, version }) => (version === 'extension' ? name : [])));
  expect(Object.keys(leftOut).filter(name => !extensions.has(name))).toEqual([]);
});

function listScenarios(): Scenario[] {
  return listAll().filter(({ name }) => !Object.hasOwn(leftOut, name));
}

function listAll(): Scenario[] {
  const listed = execFileSync(process.execPath, [program, 'list', '--client'], { encoding: 'utf8' });
  return [...listed.matchAll(/^ +- (\S+) \[([^\]]+)\]$/gm)].flatMap(([, name = '', versions = '']) =>
    versions.split(',').map(version => ({ name, version })),
  );
}

function rank({ name }: Scenario): number {
  const at = first.indexOf(name);
  return at < 0 ? first.length : at;
}

function run({ name, version }: Scenario): Promise<string> {
  const client = 'node test/mcp/support/conformanceClient.ts';
  const of = version === 'extension' ? [] : ['--spec-version', version];
  const args = ['client', '--command', client, '--scenario', name, ...of, '--timeout', '240000'];
  // The tests start the client through a shell, by the name of the program alone.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  return new Promise(resolve => {
    execFile(process.execPath, [program, ...args], { cwd: root, env }, (_error, out, errors) =>
      resolve(out + errors),
    );
  });
}
