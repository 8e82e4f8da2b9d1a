/* The paths that Linux's attacks go for, held against the text of the profile that a Mac would get. */

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalPath } from '../../../src/extension/node/sandbox/seatbeltProfile.ts';
import { SeatbeltSandbox } from '../../../src/extension/node/sandbox/seatbeltSandbox.ts';
import { SeatbeltReading } from '../../support/readSeatbelt.ts';
import { later, secretFiles, shellProfiles } from './attacks.ts';

const writes = ['file-write-create', 'file-write-data', 'file-write-mode', 'file-write-unlink'];

describe.skipIf(process.platform === 'win32')('the profile of macOS', () => {
  let root: string;
  let workspace: string;
  let home: string;
  let profile: SeatbeltReading;

  beforeAll(async () => {
    // Below a temporary folder of the system everything is closed by that alone.
    await mkdir(join(homedir(), '.cache'), { recursive: true });
    root = await realpath(await mkdtemp(join(homedir(), '.cache', 'folio-seatbelt-')));
    [home, workspace] = [join(root, 'home'), join(root, 'ws')];
    const files = ['.env', 'src/a.ts', '.git/config', 'sub/.git/config', 'sub/.git/hooks/x', 'sub/.vscode/x'];
    for (const file of [...files, 'sub/.env.local', 'sub/AGENTS.md', 'team.code-workspace']) {
      await mkdir(dirname(join(workspace, file)), { recursive: true });
      await writeFile(join(workspace, file), '');
    }
    const sandbox = new SeatbeltSandbox({
      folders: () => [workspace],
      home,
      instructionNames: () => ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'],
      holdsSecrets: name => name.startsWith('.env'),
    });
    const sandboxed = await sandbox.contain({ grants: { write: [], hosts: [] }, background: false });
    const { args } = sandboxed.wrap({ file: '/bin/sh', args: [], cwd: '/', env: {} });
    profile = new SeatbeltReading(await readFile(args[1]!, 'utf8'));
    await sandboxed.leave();
    await sandbox.dispose();
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const allowed = (operations: readonly string[], path: string) =>
    operations.filter(each => profile.allows(each, path));

  test.each(secretFiles)('keeps ~/%s from being read', path => {
    const secret = canonicalPath(join(home, path));
    expect(allowed(['file-read-data', 'file-read-metadata', ...writes], secret)).toEqual([]);
  });

  test.each(shellProfiles)('keeps ~/%s from being written', path => {
    expect(allowed(writes, join(home, path))).toEqual([]);
  });

  test.each(later)('keeps %s of the workspace from being written, in any letters', path => {
    expect(allowed(writes, join(workspace, path))).toEqual([]);
    expect(allowed(writes, join(workspace, path.toUpperCase().replace(/^SUB(?=\/)/, 'sub')))).toEqual([]);
  });

  test.each(['.env', 'sub/.env.local'])('keeps %s of the workspace from being read and renamed', path => {
    expect(allowed(['file-read-data', ...writes], join(workspace, path))).toEqual([]);
  });

  test.each(['.git', 'sub', 'sub/.git'])('keeps the folder %s from being replaced', path => {
    expect(allowed(['file-write-unlink'], join(workspace, path))).toEqual([]);
  });

  test('lets the workspace be written and the system be read', () => {
    expect(allowed(['file-read-data', ...writes], join(workspace, 'src/a.ts'))).toEqual([
      'file-read-data',
      ...writes,
    ]);
    expect(allowed(['file-read-data'], '/usr/lib/libc.dylib')).toEqual(['file-read-data']);
    for (const path of ['/usr/lib/x', '/etc/hosts', '/Library/LaunchDaemons/x.plist', join(root, 'out/file')])
      expect(allowed(writes, path), path).toEqual([]);
    expect(allowed(['network-outbound', 'mach-register', 'process-info-listpids'], '/')).toEqual([]);
  });

  test.each([
    '(version 1',
    '(version 1) (allow)',
    '(version 1) (permit file-read*)',
    '(version 1) )',
    '(deny default)',
  ])('is not read where it is none: %s', text => {
    expect(() => new SeatbeltReading(text)).toThrow();
  });
});
