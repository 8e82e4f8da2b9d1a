import { rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NodePolicyFiles, type PolicyLocations } from '../../src/extension/node/settings/policyFiles.ts';
import { SeenItemsFile } from '../../src/extension/node/settings/seenItemsFile.ts';
import { NodeSettingsDocuments } from '../../src/extension/node/settings/settingsDocuments.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let root: string;
beforeEach(async () => {
  root = await temporaryFolder('folio-rules-');
});

async function write(name: string, text = ''): Promise<string> {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

function files(more: Partial<PolicyLocations> = {}): NodePolicyFiles {
  return new NodePolicyFiles(
    { home: join(root, 'home'), folders: () => [join(root, 'w')], adminFolders: [], ...more },
    new NodeSettingsDocuments(),
  );
}

describe('the files of rules', () => {
  it('and settings that are no plain file, or too large, are told and not read', async () => {
    await mkdir(join(root, 'w', '.gemini'), { recursive: true });
    await symlink('/dev/zero', join(root, 'w', '.gemini', 'settings.json'));
    const { settings, problems } = await files().read(true);
    expect(settings).toEqual([]);
    expect(problems).toMatchObject([{ tier: 'workspace', sentence: 'it is no regular file' }]);
  });

  it('come from the user, the workspace if it is trusted, and the command line', async () => {
    await write('home/.folio/policies/b.toml', 'b');
    await write('home/.folio/policies/a.toml', 'a');
    await write('home/.folio/policies/notes.md', 'x');
    await write('home/.gemini/policies/c.toml', '\uFEFFc');
    await write('w/.gemini/policies/d.toml', 'd');
    await write('w/.folio/policies/e.toml', 'e');
    const asked = await write('asked.toml', 'f');
    const of = (sources: Awaited<ReturnType<NodePolicyFiles['read']>>) =>
      sources.files.map(({ tier, text }) => `${tier} ${text}`);
    const mine = ['user f', 'user a', 'user b', 'user c'];
    expect(of(await files({ files: [asked] }).read(false))).toEqual(mine);
    expect(of(await files({ files: [asked] }).read(true))).toEqual([...mine, 'workspace e', 'workspace d']);
  });

  it.each(['', ' \n', '\uFEFF'])(
    'of settings take an empty file (%j) for one that sets nothing',
    async text => {
      await write('home/.gemini/settings.json', text);
      const { settings, problems } = await files().read(true);
      expect({ settings, problems }).toEqual({ settings: [], problems: [] });
    },
  );

  it('that cannot be read are named', async () => {
    await mkdir(join(root, 'home/.folio/policies/folder.toml'), { recursive: true });
    await write('home/.gemini/policies/large.toml', 'x'.repeat(1024 * 1024 + 1));
    const { files: found, problems } = await files({ files: [join(root, 'gone.toml')] }).read(true);
    expect(found).toEqual([]);
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      'it does not exist',
      'it is not a file',
      'it is larger than 1 MB',
    ]);
  });

  it.runIf(process.getuid?.() === 0)(
    'of an administrator count only where nobody else can write',
    async () => {
      const path = await write('admin/x.toml', 'admin');
      const adminFolders = [dirname(path)];
      const tiers = async () => (await files({ adminFolders }).read(true)).files.map(({ tier }) => tier);
      await chmod(dirname(path), 0o755);
      expect(await tiers()).toEqual(['admin']);
      for (const mode of [0o775, 0o757]) {
        await chmod(dirname(path), mode);
        expect(await tiers()).toEqual([]);
      }
    },
  );
});

describe('the settings about tools', () => {
  it('are read with comments, nested or dotted, and what is no list is left out', async () => {
    await write(
      'home/.gemini/settings.json',
      '{ // mine\n "tools": { "exclude": ["a", 1], "core": { "x": 1 } }, }',
    );
    await write('w/.gemini/settings.json', '{ "tools.allowed": ["b"] }');
    expect((await files().read(true)).settings).toEqual([
      { path: join(root, 'home/.gemini/settings.json'), tier: 'user', exclude: ['a'] },
      { path: join(root, 'w/.gemini/settings.json'), tier: 'workspace', allowed: ['b'] },
    ]);
    expect((await files().read(false)).settings).toHaveLength(1);
  });

  it('in a damaged file are told of if they may forbid something', async () => {
    await write('home/.gemini/settings.json', '{ "tools": { "exclude": [');
    expect((await files().read(true)).problems).toMatchObject([{ sentence: 'it is not valid JSON' }]);
    await write('home/.gemini/settings.json', '{ "ui": [');
    expect((await files().read(true)).problems).toEqual([]);
  });
});

describe('the file of lasting permissions', () => {
  it('is made when it is needed, for the user alone, and takes changes one after the other', async () => {
    const [one, other] = [files(), files()];
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? one : other).change(text => `${text}${i}\n`)),
    );
    const text = await readFile(one.alwaysFile, 'utf8');
    expect(text.trim().split('\n').sort()).toEqual([...'0123456789']);
  });

  it('is not locked for ever by a window that was killed', async () => {
    const lock = await write('home/.folio/policies/always.toml.lock');
    await utimes(lock, new Date(0), new Date(0));
    await files().change(() => 'x');
    expect(await readFile(files().alwaysFile, 'utf8')).toBe('x');
  });

  it('is not locked for a moment by one that was killed just now', async () => {
    // A number that no process has: Linux and macOS give none so high.
    await write('home/.folio/policies/always.toml.lock', `999999999 ${hostname()} x\n`);
    await files().change(() => 'x');
    expect(await readFile(files().alwaysFile, 'utf8')).toBe('x');
  });

  it('is left to a window that took the lock of a killed one over while another was about to', async () => {
    const lock = await write('home/.folio/policies/always.toml.lock');
    await utimes(lock, new Date(0), new Date(0));
    const theirs = `${process.ppid} ${hostname()} x\n`;
    const now = Date.now;
    const scans = vi.spyOn(Date, 'now').mockImplementationOnce(() => {
      // The lock was just read, and is being classified.
      rmSync(lock);
      writeFileSync(lock, theirs);
      return now();
    });
    const turn = vi.fn(() => 'x');
    const change = files().change(turn);
    // It is classified again, so what came of the first classification is done; or it is taken.
    await expect.poll(() => scans.mock.calls.length > 1 || turn.mock.calls.length > 0).toBe(true);
    scans.mockRestore();
    expect(turn).not.toHaveBeenCalled();
    expect(await readFile(lock, 'utf8')).toBe(theirs);
    await rm(lock);
    await change;
    expect(await readFile(files().alwaysFile, 'utf8')).toBe('x');
    expect(await readdir(dirname(lock))).toEqual(['always.toml']);
  });

  it('is not written by one whose lock another took over', async () => {
    const lock = join(root, 'home/.folio/policies/always.toml.lock');
    const change = files().change(async text => {
      // The machine slept here.
      await writeFile(lock, `${process.ppid} ${hostname()} x\n`);
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
      return `${text}x`;
    });
    await expect(change).rejects.toThrow(`Another window is changing ${files().alwaysFile}. Try again.`);
    vi.restoreAllMocks();
    expect(await readdir(dirname(lock))).toEqual(['always.toml.lock']);
  });

  it('stays as it was when the change fails', async () => {
    await files().change(() => 'before');
    const failing = files().change(() => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await files().change(text => `${text} and after`);
    expect(await readFile(files().alwaysFile, 'utf8')).toBe('before and after');
  });
});

it('what was seen is seen by every window', async () => {
  const path = join(root, 'home/.folio/seen.txt');
  expect(await new SeenItemsFile(path).isSeen('a')).toBe(false);
  await new SeenItemsFile(path).markSeen(['a', 'b']);
  await new SeenItemsFile(path).markSeen(['c']);
  for (const each of ['a', 'b', 'c']) expect(await new SeenItemsFile(path).isSeen(each)).toBe(true);
  expect(await new SeenItemsFile(path).isSeen('')).toBe(false);
  await new SeenItemsFile(path).forget(['a']);
  expect(await new SeenItemsFile(path).isSeen('a')).toBe(false);
  expect(await new SeenItemsFile(path).isSeen('b')).toBe(true);
  await new SeenItemsFile(path).markSeen(['a']);
  expect(await new SeenItemsFile(path).isSeen('a')).toBe(true);
});
