import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { RunningOutputFile, readRunningOutput } from '../../src/extension/node/sessions/runningOutputFile.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder('folio-kept-');
});

describe('a kept output', () => {
  test('keeps the newest part of what never ends, in two files of bounded size', async () => {
    const path = join(folder, 'outputs', 'running.log');
    const kept = new RunningOutputFile(path);
    const lines = Array.from({ length: 40_000 }, (_, at) => `line ${at} ${'x'.repeat(50)}\n`);
    for (let at = 0; at < lines.length; at += 100) kept.append(lines.slice(at, at + 100).join(''));
    const { text, isWhole } = (await readRunningOutput(path))!;
    expect(isWhole).toBe(false);
    expect(text.endsWith(lines.slice(-8_000).join(''))).toBe(true);
    const names = await readdir(join(folder, 'outputs'));
    expect(names.sort()).toEqual(['running.log', 'running.log.1']);
    for (const name of names) expect((await stat(join(folder, 'outputs', name))).size).toBeLessThan(600_000);
    kept.discard();
    expect(await readdir(join(folder, 'outputs'))).toEqual([]);
  });

  test('is private', async () => {
    const path = join(folder, 'outputs', 'running.log');
    new RunningOutputFile(path).append('x');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'outputs'))).mode & 0o777).toBe(0o700);
  });

  test('gives up where the disk refuses it, and disturbs nobody', async () => {
    await writeFile(join(folder, 'outputs'), 'a file in the place of the folder');
    const path = join(folder, 'outputs', 'running.log');
    const kept = new RunningOutputFile(path);
    kept.append('one');
    kept.append('two');
    kept.discard();
    expect(await readRunningOutput(path)).toBeUndefined();
  });
});
