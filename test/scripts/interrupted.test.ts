/* What a start leaves behind that is interrupted: nothing. The programs are real ones that would never end. */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../scripts/run.ts';
import { installServer } from '../../scripts/vscodeHost/install.ts';
import { startServer } from '../../scripts/vscodeHost/server.ts';
import { isAlive } from '../support/isAlive.ts';

const onPosix = test.skipIf(process.platform === 'win32');

onPosix('a program that runs when the start is interrupted has ended once that is told', async () => {
  const { folder, pidFile, readPid } = await makeFolder();
  const stop = new AbortController();
  const running = run(process.execPath, ['-e', neverEnds, pidFile], { cwd: folder, signal: stop.signal });
  const pid = await readPid();
  stop.abort();
  expect(await running).not.toBe(0);
  expect(isAlive(pid)).toBe(false);
});

onPosix('npm ends with the fetching of the VS Code server, and nobody has to wait for its lock', async () => {
  const { folder, pidFile, readPid } = await makeFolder();
  await writeFile(join(folder, 'npm'), `#!${process.execPath}\n${neverEnds}`, { mode: 0o755 });
  await useEnvironment({
    PATH: `${folder}:${process.env.PATH}`,
    XDG_CACHE_HOME: join(folder, 'cache'),
    PID_FILE: pidFile,
  });
  const stop = new AbortController();
  const reported: string[] = [];
  const installing = installServer({
    signal: stop.signal,
    notify: (what, part, parts) => reported.push(`${what} ${part}/${parts}`),
  });
  const pid = await readPid();
  stop.abort();
  await expect(installing).rejects.toThrow();
  expect(isAlive(pid)).toBe(false);
  expect(reported).toHaveLength(1);
  expect(reported[0]).toMatch(/^Fetching the VS Code server .* 1\/2$/);
  expect((await readdir(join(folder, 'cache', 'folio'))).filter(name => name.includes('.lock'))).toEqual([]);
});

onPosix('a VS Code server that is starting ends, and its folders go', async () => {
  const { folder, pidFile, readPid } = await makeFolder();
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  await mkdir(join(folder, 'out'));
  await mkdir(join(folder, 'extensions', 'node_modules'), { recursive: true });
  await writeFile(join(folder, 'out', 'server-main.js'), neverEnds);
  await useEnvironment({ TMPDIR: temporary, PID_FILE: pidFile });
  const stop = new AbortController();
  const starting = startServer({
    installation: folder,
    extensions: [],
    builtIns: [],
    settings: {},
    signal: stop.signal,
  });
  const pid = await readPid();
  stop.abort();
  await expect(starting).rejects.toThrow();
  expect(isAlive(pid)).toBe(false);
  expect(await readdir(temporary)).toEqual([]);
});

/** Writes its number to where a test looks for it, and stays. */
const neverEnds = `
require('node:fs').writeFileSync(process.env.PID_FILE ?? process.argv[1], String(process.pid));
setInterval(() => {}, 1000);
`;

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'folio-interrupted-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const pidFile = join(folder, 'pid');
  const readPid = async () => {
    const read = () => readFile(pidFile, 'utf8').catch(() => '');
    await expect.poll(read, { timeout: 60_000 }).not.toBe('');
    return Number(await read());
  };
  return { folder, pidFile, readPid };
}

async function useEnvironment(given: Readonly<Record<string, string>>): Promise<void> {
  const before = Object.keys(given).map(name => [name, process.env[name]] as const);
  Object.assign(process.env, given);
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}
