import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hostSandbox } from '../../../src/extension/compose/hostSandbox.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

let folder: string;
let tools: string;
beforeEach(async () => {
  folder = await temporaryFolder('folio-missing-');
  // A program of the workspace would count as missing.
  tools = await temporaryFolder('folio-tools-');
});
afterEach(async () => {
  vi.unstubAllEnvs();
});

function sandbox(platform: string = process.platform, home = join(tmpdir(), 'folio-home-elsewhere')) {
  const around = { folders: () => [folder], home, instructionNames: () => [] };
  return hostSandbox({ ...around, platform, path: tools });
}

async function standIn(script: string, program = 'bwrap'): Promise<void> {
  await writeFile(join(tools, program), `#!/bin/sh\n${script}\n`);
  await chmod(join(tools, program), 0o755);
}

/** Sandboxes and networks that are none: what is to run in them runs. */
async function standInForAll(): Promise<void> {
  await standIn(
    'test "$1" = --help && exit; while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done; shift; exec "$@"',
  );
  await standIn('exit 0', 'nsenter');
}

describe.skipIf(process.platform !== 'linux')('why there is no sandbox', () => {
  test('says which package to install, and looks again', async () => {
    // What could not be built leaves nothing behind.
    const temporary = await mkdtemp(`${folder}-`);
    onTestFinished(() => rm(temporary, { recursive: true }));
    vi.stubEnv('TMPDIR', temporary);
    const each = sandbox();
    expect((await each.whyMissing())?.()).toBe(
      'The program bubblewrap is missing. Install the system package "bubblewrap".',
    );
    await standIn('exit 0', 'nsenter');
    await standIn('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1');
    expect((await each.whyMissing())?.()).toMatch(/^The system does not allow user namespaces .*sysctl/);
    await rm(join(tools, 'nsenter'));
    expect((await each.whyMissing())?.()).toBe(
      'The program nsenter is missing. Install the system package "util-linux".',
    );
    await standIn('exit 0', 'nsenter');
    await standIn('test "$1" = --help || { echo "bwrap: No permission to make a network" >&2; exit 1; }');
    expect((await each.whyMissing())?.()).toMatch(/^The system does not allow user namespaces .*a network/);
    await standIn('exec "$0.none"');
    expect((await each.whyMissing())?.()).toMatch(/^Bubblewrap could not create the sandbox/);
    await each.dispose();
    expect(await readdir(temporary)).toEqual([]);
  });

  test('a workspace that holds the home folder is refused, also behind a link', async () => {
    await standInForAll();
    const inside = join(folder, 'home');
    await mkdir(inside);
    await symlink(inside, join(folder, 'link'));
    for (const home of [folder, inside, join(folder, 'link')]) {
      const each = sandbox(undefined, home);
      expect((await each.whyMissing())?.()).toMatch(/^The workspace folder .* contains your home folder/);
      const request = { grants: { write: [], hosts: [] }, background: false };
      await expect(each.contain(request)).rejects.toThrow('contains your home folder');
    }
    const beside = sandbox(undefined, `${folder}-home`);
    expect((await beside.whyMissing())?.()).toBeUndefined();
    await beside.dispose();
  });

  test('what cannot be built does not run: to contain rejects', async () => {
    await expect(sandbox().contain({ grants: { write: [], hosts: [] }, background: false })).rejects.toThrow(
      'bubblewrap is missing',
    );
  });
});

test('on Windows it is said in words, with what to do', async () => {
  expect((await sandbox('win32').whyMissing())?.()).toMatch(
    /Folio has no command sandbox on .* "folio.sandbox" to "ask"/,
  );
});
