import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { declareTool } from '../../../src/extension/core/calls/declarations.ts';
import { WorkspacePaths } from '../../../src/extension/core/paths.ts';
import type { AnyTool, PrepareResult } from '../../../src/extension/core/tool.ts';
import { lazyDebugger } from '../../../src/extension/node/debug/lazyDebugger.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { SystemClock } from '../../../src/extension/node/systemClock.ts';
import type { Clock } from '../../../src/extension/platform/clock.ts';
import type { Debugger } from '../../../src/extension/platform/debug/debugger.ts';
import { debugTool } from '../../../src/extension/tools/debug/debug.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { PolicyWorld } from '../../support/policyWorld.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { useTool } from '../../support/useTool.ts';

const adapter = `"${process.execPath}" "${resolve('test/support/fakeDebugAdapter.ts')}"`;

/** Three calls deep the rate is a wrong one. */
const program = [
  'start = 1',
  'call order',
  'print done',
  'exit 4',
  'def order',
  'call total',
  'return',
  'def total',
  'rate = 200',
  'print rate {rate}',
  'return',
];

let folder: string;
let made: Debugger;
let tool: AnyTool;
let toolOf: (made: Debugger, clock: Clock) => AnyTool;

beforeEach(async () => {
  folder = await temporaryFolder('debug-');
  const name = 'Program';
  const configurations = [
    { name, type: 'fake', request: 'launch', program: '$' + '{workspaceFolder}/main.txt' },
  ];
  // As people write it.
  await put('.vscode/launch.json', `// How it starts\n${JSON.stringify({ configurations })}`);
  await put('main.txt', program.join('\n'));
  make(adapter);
});

afterEach(async () => {
  await made.close();
});

async function put(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

function make(command: string, isTrusted = true): void {
  const files = new NodeFileSystem();
  made = lazyDebugger({
    folders: [folder],
    files,
    env: process.env,
    isTrusted: () => isTrusted,
    adapter: () => command,
  });
  const paths = new WorkspacePaths(files, [folder]);
  toolOf = (used, clock) => debugTool({ debugger: used, files, paths, clock, wantsSandbox: () => false });
  tool = toolOf(made, new SystemClock());
}

const use = async (args: object) => (await useTool(tool, args)).text;
const at = (text: string, more: object = {}) => ({ file: 'main.txt', at: text, ...more });

describe('the tool that debugs', () => {
  it('is declared in at most 770 bytes, where there are adapter, configuration and trust', async () => {
    expect(Buffer.byteLength(JSON.stringify(declareTool(tool)))).toBeLessThanOrEqual(770);
    expect(tool.isOffered?.()).toBe(true);
    make('');
    expect(tool.isOffered?.()).toBe(false);
    make(adapter, false);
    expect(tool.isOffered?.()).toBe(false);
    make(adapter);
    await rm(join(folder, '.vscode'), { recursive: true });
    expect(tool.isOffered?.()).toBe(false);
  });

  it('stops at the text of a line, with the stack, the variables and the output', async () => {
    const breakpoints = [
      at('print rate {rate}', { condition: 'rate == 200' }),
      at('print done', { log: 'rate was {rate}' }),
    ];
    expect(await use({ action: 'start', breakpoints })).toBe(
      [
        'Stopped: breakpoint.',
        '<untrusted_output>',
        '10: print rate {rate}',
        '0 total main.txt:10',
        '1 order main.txt:6',
        '2 main main.txt:2',
        '  … 2 frames of libraries',
        'Local:',
        '  start = 1',
        '  rate = 200',
        '</untrusted_output>',
      ].join('\n'),
    );
    expect(await use({ action: 'evaluate', expression: 'rate' })).toContain('200');
    expect(await use({ action: 'over' })).toContain('11: return');
    expect(await use({ action: 'out' })).toContain('Stopped: step.');
    const end = await use({ action: 'continue' });
    expect(end).toContain('The program ended with code 4.');
    expect(end).toContain('rate was 200');
    expect(end).toContain('done');
    await expect(use({ action: 'look' })).resolves.toContain('ended');
  });

  it('stops at an exception that the program swallows, and says which', async () => {
    await put('main.txt', 'a = 1\nthrow no such price\nprint went on');
    expect(await use({ action: 'start' })).toContain('went on');
    const text = await use({ action: 'start', caught_exceptions: true });
    expect(text).toContain('Stopped: exception.');
    expect(text).toContain('Exception: Error: no such price');
  });

  it('answers a text that several lines have with those lines, one of which it then takes', async () => {
    await expect(use({ action: 'start', breakpoints: [at('return')] })).rejects.toThrow(
      '7: return\n11: return',
    );
    expect(await use({ action: 'start', breakpoints: [at('11: return')] })).toContain('11: return');
    await expect(use({ action: 'start', breakpoints: [at('missing')] })).rejects.toThrow(
      'No line of main.txt',
    );
  });

  it('says which breakpoints could not stop it', async () => {
    await put('other.txt', 'never loaded');
    const text = await use({ action: 'start', breakpoints: [{ file: 'other.txt', at: 'never loaded' }] });
    expect(text).toContain('Breakpoint without effect, line 1: No code is there');
  });

  it('replaces breakpoints as it continues', async () => {
    await use({ action: 'start', breakpoints: [at('start = 1'), at('rate = 200')] });
    expect(await use({ action: 'continue', breakpoints: [] })).toContain('ended with code 4');
  });

  it('returns while a program runs on, and waits again', async () => {
    await put('main.txt', 'print up\nwait');
    expect(await use({ action: 'start', seconds: 1 })).toMatch(/^Still running after 1 s[\s\S]*up/);
    expect(await use({ action: 'continue', seconds: 1 })).toContain('Still running');
    await expect(use({ action: 'evaluate', expression: 'a' })).resolves.toContain('Still running');
    expect(await use({ action: 'stop' })).toBe('Ended.');
    await expect(use({ action: 'continue' })).rejects.toThrow('Use action start.');
  });

  it('ends the program when the call is stopped, or the session closes', async () => {
    await put('main.txt', 'wait');
    const stopping = new AbortController();
    const running = useTool(tool, { action: 'start' }, { signal: stopping.signal });
    setTimeout(() => stopping.abort(), 300);
    await expect(running).rejects.toThrow();
    await expect(use({ action: 'look' })).rejects.toThrow('No program is being debugged.');
    await use({ action: 'start', seconds: 1 });
    await made.close();
    expect(await use({ action: 'look' })).toContain('The program ended');
  });

  it('says what the adapter refuses, that it died, and that it is none', async () => {
    await rm(join(folder, 'main.txt'));
    await expect(use({ action: 'start' })).rejects.toThrow(
      /refused launch\.\n<untrusted_output>\nCannot find.*\n<\/untrusted_output>$/,
    );
    await put('main.txt', 'die');
    expect(await use({ action: 'start' })).toContain('The program ended');
    make(`"${process.execPath}" --version`);
    await expect(use({ action: 'start' })).rejects.toThrow('Its process ended with code 0');
    make('no-such-adapter');
    await expect(use({ action: 'start' })).rejects.toThrow();
    await put('.vscode/launch.json', '{ "configurations": [');
    await expect(use({ action: 'start' })).rejects.toThrow('cannot be read');
  });

  it('waits 30 seconds for an expression that never returns, and goes on to be of use', async () => {
    const clock = new ManualClock();
    tool = toolOf(made, clock);
    await use({ action: 'start', breakpoints: [at('print rate')] });
    const evaluation = use({ action: 'evaluate', expression: 'forever()' });
    const late = expect(evaluation).rejects.toThrow('has not answered evaluate for 30 s');
    // Only the evaluation waits: what it needs to know of the stack was answered.
    const passing = setInterval(() => clock.pass(1_000), 10);
    onTestFinished(() => clearInterval(passing));
    await late;
    clearInterval(passing);
    expect(await use({ action: 'evaluate', expression: 'rate' })).toContain('200');
  });

  it('ends an adapter that prints without an end, and no message', async () => {
    const prints = 'setInterval(() => process.stdout.write("x".repeat(9000)), 5)';
    make(`"${process.execPath}" -e '${prints}'`);
    await expect(use({ action: 'start' })).rejects.toThrow('not the debug adapter protocol');
  });

  it('keeps long outputs, values and stacks within bounds', async () => {
    const calls = Array.from({ length: 60 }, (_each, at) => `def f${at}\ncall f${at + 1}`).join('\n');
    const values = Array.from({ length: 60 }, (_each, at) => `v${at} = ${'x'.repeat(5_000)}`).join('\n');
    const prints = `print ${'y'.repeat(200)}\n`.repeat(500);
    await put('main.txt', `${prints}${values}\ncall f0\n${calls}\ndef f60\nstop = here`);
    const text = await use({ action: 'start', breakpoints: [at('stop = here')] });
    expect(text.length).toBeLessThan(12_000);
    expect(text).toContain('characters were not kept');
    expect(text).toContain('44 frames more');
    expect(text).toContain('… 30 more');
  });
});

describe('beside a program that the user debugs', () => {
  /** A tool beside a program that stands still in line 10. */
  async function besideUsers(): Promise<AnyTool> {
    const [configuration] = await made.configurations();
    let isStopped = () => {};
    const stopped = new Promise<void>(resolve => {
      isStopped = resolve;
    });
    const path = join(folder, 'main.txt');
    const program = await made.start(
      { configuration: configuration!, breakpoints: [{ path, line: 10 }], stopsAtCaught: false },
      ({ kind }) => kind === 'stopped' && isStopped(),
      new AbortController().signal,
    );
    onTestFinished(() => program.stop());
    await stopped;
    make(adapter);
    const users = { name: 'My\nshop', threadId: 7, ask: program.ask.bind(program) };
    return toolOf({ ...made, users: () => users }, new SystemClock());
  }

  async function useAndPrepare(args: object) {
    let prepared: PrepareResult<unknown> | undefined;
    const decide = (given: PrepareResult<unknown>) => {
      prepared = given;
      return undefined;
    };
    const { text } = await useTool(tool, args, { decide });
    return { text, mustAsk: prepared?.mustAsk, subject: prepared?.subject };
  }

  it('it reads where that stands, and asks in every mode before it evaluates there', async () => {
    tool = await besideUsers();
    expect(await use({ action: 'look' })).toMatch(
      /^The user's debug session "My shop" is stopped\.\n<untrusted_output>\n10: print rate[\s\S]*rate = 200/,
    );
    const evaluation = { action: 'evaluate', expression: 'rate' };
    const { text, mustAsk, subject } = await useAndPrepare(evaluation);
    expect(mustAsk).toBe(true);
    expect(subject).toEqual({ kind: 'other', detail: 'In your debug session My shop:\nrate' });
    expect(text).toContain('200');
    expect((await useAndPrepare({ action: 'look' })).mustAsk).toBeUndefined();
  });

  it('that is neither continued nor stepped nor ended', async () => {
    tool = await besideUsers();
    for (const action of ['continue', 'over', 'into', 'out'])
      await expect(use({ action })).rejects.toThrow('Only the user lets it go on.');
    expect(await use({ action: 'stop' })).toContain('Only the user ends it.');
    expect(await use({ action: 'look' })).toContain('10: print rate');
  });

  it('one of its own comes first, and its end says that the other one stands still', async () => {
    tool = await besideUsers();
    expect(await use({ action: 'start', breakpoints: [at('start = 1')] })).toMatch(/^Stopped: breakpoint/);
    expect(await use({ action: 'look' })).toContain('1: start = 1');
    expect(await use({ action: 'continue' })).toMatch(
      /^The program ended with code 4\. The user's debug session "My shop" is stopped\. Use look/,
    );
    await put('.vscode/launch.json', '{}');
    await expect(use({ action: 'start' })).rejects.toThrow('"My shop" is stopped. Use look');
  });
});

describe('the policy', () => {
  it('asks for a start, an evaluation, a condition and a log, and for no step', async () => {
    const world = await PolicyWorld.make();
    onTestFinished(() => world.dispose());
    const kindOf = async (args: object, mode: 'default' | 'autoEdit' | 'plan' | 'yolo') =>
      (await world.call('debug', 'run', args, undefined, mode)).kind;
    const all = async (args: object) => [
      await kindOf(args, 'default'),
      await kindOf(args, 'autoEdit'),
      await kindOf(args, 'plan'),
      await kindOf(args, 'yolo'),
    ];
    const asks = ['ask', 'ask', 'deny', 'allow'];
    const runs = ['allow', 'allow', 'deny', 'allow'];
    expect(await all({ action: 'start' })).toEqual(asks);
    expect(await all({ action: 'evaluate', expression: 'a' })).toEqual(asks);
    for (const action of ['continue', 'over', 'into', 'out', 'look', 'stop'])
      expect(await all({ action })).toEqual(runs);
    const point = { file: 'a.js', at: 'x' };
    expect(await all({ action: 'continue', breakpoints: [point] })).toEqual(runs);
    expect(await all({ action: 'continue', breakpoints: [{ ...point, condition: 'f()' }] })).toEqual(asks);
    expect(await all({ action: 'continue', breakpoints: [{ ...point, log: '{f()}' }] })).toEqual(asks);
    expect(await all({ aa: '{"action":"stop"', action: 'evaluate', expression: 'f()' })).toEqual(asks);
  });
});
