import { execFileSync } from 'node:child_process';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DevContainers } from '../../src/extension/node/containers/devContainers.ts';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import type { ContainerPlan } from '../../src/extension/platform/containers.ts';
import type { Processes } from '../../src/extension/platform/processes.ts';
import { until } from '../support/backgroundWorld.ts';
import { describeContainer, installDevcontainer } from '../support/devcontainer.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** What the stand-in says of itself is not to be had of the real one. */
const isHere = process.platform === 'linux' && process.env.FOLIO_DEVCONTAINER === undefined;

describe.skipIf(!isHere)('the container of a workspace', () => {
  let workspace: string;
  let bin: string;
  let commands: Processes;
  let agreed: string | undefined;
  let containers: DevContainers;

  beforeEach(async () => {
    const folder = await realpath(await temporaryFolder('folio-container-'));
    workspace = join(folder, 'workspace');
    await mkdir(workspace);
    const standIn = await installDevcontainer(folder, workspace);
    bin = standIn.bin;
    await describeContainer(workspace, { initializeCommand: './prepare.sh' });
    await writeFile(join(workspace, 'prepare.sh'), 'true\n');
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const programs = new ProgramFinder(() => [workspace], env);
    agreed = undefined;
    const isAgreed = async ({ whole }: ContainerPlan) => {
      agreed ??= whole;
      return whole === agreed;
    };
    containers = new DevContainers({ programs, env, isApproved: isAgreed });
    const own = new NodeProcesses(env);
    commands = containers.commands({ folder: workspace, inside: standIn.inside }, own);
    onTestFinished(async () => {
      await containers.dispose();
      await own.dispose();
    });
  });

  const run = async (command: string) => {
    const running = commands.start({ command, cwd: workspace });
    let output = '';
    running.onDidWrite(text => {
      output += text;
    });
    return { ...(await running.exit), output };
  };
  const calls = async (verb: string) =>
    (await readFile(join(bin, 'calls'), 'utf8')).split('\n').filter(line => line.startsWith(verb)).length;
  const change = async (state: object | undefined) => {
    const file = join(bin, 'container');
    const known: object = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, state ? JSON.stringify({ ...known, ...state }) : '');
  };

  it('is started once for commands that begin together', async () => {
    const ends = await Promise.all([run('echo a'), run('exit 4')]);
    expect(ends.map(({ code }) => code)).toEqual([0, 4]);
    expect(await calls('up')).toBe(1);
  });

  it('is started again when it has stopped, and made again when it is gone', async () => {
    await run('true');
    await change({ isRunning: false });
    expect(await run('echo back')).toMatchObject({ code: 0, output: expect.stringContaining('back\n') });
    await change(undefined);
    expect(await run('echo new')).toMatchObject({ code: 0, output: expect.stringContaining('new\n') });
    expect(await calls('up')).toBe(3);
  });

  it('is not started again with a file, or a script that the user did not see', async () => {
    await run('true');
    await change({ isRunning: false });
    await writeFile(join(workspace, 'prepare.sh'), 'touch stray\n');
    expect((await run('true')).failure).toContain('has changed since you allowed it');
    expect(await calls('up')).toBe(1);
    await writeFile(join(workspace, 'prepare.sh'), 'true\n');
    expect((await run('true')).code).toBe(0);
    await change({ isRunning: false });
    await describeContainer(workspace, { runArgs: ['--privileged'] });
    expect((await run('true')).failure).toContain('has changed since you allowed it');
  });

  it('shows its progress, and can be stopped while it is made', async () => {
    await describeContainer(workspace, { slow: true });
    const running = commands.start({ command: 'true', cwd: workspace });
    const shown = new Promise<string>(resolve => {
      let output = '';
      running.onDidWrite(text => {
        output += text;
        if (output.includes('Step 1/9')) resolve(output);
      });
    });
    expect(await shown).not.toMatch(/\[\d{4}-/);
    await running.stop();
    expect(await running.exit).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  it('does not hold back the end of a command that waits for what another starts', async () => {
    await describeContainer(workspace, { slow: true });
    const first = commands.start({ command: 'true', cwd: workspace });
    await until(async () => (await calls('up').catch(() => 0)) === 1);
    const second = commands.start({ command: 'true', cwd: workspace });
    await second.stop();
    expect(await second.exit).toMatchObject({ code: null, signal: 'SIGTERM' });
    expect(await Promise.race([first.exit, 'still starts'])).toBe('still starts');
    await first.stop();
  });

  it('keeps nothing of a command that is stopped, even where that has left its group', async () => {
    const seconds = String(87_000_000 + process.pid);
    const lives = () =>
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(`sleep ${seconds}`);
    const running = commands.start({ command: `setsid sleep ${seconds} & wait`, cwd: workspace });
    await until(async () => lives());
    await running.stop();
    expect(lives()).toBe(false);
  });
});
