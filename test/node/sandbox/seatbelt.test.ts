/*
 * The sandbox of macOS, as far as another system can hold it to anything: the text of its profile, and that it does not
 * call itself working where a command gets through. Stand-ins take the place of `sandbox-exec`.
 */

import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  canonicalPath,
  type SeatbeltFacts,
  seatbeltProfile,
} from '../../../src/extension/node/sandbox/seatbeltProfile.ts';
import { SeatbeltSandbox } from '../../../src/extension/node/sandbox/seatbeltSandbox.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const facts: SeatbeltFacts = {
  workspaces: ['/Users/ann/work'],
  temporary: '/private/var/folders/x/T/folio-sandbox-1/tmp',
  othersTemporary: ['/private/var/folders/x/T', '/private/tmp'],
  secrets: ['/Users/ann/.ssh', '/Users/ann/Library/Keychains', '/Users/bob'],
  guarded: ['/Users/ann/work/.git/hooks', '/Users/ann/work/.vscode'],
  pinned: ['/Users/ann/work/.git'],
  linked: [],
  hidden: ['/Users/ann/work/.env'],
  granted: [],
  read: [],
  lasting: false,
  proxyPort: undefined,
  reachesLocal: false,
};

function linesOf(more: Partial<SeatbeltFacts> = {}): readonly string[] {
  return seatbeltProfile({ ...facts, ...more })
    .trimEnd()
    .split('\n');
}

/** The rules stand in this order, whatever stands between them. */
function expectOrder(lines: readonly string[], ...rules: readonly string[]): void {
  const places = rules.map(rule => lines.indexOf(rule));
  expect(places, rules.join('\n')).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
}

describe('the profile', () => {
  test('begins by denying everything', () => {
    expect(linesOf().slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  });

  test('lets the system be read, then closes secrets, then opens the workspace, then closes what is protected', () => {
    expectOrder(
      linesOf(),
      '(allow file-read*)',
      '(deny file-read* file-write* (subpath "/private/tmp"))',
      '(deny file-read* file-write* (subpath "/Users/ann/.ssh"))',
      '(allow file-read* file-write* (subpath "/Users/ann/work"))',
      '(allow file-read* file-write* (subpath "/private/var/folders/x/T/folio-sandbox-1/tmp"))',
      '(deny file-write* (regex #"^/[uU][sS][eE][rR][sS]/[aA][nN][nN]/[wW][oO][rR][kK]/\\.[gG][iI][tT]/[hH][oO][oO][kK][sS](/|$)"))',
      '(deny file-read* file-write* (subpath "/Users/ann/work/.env"))',
    );
  });

  test('opens what Git writes of a linked worktree, then closes what is of others in it', () => {
    const own = '/Users/ann/main/.git/worktrees/wt';
    const linked = [{ writable: [own], readOnly: [`${own}/gitdir`], missing: [`${own}/hooks`] }];
    const lines = linesOf({ linked });
    const closed = lines.filter(
      line => line.startsWith('(deny file-write* (regex') && line.includes('[wW][tT]/'),
    );
    expect(closed).toHaveLength(2);
    expectOrder(lines, `(allow file-read* file-write* (subpath "${own}"))`, ...closed);
  });

  test('writes nowhere but in the workspace, the temporary folder and devices without a memory', () => {
    const written = linesOf().filter(line => line.startsWith('(allow') && line.includes('file-write'));
    expect(written).toEqual([
      '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
      '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))',
      '(allow file-read* file-write* file-ioctl (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty")))',
      '(allow file-read* file-write* (subpath "/Users/ann/work"))',
      '(allow file-read* file-write* (subpath "/private/var/folders/x/T/folio-sandbox-1/tmp"))',
    ]);
    expect(linesOf()).toContain('(deny file-write-setugid)');
  });

  test('keeps the names of folders above what is protected, and of files that hold secrets', () => {
    expect(linesOf()).toEqual(
      expect.arrayContaining([
        '(deny file-write-unlink (literal "/Users/ann/work/.git"))',
        '(deny file-write-unlink (subpath "/Users/ann/work/.env"))',
      ]),
    );
  });

  test('opens what is granted after what is protected, and closes secrets in it again', () => {
    expectOrder(
      linesOf({ granted: ['/Users/ann/work/.vscode', '/Users/ann'] }),
      '(deny file-write* (regex #"^/[uU][sS][eE][rR][sS]/[aA][nN][nN]/[wW][oO][rR][kK]/\\.[vV][sS][cC][oO][dD][eE](/|$)"))',
      '(allow file-read* file-write* (subpath "/Users/ann/work/.vscode"))',
      '(allow file-read* file-write* (subpath "/Users/ann"))',
    );
    const lines = linesOf({ granted: ['/Users/ann'] });
    expect(lines.lastIndexOf('(deny file-read* file-write* (subpath "/Users/ann/.ssh"))')).toBeGreaterThan(
      lines.indexOf('(allow file-read* file-write* (subpath "/Users/ann"))'),
    );
  });

  test('a secret that was granted by name stays open, and a folder above something open can be passed', () => {
    const lines = linesOf({ granted: ['/Users/ann/.ssh'], workspaces: ['/Users/bob/shared'] });
    expect(lines.lastIndexOf('(deny file-read* file-write* (subpath "/Users/ann/.ssh"))')).toBeLessThan(
      lines.indexOf('(allow file-read* file-write* (subpath "/Users/ann/.ssh"))'),
    );
    expectOrder(
      lines,
      '(deny file-read* file-write* (subpath "/Users/bob"))',
      '(allow file-read-metadata (literal "/Users/bob"))',
      '(allow file-read* file-write* (subpath "/Users/bob/shared"))',
    );
  });

  test('a program that runs as long as the host only reads the workspace', () => {
    const lines = linesOf({ lasting: true, granted: ['/Users/ann/work/notes'] });
    expectOrder(
      lines,
      '(allow file-read* (subpath "/Users/ann/work"))',
      '(allow file-read* file-write* (subpath "/Users/ann/work/notes"))',
    );
    expect(lines).not.toContain('(allow file-read* file-write* (subpath "/Users/ann/work"))');
  });

  test('reaches no network without a grant, the proxy alone with one, and local servers with their own', () => {
    const outbound = (more: Partial<SeatbeltFacts>) =>
      linesOf(more).filter(line => line.startsWith('(allow network-outbound (remote ip'));
    expect(outbound({})).toEqual([]);
    expect(outbound({ proxyPort: 4711 })).toEqual(['(allow network-outbound (remote ip "localhost:4711"))']);
    expect(outbound({ proxyPort: 4711, reachesLocal: true })).toEqual([
      '(allow network-outbound (remote ip "localhost:*"))',
    ]);
  });

  test('connects to sockets in its own folders and to no others, and serves this machine alone', () => {
    const lines = linesOf({ proxyPort: 4711 });
    expect(lines.filter(line => line.includes('unix-socket'))).toEqual(
      ['network-bind (local', 'network-outbound (remote'].flatMap(how =>
        ['/private/var/folders/x/T/folio-sandbox-1/tmp', '/Users/ann/work'].map(
          path => `(allow ${how} unix-socket (subpath "${path}")))`,
        ),
      ),
    );
    expect(lines.filter(line => line.includes('network-bind') && !line.includes('unix-socket'))).toEqual([
      '(allow network-bind network-inbound (local ip "localhost:*"))',
    ]);
  });

  test('sees, signals and traces processes of its own alone, and no arguments or environments of others', () => {
    const text = linesOf().join('\n');
    expect(text).toContain('(allow signal (target same-sandbox))');
    expect(text).toContain('(allow process-info* (target same-sandbox))');
    expect(text).not.toMatch(/task-port|kern\.proc|\(allow sysctl-read\)|sysctl-write/);
  });

  test('reaches no service that would act for it: no keychain, no clipboard, no opening, no names, no events', () => {
    const text = linesOf().join('\n');
    expect(text).not.toMatch(
      /[Ss]ecurity|securityd|SecurityServer|pasteboard|launchservices|coreservices|appleevent|lsopen|mDNS|cfprefsd|user-preference|trustd|iokit|distributed-notification/,
    );
    expect(text).not.toMatch(/\(allow (?:default|mach\*|mach-lookup\)|network\*|file\*|file-write\*\))/);
  });

  test('quotes names as text and as patterns, and refuses what no text of it can hold', () => {
    const workspace = '/Users/ann/a "b" (c) \\ d.e';
    const lines = linesOf({
      workspaces: [workspace],
      guarded: [`${workspace}/x`, '/Users/ann/w.o(r)k/.git/config'],
    });
    expect(lines).toContain('(allow file-read* file-write* (subpath "/Users/ann/a \\"b\\" (c) \\\\ d.e"))');
    // A pattern cannot hold a quotation mark, so such a name is closed as it is written.
    expect(lines).toContain('(deny file-write* (subpath "/Users/ann/a \\"b\\" (c) \\\\ d.e/x"))');
    expect(lines.join('\n')).toContain('[wW]\\.[oO]\\([rR]\\)[kK]/\\.[gG]');
    for (const name of ['a\nb', 'a\0b', 'x'.repeat(1001)])
      expect(() => seatbeltProfile({ ...facts, workspaces: [`/Users/${name}`] })).toThrow(
        'cannot be created',
      );
  });

  test('every rule is one balanced form of the language', () => {
    const odd = { granted: ['/Users/ann/(open'], hidden: ['/Users/ann/work/sub/)"('] };
    for (const line of linesOf({ ...odd, proxyPort: 1 })) {
      const bare = line.replace(/"(?:[^"\\]|\\.)*"/g, '""');
      const depth = [...bare].reduce((sum, char) => sum + (char === '(' ? 1 : char === ')' ? -1 : 0), 0);
      expect([depth, bare.startsWith('('), bare.endsWith(')')], line).toEqual([0, true, true]);
    }
  });

  test.each([
    ['/tmp/x', '/private/tmp/x'],
    ['/var/folders/x', '/private/var/folders/x'],
    ['/etc', '/private/etc'],
    ['/etcetera', '/etcetera'],
    ['/private/tmp', '/private/tmp'],
    ['/Users/ann/tmp', '/Users/ann/tmp'],
  ])('%s is known to the kernel as %s', (path, known) => {
    expect(canonicalPath(path)).toBe(known);
  });
});

describe.skipIf(process.platform === 'win32')('the sandbox of macOS', () => {
  let folder: string;
  let made: SeatbeltSandbox[];
  beforeEach(async () => {
    folder = await temporaryFolder('folio-seatbelt-');
    await mkdir(join(folder, 'ws'));
    await mkdir(join(folder, 'temporary'));
    vi.stubEnv('TMPDIR', join(folder, 'temporary'));
    made = [];
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const each of made) await each.dispose();
    expect(await readdir(join(folder, 'temporary'))).toEqual([]);
  });

  /** It gets `-f`, the profile, and the command. */
  async function sandbox(script?: string, home = join(folder, 'home')): Promise<SeatbeltSandbox> {
    const program = join(folder, 'sandbox-exec');
    if (script !== undefined) {
      await writeFile(program, `#!/bin/bash\n${script}\n`);
      await chmod(program, 0o755);
    }
    const sandbox = new SeatbeltSandbox(
      {
        folders: () => [join(folder, 'ws')],
        home,
        instructionNames: () => ['AGENTS.md'],
        holdsSecrets: name => name === '.env',
      },
      program,
    );
    made.push(sandbox);
    return sandbox;
  }

  test('is missing without its program', async () => {
    expect((await (await sandbox()).whyMissing())?.()).toMatch(
      /The program .*sandbox-exec of macOS is missing/,
    );
  });

  test('does not call itself working where everything gets through', async () => {
    expect((await (await sandbox('shift 2; exec "$@"')).whyMissing())?.()).toMatch(
      /does not protect this computer: a test command reads, writes, connects, signals something that is blocked/,
    );
  });

  test.each([
    ['reads', 'cat "$FOLIO_PROBE/secret" >/dev/null'],
    ['writes', 'echo x > "$FOLIO_PROBE/written"'],
    ['connects', 'exec 5<>/dev/tcp/127.0.0.1/$FOLIO_PROBE_PORT'],
    ['signals', 'kill -0 $FOLIO_PROBE_PID'],
  ])('does not call itself working where one thing alone gets through: it %s', async (word, line) => {
    const said = `echo may; (${line}) && echo ${word}`;
    expect((await (await sandbox(said)).whyMissing())?.()).toContain(
      `a test command ${word} something that is blocked`,
    );
  });

  test('believes what was done more than what was said', async () => {
    const quiet = 'echo may; echo x > "$FOLIO_PROBE/written"';
    expect((await (await sandbox(quiet)).whyMissing())?.()).toContain(
      'a test command writes something that is blocked',
    );
  });

  test('does not call itself working where a command cannot do what it may, or where it fails', async () => {
    expect((await (await sandbox('exit 0')).whyMissing())?.()).toContain('does not work here');
    expect((await (await sandbox('echo "invalid profile" >&2; exit 65')).whyMissing())?.()).toContain(
      'could not be created',
    );
  });

  test('calls itself working where only the allowed got through, and hands on profile, command and environment', async () => {
    const held = await sandbox('echo may');
    expect((await held.whyMissing())?.()).toBeUndefined();
    const sandboxed = await held.contain({ grants: { write: [], hosts: ['a.example'] }, background: false });
    const env = { GITHUB_TOKEN: 'x', PATH: '/bin' };
    const launch = sandboxed.wrap({ file: '/bin/sh', args: ['-c', 'true'], cwd: '/', env });
    expect([launch.file, launch.args.slice(2)]).toEqual([
      join(folder, 'sandbox-exec'),
      ['/bin/sh', '-c', 'true'],
    ]);
    expect(launch.env).toMatchObject({ PATH: '/bin', HTTPS_PROXY: expect.stringMatching(/^http:\/\/127/) });
    expect(launch.env).not.toHaveProperty('GITHUB_TOKEN');
    expect(launch.env.TMPDIR).toMatch(/folio-sandbox-.*\/tmp$/);
    expect(await sandboxed.leave()).toEqual({ reportedEnd: true, hosts: [], undone: [] });
  });

  test('refuses a workspace that holds the home folder', async () => {
    expect((await (await sandbox('echo may', join(folder, 'ws'))).whyMissing())?.()).toContain(
      'contains your home folder',
    );
  });
});
