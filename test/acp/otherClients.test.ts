import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { processesIn } from '../support/processesIn.ts';
import { AcpWorld } from './support/acpWorld.ts';

const acpx = resolve(import.meta.dirname, '../../node_modules/acpx/dist/cli.js');

const world = eachTest(() => AcpWorld.make());

/** A prompt by a client that others made: it opens a session, sends it, and ends. */
async function runAcpx(options: readonly string[], prompt: string) {
  const { file, args, env } = world.command();
  const agent = [file, ...args].map(word => `'${word}'`).join(' ');
  const child = spawn(file, [acpx, '--agent', agent, '--cwd', world.workspace, ...options, 'exec', prompt], {
    cwd: world.workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  let [out, error] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', piece => (out += piece));
  child.stderr.setEncoding('utf8').on('data', piece => (error += piece));
  const code = await new Promise<number | null>(done => child.on('close', done));
  return { code, out, error };
}

describe('the client acpx', () => {
  it('sends a prompt, lets files and a command of its own be used, and shows what came of it', async () => {
    await writeFile(join(world.workspace, 'a.txt'), 'one\n');
    world.server.script(
      [call('read_file', { file_path: 'a.txt' })],
      [call('replace', { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' })],
      [call('run_shell_command', { command: 'cat a.txt; touch made' })],
      [text('It says two.')],
    );
    const { code, out, error } = await runAcpx(['--approve-all'], 'Change it');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain('It says two.');
    expect(out).toContain('Edit a.txt');
    expect(await readFile(join(world.workspace, 'a.txt'), 'utf8')).toBe('two\n');
    expect(lastResults(world.server.requests.at(-1)!)[0]?.output).toMatch(/Exit code: 0\n[\s\S]*two/);
    await expect.poll(() => processesIn(world.folder)).toEqual([]);
  });

  it('denies what it is told to deny', async () => {
    world.server.script([call('write_file', { file_path: 'a.txt', content: 'a' })], [text('Then not.')]);
    const { out } = await runAcpx(['--deny-all'], 'Write it');
    expect(out).toContain('Then not.');
    expect(lastResults(world.server.requests.at(-1)!)[0]?.error).toContain('denied');
  });
});
