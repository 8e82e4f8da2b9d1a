import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, hang, text } from '../support/geminiAnswers.ts';
import { lastPrompt, lastResults, toolNames } from '../support/geminiServer.ts';
import type { RunningProgram } from '../support/headlessProgram.ts';
import { type Process, runHeadless, startHeadless } from '../support/headlessRun.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { processesIn } from '../support/processesIn.ts';

type Line =
  | SessionEvent
  | { readonly type: 'input.refused'; readonly line: number; readonly reason: string }
  | { readonly type: 'command.answered'; readonly text: string };

const world = eachTest(() => HeadlessWorld.make());
let runs: Run[];

beforeEach(async () => {
  runs = [];
});

afterEach(async () => {
  await Promise.all(runs.map(run => run.end()));
});

/** The built entry, led by lines. */
class Run {
  readonly lines: Line[] = [];
  readonly exit: Promise<number | null>;
  readonly program: RunningProgram;
  error = '';
  private rest = '';

  constructor(program: RunningProgram) {
    this.program = program;
    this.exit = program.exit;
    program.stdin.on('error', () => {});
    program.stderr.setEncoding('utf8').on('data', piece => (this.error += piece));
    program.stdout.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (this.rest + piece).split('\n');
      this.rest = lines.pop() ?? '';
      this.lines.push(...lines.map(line => JSON.parse(line)));
    });
  }

  send(...intentions: readonly object[]): void {
    for (const each of intentions) this.program.stdin.write(`${JSON.stringify(each)}\n`);
  }

  of<T extends Line['type']>(type: T): Extract<Line, { type: T }>[] {
    return this.lines.filter((line): line is Extract<Line, { type: T }> => line.type === type);
  }

  async until<T extends Line['type']>(type: T, count = 1): Promise<Extract<Line, { type: T }>> {
    await expect.poll(() => this.of(type).length).toBeGreaterThanOrEqual(count);
    return this.of(type)[count - 1]!;
  }

  async end(): Promise<number | null> {
    this.program.stdin.end();
    return await this.exit;
  }
}

const start = (...args: readonly string[]) => startIn('shared', ...args);

async function startIn(wanted: Process, ...args: readonly string[]): Promise<Run> {
  const { workspace, folder, server } = world;
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  const places = ['--workspace', workspace, '--session-dir', join(folder, 'sessions')];
  const how = ['--base-url', server.baseUrl, '--input-format', 'stream-json', ...args];
  const env = { ...process.env, HOME: home, USERPROFILE: home, GEMINI_API_KEY: 'test' };
  const run = new Run(startHeadless([...places, ...how], env, wanted));
  runs.push(run);
  return run;
}

const prompt = (words: string) => ({ type: 'prompt.send', text: words });
const write = (content: string) => call('write_file', { file_path: 'a.txt', content });
const fileA = () => readFile(join(world.workspace, 'a.txt'), 'utf8');
const results = () => lastResults(world.server.requests.at(-1)!);

describe('a run that is led by lines', () => {
  it('sends a first request of at most 16,000 bytes, with the tools that need a user, too', async () => {
    world.server.script([text('Hi.')]);
    const run = await start();
    run.send(prompt('Hello'));
    expect(await run.end()).toBe(0);
    const [first] = world.server.requests;
    expect(toolNames(first!)).toEqual(
      expect.arrayContaining(['ask_user', 'enter_plan_mode', 'invoke_agent']),
    );
    expect(first!.bytes).toBeLessThanOrEqual(16_000);
  });

  it('answers one prompt after the other in one session, and ends with its input', async () => {
    world.server.script([text('One.')], [text('Two.')]);
    const run = await start();
    run.send(prompt('first'));
    await run.until('turn.ended');
    run.send(prompt('second'));
    await run.until('turn.ended', 2);
    expect(await run.end()).toBe(0);
    expect(run.of('text.appended').map(each => each.text)).toEqual(['One.', 'Two.']);
    expect(run.of('session.started')).toHaveLength(1);
    expect(run.error).toBe('');
  });

  it('takes prompts that come at once in their order, and the rest of a pipe that is closed already', async () => {
    world.server.script([text('One.')], [text('Two.')], [text('Three.')]);
    const run = await start();
    run.send(prompt('first'), prompt('second'));
    run.program.stdin.write(JSON.stringify(prompt('third')));
    expect(await run.end()).toBe(0);
    expect(run.of('turn.started').map(each => each.text)).toEqual(['first', 'second', 'third']);
    expect(run.of('text.appended').map(each => each.text)).toEqual(['One.', 'Two.', 'Three.']);
  });

  it('begins a prompt that comes behind a command once the command is done', async () => {
    const commands = join(world.workspace, '.gemini', 'commands');
    await mkdir(commands, { recursive: true });
    await writeFile(join(commands, 'slow.toml'), 'prompt = "From the command: !{sleep 1; echo slept}"\n');
    world.server.script([text('One.')], [text('Two.')]);
    const run = await start('--trusted', '--approval-mode', 'yolo');
    run.send({ type: 'mode.set', mode: 'yolo' }, prompt('/slow'), prompt('second'));
    expect(await run.end()).toBe(0);
    expect(world.server.requests.map(lastPrompt)).toEqual([expect.stringContaining('slept'), 'second']);
  });

  it('takes a command as soon as the end of a turn was told', async () => {
    const rounds = Array.from({ length: 12 }, (_, index) => index + 1);
    world.server.script(...rounds.map(() => [text('Done.')]));
    const run = await start();
    let commands = 0;
    // In the very moment in which the line comes.
    run.program.stdout.on('data', () => {
      for (; commands < run.of('turn.ended').length; commands++) run.send(prompt('/stats'));
    });
    for (const round of rounds) {
      run.send(prompt('go'));
      await run.until('turn.ended', round);
    }
    await expect.poll(() => commands).toBe(rounds.length);
    expect(await run.end()).toBe(0);
    expect(run.of('input.refused')).toEqual([]);
  });

  it('works in a folder that a command adds, from the next prompt on', async () => {
    const lib = join(world.folder, 'lib');
    await mkdir(lib);
    await writeFile(join(lib, 'tax.txt'), 'Seven percent.\n');
    const read = () => call('read_file', { file_path: join(lib, 'tax.txt') });
    world.server.script([read()], [text('Closed.')], [read()], [text('Seven.')]);
    const run = await start();
    run.send(prompt('What is the tax?'));
    await run.until('turn.ended');
    expect(JSON.stringify(results())).not.toContain('Seven percent.');
    run.send(prompt('/directory add ../lib'), prompt('And now?'));
    await run.until('turn.ended', 2);
    expect(JSON.stringify(results())).toContain('Seven percent.');
    expect(await run.end()).toBe(0);
    expect(JSON.stringify(run.of('command.answered'))).toContain(`${lib}: open to Folio for the rest`);
  });

  it('asks, and does what is decided on just this ask', async () => {
    world.server.script([write('a')], [text('Written.')]);
    const run = await start();
    run.send(prompt('write'));
    const { callId, ask } = await run.until('call.asked');
    run.send({ type: 'call.decide', callId, askId: 'another', decision: { kind: 'once' } });
    const refused = await run.until('input.refused');
    expect(refused).toEqual({
      type: 'input.refused',
      line: 2,
      reason: 'This ask does not wait any more: nothing was decided.',
    });
    await expect(access(join(world.workspace, 'a.txt'))).rejects.toThrow();
    run.send({ type: 'call.decide', callId, askId: ask.id, decision: { kind: 'once' } });
    await run.until('turn.ended');
    expect(await fileA()).toBe('a');
    // Whoever answers late decides on nothing.
    run.send({ type: 'call.decide', callId, askId: ask.id, decision: { kind: 'deny' } });
    await run.until('input.refused', 2);
    expect(await run.end()).toBe(0);
  });

  it('tells the model what a denial was for, and what was answered to its questions', async () => {
    const questions = [{ question: 'What name?', header: 'Name', type: 'text' }];
    world.server.script([write('a')], [call('ask_user', { questions })], [text('Thanks.')]);
    const run = await start();
    run.send(prompt('go'));
    const first = await run.until('call.asked');
    const denial = { kind: 'deny', reason: 'Ask me first.' };
    run.send({ type: 'call.decide', callId: first.callId, askId: first.ask.id, decision: denial });
    const second = await run.until('call.asked', 2);
    const answers = { kind: 'answers', answers: [['Ada']] };
    run.send({ type: 'call.decide', callId: second.callId, askId: second.ask.id, decision: answers });
    await run.until('turn.ended');
    expect(JSON.stringify(world.server.requests.at(-1)!.body.contents)).toContain('Ask me first.');
    expect(results()[0]?.output).toContain('"answer":"Ada"');
  });

  it('is steered in the middle of a turn, and stopped', async () => {
    await writeFile(join(world.workspace, 'n.txt'), 'x');
    world.server.script(
      [call('run_shell_command', { command: 'echo began; while [ ! -e go ]; do sleep 0.1; done' })],
      [text('Half of '), hang],
    );
    const run = await start('--approval-mode', 'yolo');
    run.send(prompt('work'));
    await run.until('call.output');
    run.send({ type: 'prompt.steer', text: 'Be brief.' });
    await run.until('prompt.queued');
    await writeFile(join(world.workspace, 'go'), '');
    await run.until('text.appended');
    expect(JSON.stringify(world.server.requests.at(-1)!.body.contents)).toContain('Be brief.');
    run.send({ type: 'turn.stop' });
    expect((await run.until('turn.ended')).end).toEqual({ kind: 'stopped' });
    expect(await run.end()).toBe(130);
  });

  it('changes mode and model, and carries out commands', async () => {
    world.server.script([write('unasked')], [text('Done.')]);
    const run = await start();
    run.send({ type: 'mode.set', mode: 'autoEdit' }, { type: 'model.set', model: 'gemini-2.5-flash' });
    run.send(prompt('/mode autoEdit'));
    run.send(prompt('write'));
    await run.until('turn.ended');
    expect(run.of('call.asked')).toEqual([]);
    expect(await fileA()).toBe('unasked');
    expect(run.of('step.started')[0]?.model).toBe('gemini-2.5-flash');
    expect(await run.end()).toBe(0);
  });
});

describe('lines that are wrong', () => {
  it('are each refused with their number and why, and nothing is lost', async () => {
    world.server.script([text('Here I am.')]);
    const run = await start();
    const wrong = ['{"type":', 'null', '{}', '{"type":"prompt.send"}', '{"type":"prompt.sendd","text":"x"}'];
    for (const line of wrong) run.program.stdin.write(`${line}\n`);
    run.program.stdin.write('\n');
    run.send(
      { type: 'prompt.steer', text: 'x' },
      prompt('  '),
      prompt('/nothing'),
      prompt('hello \u2028 there'),
    );
    await run.until('turn.ended');
    await run.until('input.refused', 8);
    const refused = run.of('input.refused').sort((one, other) => one.line - other.line);
    expect(refused.map(each => each.line)).toEqual([1, 2, 3, 4, 5, 7, 8, 9]);
    expect(refused[0]?.reason).toMatch(/^The line is no JSON: /);
    expect(refused[3]?.reason).toMatch(/^The line is no intention: text: /);
    expect(refused[5]?.reason).toBe('No turn runs that could be steered: send a prompt.');
    expect(refused[7]?.reason).toContain('There is no command /nothing');
    expect(run.of('turn.started').map(each => each.text)).toEqual(['hello \u2028 there']);
    expect(await run.end()).toBe(0);
  });

  it.each([
    [['--prompt', 'x'], /leave out --prompt/],
    [['--acp'], /leave out --prompt, --acp/],
    [['--output-format', 'json'], /leave out --output-format json/],
    [['--input-format', 'xml'], /--input-format takes text, stream-json, not xml/],
  ])('as are options that do not go together: %j', async (args, sentence) => {
    const { code, error } = await runHeadless({ args: ['--input-format', 'stream-json', ...args] });
    expect(code).toBe(2);
    expect(error).toMatch(sentence);
  });
});

describe('when nobody is there any more', () => {
  it('at the end of the input what still asks is denied, and the turn comes to its end', async () => {
    world.server.script([write('a')], [write('b')], [text('Then not.')]);
    const run = await start();
    run.send(prompt('write'));
    await run.until('call.asked');
    expect(await run.end()).toBe(0);
    expect(run.of('call.asked')).toHaveLength(2);
    expect(run.of('call.ended').map(each => each.outcome)).toEqual(['denied', 'denied']);
    expect(run.of('text.appended').map(each => each.text)).toEqual(['Then not.']);
  });

  it.each([
    ['a signal', (run: Run) => void run.program.kill('SIGTERM'), 130],
    ['a reader that goes away', (run: Run) => void run.program.stdout.destroy(), 130],
  ])('%s ends it in the middle of a command, and no process is left', async (_name, leave, code) => {
    world.server.script([
      call('run_shell_command', { command: 'echo began; while true; do echo x; sleep 0.2; done' }),
    ]);
    const run = await startIn('own', '--approval-mode', 'yolo');
    run.send(prompt('work'));
    await run.until('call.output');
    leave(run);
    expect(await run.exit).toBe(code);
    await expect.poll(() => processesIn(world.folder)).toEqual([]);
  });
});
