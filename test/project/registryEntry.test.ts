/*
 * Folio's entry in the registry of the Agent Client Protocol, by the rules of agentclientprotocol/registry:
 * agent.schema.json, CONTRIBUTING.md ("Validation") and what its `build_registry.py` and `client.py` check.
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { npmName, packNpm } from '../../scripts/npmPackage.ts';
import { readText, repositoryRoot } from '../support/sourceFiles.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = 'registry/folio';

const entry = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  name: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(1),
  repository: z.url(),
  authors: z.array(z.string()),
  license: z.string(),
  distribution: z.strictObject({
    npx: z.strictObject({ package: z.string().min(1), args: z.array(z.string()) }),
  }),
});

test('is an entry as the registry takes it, of the version that package.json has', async () => {
  expect((await readdir(join(repositoryRoot, folder))).toSorted()).toEqual(['agent.json', 'icon.svg']);
  const { id, version, repository, license, distribution } = entry.parse(
    JSON.parse(await readText(`${folder}/agent.json`)),
  );
  const own = JSON.parse(await readText('package.json'));
  // The folder has the name of the entry.
  expect(folder.endsWith(`/${id}`)).toBe(true);
  expect([version, license]).toEqual([own.version, own.license]);
  expect(`${repository}.git`).toBe(own.repository.url);
  // "latest" is refused, and another version than the entry's.
  expect(distribution.npx).toEqual({ package: `${npmName}@${version}`, args: ['--acp'] });
  // The scope is the owner's: a name without one may be somebody else's.
  expect(npmName.split('/')[0]).toBe(`@${new URL(repository).pathname.split('/')[1]}`);
});

test('has an icon of 16 pixels in the colour of the text', async () => {
  const icon = await readText(`${folder}/icon.svg`);
  expect(icon).toMatch(/^<svg [^>]*width="16" height="16" viewBox="0 0 16 16"/);
  expect(icon).not.toMatch(/<!--|<style|style=/);
  const colours = [...icon.matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, colour]) => colour);
  expect(new Set(colours)).toEqual(new Set(['none', 'currentColor']));
});

test('names a package that starts by its only command and offers a way to sign in', async () => {
  const place = await temporaryFolder('folio-registry-');
  const archive = await packNpm(repositoryRoot, place);
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--prefix', place, archive];
  await promisify(execFile)('npm', install, { cwd: place, shell: process.platform === 'win32' });
  // What the registry's check passes on: no key, and another home.
  const path = [join(place, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const child = spawn('folio', ['--acp'], {
    cwd: place,
    env: { PATH: path, HOME: place, USERPROFILE: place, TERM: 'dumb' },
    stdio: ['pipe', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const exit = once(child, 'close');
  onTestFinished(() => void child.kill());
  const initialize = {
    protocolVersion: 1,
    clientInfo: { name: 'ACP Registry Validator', version: '1.0.0' },
    clientCapabilities: {
      terminal: true,
      fs: { readTextFile: true, writeTextFile: true },
      _meta: { terminal_output: true, 'terminal-auth': true },
    },
  };
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`,
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // The first line is the answer: anything else is refused.
  const { value: line } = await lines.next();
  const { id, result } = JSON.parse(line);
  expect(id).toBe(1);
  const types = result.authMethods.map(({ type = 'agent' }: { readonly type?: string }) => type);
  expect(types).toContain('agent');
  child.stdin.end();
  expect(await exit).toEqual([0, null]);
}, 120_000);
