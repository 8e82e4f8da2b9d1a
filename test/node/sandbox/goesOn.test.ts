/* Commands that run on in the sandbox after their calls, while a user works in the same folder. */

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WorkspacePaths } from '../../../src/extension/core/paths.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { NodeProcesses } from '../../../src/extension/node/processes/nodeProcesses.ts';
import { QuarantineFolder } from '../../../src/extension/node/sandbox/quarantineFolder.ts';
import type { SandboxRequest } from '../../../src/extension/platform/sandbox.ts';
import type { CommandPorts } from '../../../src/extension/tools/shell/commandPorts.ts';
import { InteractiveCommands } from '../../../src/extension/tools/shell/interactiveCommands.ts';
import { LateMessages } from '../../../src/extension/tools/shell/lateMessages.ts';
import { runShellCommandTool } from '../../../src/extension/tools/shell/runShellCommand.ts';
import { sendInputTool } from '../../../src/extension/tools/shell/sendInput.ts';
import { eachTest } from '../../support/eachTest.ts';
import { PushedClock } from '../../support/pushedClock.ts';
import { RecordingCall } from '../../support/recordingCall.ts';
import { noGrants, SandboxWorld } from '../../support/sandboxWorld.ts';

const patience = { timeout: 60_000, interval: 20 };

describe.skipIf(process.platform !== 'linux')('a command that continues in the sandbox', () => {
  const world = eachTest(() => SandboxWorld.make([]));
  const processes = eachTest(() => new NodeProcesses());
  const call = eachTest(() => RecordingCall.make());
  beforeEach(async () => {
    call.sandboxed = { kind: 'up', grants: noGrants };
  });
  afterEach(async () => {
    writeFileSync(join(world.workspace, 'over'), '');
  });

  function session(contain = (request: SandboxRequest) => world.sandbox.contain(request)) {
    const reported: string[] = [];
    const files = new NodeFileSystem();
    const clock = new PushedClock();
    const ports: CommandPorts = {
      processes,
      files,
      paths: new WorkspacePaths(files, [world.workspace]),
      clock,
      isAttended: true,
      sandbox: {
        isOn: () => true,
        contain,
        home: world.home,
        late: new LateMessages(sentence => void reported.push(sentence)),
      },
      inactivityTimeout: () => 300,
      outputLimit: () => 40_000,
      outputFolder: () => world.root,
    };
    const open = new InteractiveCommands();
    const [tool, answering] = [runShellCommandTool(ports, open), sendInputTool(ports, open)];
    const run = (command: string, is_background = false) => call.use(tool, { command, is_background });
    /** Until it waits for input; the model's answers then wait for what follows. */
    const start = async (command: string) => {
      const { text } = await clock.passUntil(call.use(tool, { command, interactive: true }), 1_000);
      const id = Number(/Process id: (\d+)/.exec(text)?.[1]);
      return { text, answer: async (line?: string) => (await call.use(answering, { id, text: line })).text };
    };
    return { run, start, reported };
  }

  const untilOver = 'until [ -e over ] || [ ! -e file ]; do sleep 0.1; done';

  test('keeps what the user makes under a protected name, and both are told at once where it lies', async () => {
    const { run, reported } = session();
    expect((await run(untilOver, true)).text).toContain('It runs in the sandbox.');
    const mine = join(world.workspace, '.idea');
    mkdirSync(mine);
    writeFileSync(join(mine, 'mine.xml'), 'my own');
    await vi.waitFor(() => expect(reported).toHaveLength(1), patience);
    const [, kept = ''] = /\.idea, which lies at (\S+) now/.exec(reported[0]!) ?? [];
    expect(readFileSync(join(kept, 'mine.xml'), 'utf8')).toBe('my own');
    expect(reported[0]).toContain(`While “${untilOver}” runs in the sandbox`);
    // The model hears of it once.
    expect((await run('true')).text).toContain(`which lies at ${kept} now`);
    expect((await run('true')).text).not.toContain('which lies at');
    // Each later one is kept, too, and the user is not told again and again.
    mkdirSync(mine);
    writeFileSync(join(mine, 'mine.xml'), 'once more');
    await vi.waitFor(() => expect(existsSync(mine)).toBe(false), patience);
    const all = await readdir(join(kept, '../..'));
    const texts = all.map(each => readFileSync(join(kept, '../..', each, '.idea/mine.xml'), 'utf8'));
    expect(texts.sort()).toEqual(['my own', 'once more']);
    expect(reported).toHaveLength(1);
  });

  test('and waits for input: what is undone while the model waits for it comes with what it prints', async () => {
    const { start, reported } = session();
    const { text, answer } = await start(
      'read -p "Make it? " a; mkdir .idea; until [ ! -e .idea ]; do sleep 0.05; done; read -p "And now? " b; echo "$a $b"',
    );
    expect(text).toContain('It runs in the sandbox.');
    const next = await answer('yes');
    expect(reported).toHaveLength(1);
    expect(next).toMatch(
      /protected names that appear are undone[\s\S]*\.idea, which lies at[\s\S]*And now\? /,
    );
    const last = await answer('no');
    expect(last).toContain('yes no');
    expect(last).not.toContain('which lies at');
  });

  test('and waits for input: what is undone while nobody follows it comes with the next answer', async () => {
    const { start, reported } = session();
    const { answer } = await start('read -p "Continue? " a; echo "$a"');
    mkdirSync(join(world.workspace, '.idea'));
    await vi.waitFor(() => expect(reported).toHaveLength(1), patience);
    expect(await answer('yes')).toMatch(/\.idea, which lies at[\s\S]*Exit code: 0[\s\S]*yes/);
  });

  test('says with its start what it made itself by then', async () => {
    const { run, reported } = session();
    const { text, display } = await run(
      `mkdir .idea; until [ ! -e .idea ]; do sleep 0.1; done; ${untilOver}`,
      true,
    );
    if (text.includes('took back')) expect(display.summary).toContain('which took back');
    else await vi.waitFor(() => expect(reported.join()).toContain('.idea, which lies at'), patience);
  });

  test('whose sandbox cannot be taken down is told of, since protected names may be left', async () => {
    const { run, reported } = session(async request => {
      const sandboxed = await world.sandbox.contain(request);
      const leave = async () => {
        await sandboxed.leave();
        throw new Error('the disk is full');
      };
      return { wrap: launch => sandboxed.wrap(launch), leave };
    });
    await run(untilOver, true);
    writeFileSync(join(world.workspace, 'over'), '');
    await vi.waitFor(
      () => expect(reported.join()).toMatch(/could not be taken down.*the disk is full/),
      patience,
    );
    rmSync(join(world.workspace, 'over'));
  });
});

const isRoot = process.geteuid?.() === 0;

/** A plain user reaches what lies here. The folder for temporary files may lie in one that is the user's alone. */
const reachable = isRoot ? '/tmp' : tmpdir();

/** Whom permissions hold back. */
async function asPlainUser(folders: readonly string[], work: () => Promise<void>): Promise<void> {
  if (!isRoot) return await work();
  const nobody = 65_534;
  for (const folder of folders) chownSync(folder, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

test.skipIf(process.platform !== 'linux').each([
  ['the folder itself', '.vscode', (path: string) => chmodSync(path, 0o555)],
  ['the folder itself, of all rights', '.vscode', (path: string) => chmodSync(path, 0)],
  ['the folder that it stands in', '.git/hooks', (path: string) => chmodSync(dirname(path), 0o111)],
])('what is undone is moved although a command took the rights to %s', async (_what, name, takeRights) => {
  const root = await mkdtemp(join(reachable, 'folio-kept-'));
  try {
    await asPlainUser([root], async () => {
      const path = join(root, 'ws', name);
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, 'evil'), 'evil');
      takeRights(path);
      const kept = await new QuarantineFolder(join(root, 'home')).keep(path);
      expect(existsSync(path)).toBe(false);
      expect(readFileSync(join(kept, 'evil'), 'utf8')).toBe('evil');
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test.skipIf(process.platform !== 'linux')(
  'the rights to what a link leads to stay as they are when it cannot be moved',
  async () => {
    const root = await mkdtemp(join(reachable, 'folio-kept-'));
    try {
      await asPlainUser([root], async () => {
        const [outside, ws] = [join(root, 'outside'), join(root, 'ws')];
        mkdirSync(outside);
        mkdirSync(ws);
        symlinkSync(outside, join(ws, '.vscode'));
        chmodSync(outside, 0o500);
        chmodSync(ws, 0o555);
        const kept = await new QuarantineFolder(join(root, 'home')).keep(join(ws, '.vscode'));
        expect(readlinkSync(kept)).toBe(outside);
        expect(statSync(outside).mode & 0o777).toBe(0o500);
      });
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);

/** A place on another disk, where the system has one that can be written. */
const shared = '/dev/shm';
const isElsewhere = existsSync(shared) && statSync(shared).dev !== statSync(reachable).dev;

test.skipIf(!isElsewhere)(
  'what cannot be copied to another disk lies beside, under a name that nobody obeys',
  async () => {
    const home = await mkdtemp(join(shared, 'folio-kept-'));
    const root = await mkdtemp(join(reachable, 'folio-kept-'));
    try {
      await asPlainUser([home, root], async () => {
        const path = join(root, 'ws', '.vscode');
        mkdirSync(path, { recursive: true });
        writeFileSync(join(path, 'evil'), 'evil', { mode: 0 });
        chmodSync(dirname(path), 0o555);
        const kept = await new QuarantineFolder(home).keep(path);
        expect(existsSync(path)).toBe(false);
        expect(kept.startsWith(`${path}-taken-back-`)).toBe(true);
        expect(existsSync(join(kept, 'evil'))).toBe(true);
      });
    } finally {
      await rm(home, { recursive: true, force: true });
      await rm(root, { recursive: true, force: true });
    }
  },
);

test.skipIf(!isElsewhere)(
  'what is kept on another disk loses nothing that is written meanwhile',
  async () => {
    const home = await mkdtemp(join(shared, 'folio-kept-'));
    const folder = await mkdtemp(join(reachable, 'folio-kept-'));
    try {
      const path = join(folder, '.vscode');
      mkdirSync(path);
      for (let at = 0; at < 300; at += 1) writeFileSync(join(path, `${at}`), `${at}`);
      const keeping = new QuarantineFolder(home).keep(path);
      const place = join(home, '.local/state/folio/taken-back');
      await vi.waitFor(async () => expect(await readdir(place)).toHaveLength(1), {
        ...patience,
        interval: 1,
      });
      const written = new Set<string>();
      for (let at = 0; at < 50; at += 1) {
        writeSomehow(path, `late-${at}`);
        written.add(`late-${at}`);
        await new Promise(setImmediate);
      }
      const kept = await keeping;
      const names = new Set([...(await readdir(kept)), ...(existsSync(path) ? await readdir(path) : [])]);
      expect([...written].filter(name => !names.has(name))).toEqual([]);
      expect(names.size).toBe(350);
      expect((await readdir(folder)).filter(name => name !== '.vscode')).toEqual([]);
    } finally {
      await rm(home, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** The folder may be moved away in the middle of it. */
function writeSomehow(folder: string, name: string): void {
  for (;;) {
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), '');
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
