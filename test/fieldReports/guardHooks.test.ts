import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

interface HookCase extends WorldCase {
  readonly event: 'BeforeTool' | 'PreToolUse';
  readonly command: string;
  readonly timeout?: number;
  readonly guard?: true;
  readonly isWritten: boolean;
  /** Part of what stands on standard error; empty: nothing. */
  readonly report: string;
}

const cases: readonly HookCase[] = [
  {
    title: 'a missing program',
    source: 'report',
    event: 'PreToolUse',
    command: 'folio-none',
    isWritten: true,
    report: 'folio-none',
  },
  {
    title: 'a missing guard',
    source: 'report',
    event: 'PreToolUse',
    command: 'folio-none',
    guard: true,
    isWritten: false,
    report: 'folio-none',
  },
  {
    title: 'a missing guard of the other contract',
    source: 'report',
    event: 'BeforeTool',
    command: 'folio-none',
    guard: true,
    isWritten: false,
    report: '',
  },
  {
    title: 'a hook that runs out of time',
    source: 'report',
    event: 'BeforeTool',
    command: 'sleep 600',
    timeout: 100,
    isWritten: true,
    report: 'without a result',
  },
  {
    title: 'a guard that runs out of time',
    source: 'report',
    event: 'BeforeTool',
    command: 'sleep 600',
    timeout: 100,
    guard: true,
    isWritten: false,
    report: 'without a result',
  },
  {
    title: 'a hook that crashes',
    source: 'trial',
    event: 'BeforeTool',
    command: 'kill -SEGV $$',
    isWritten: true,
    report: 'SIGSEGV',
  },
  {
    title: 'a guard that crashes',
    source: 'trial',
    event: 'BeforeTool',
    command: 'kill -SEGV $$',
    guard: true,
    isWritten: false,
    report: 'SIGSEGV',
  },
  {
    title: 'a guard that warns',
    source: 'trial',
    event: 'BeforeTool',
    command: 'echo careful; exit 1',
    guard: true,
    isWritten: false,
    report: 'careful',
  },
  {
    title: 'a guard that agrees',
    source: 'trial',
    event: 'BeforeTool',
    command: 'exit 0',
    guard: true,
    isWritten: true,
    report: '',
  },
  {
    title: 'a guard that agrees in JSON',
    source: 'trial',
    event: 'BeforeTool',
    command: "echo '{}'",
    guard: true,
    isWritten: true,
    report: '',
  },
];

describe.skipIf(process.platform === 'win32')('before a file is written', () => {
  const world = eachTest(() => HeadlessWorld.make());
  beforeEach(async () => {
    await mkdir(join(world.folder, 'home', '.gemini'), { recursive: true });
  });

  it.each(cases)('$title', async ({ event, command, timeout, guard, isWritten, report }) => {
    const home = join(world.folder, 'home');
    const seconds = timeout !== undefined && event === 'PreToolUse' ? timeout / 1000 : timeout;
    const hooks = { [event]: [{ hooks: [{ type: 'command', command, timeout: seconds, guard }] }] };
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({ hooks }));
    world.server.script([call('write_file', { file_path: 'b.txt', content: 'x' })], [text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'go', '--approval-mode', 'yolo'], {
      env: { HOME: home, USERPROFILE: home },
    });
    expect(code, error).toBe(0);
    expect(await readdir(world.workspace)).toEqual(isWritten ? ['b.txt'] : []);
    if (report === '') expect(error).toBe('');
    else expect(error).toContain(report);
  });
});
