import assert from 'node:assert/strict';
import type {
  Breakpoint,
  DebugEvent,
  DebuggedProgram,
  Debugger,
  DebugStart,
} from '../../src/extension/platform/debug/debugger.ts';

/** Environment of a case, whose debugger runs `main.txt` under the adapter in `fakeDebugAdapter.ts`. */
export interface DebugWorld {
  readonly debugger: Debugger;
  /** Writes a file beside the program. Returns its absolute path. */
  write(name: 'main.txt' | 'other.txt', text: string): Promise<string>;
}

interface DebuggerCase {
  /** A sentence about behaviour. */
  readonly name: string;
  run(world: DebugWorld): Promise<void>;
}

/** A program whose line 10 is two calls deep. */
const shop = [
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
].join('\n');

/** Contract of debuggers. It uses no test runner, since it also runs in an extension host. */
export const debuggerContract: readonly DebuggerCase[] = [
  {
    name: 'a program stops at a breakpoint, where stack, variables and values are read',
    async run(world) {
      const { program, heard, path } = await start(world, shop, [{ line: 10 }]);
      const stop = await heard.stop();
      assert.equal(stop.reason, 'breakpoint');
      const { stackFrames } = await program.ask('stackTrace', { threadId: stop.threadId });
      assert.ok(Array.isArray(stackFrames));
      const [top, ...callers] = stackFrames;
      assert.deepEqual([top.name, top.line, top.source.path], ['total', 10, path]);
      assert.deepEqual(
        callers.slice(0, 2).map(({ name, line }) => `${name} ${line}`),
        ['order 6', 'main 2'],
      );
      const { scopes } = await program.ask('scopes', { frameId: top.id });
      assert.ok(Array.isArray(scopes));
      const { variables } = await program.ask('variables', scopes[0]);
      assert.ok(Array.isArray(variables));
      assert.deepEqual(
        variables.map(({ name, value }) => `${name} ${value}`),
        ['start 1', 'rate 200'],
      );
      const value = await program.ask('evaluate', { expression: 'rate', frameId: top.id, context: 'watch' });
      assert.equal(value.result, '200');
    },
  },
  {
    name: 'what an adapter refuses is an error that has the beginning of its words',
    async run(world) {
      const { program, heard } = await start(world, shop, [{ line: 10 }]);
      await heard.stop();
      await assert.rejects(
        program.ask('evaluate', { expression: `no${'o'.repeat(5_000)}`, context: 'watch' }),
        ({ name, message, said }: Record<string, string>) => {
          assert.deepEqual([name, message], ['DebugError', 'The debugger refused evaluate.']);
          assert.match(said!, /^nooo/);
          assert.ok(said!.length <= 300);
          return true;
        },
      );
    },
  },
  {
    name: 'it steps over, into and out of calls, and goes on to its end, which is the last that is reported',
    async run(world) {
      const { program, heard } = await start(world, shop, [{ line: 1 }]);
      const { threadId } = await heard.stop();
      const lineAfter = async (command: 'next' | 'stepIn' | 'stepOut') => {
        await program.ask(command, { threadId });
        assert.equal((await heard.stop()).reason, 'step');
        const { stackFrames } = await program.ask('stackTrace', { threadId });
        assert.ok(Array.isArray(stackFrames));
        return stackFrames[0].line;
      };
      assert.equal(await lineAfter('next'), 2);
      assert.equal(await lineAfter('stepIn'), 6);
      assert.equal(await lineAfter('next'), 7);
      assert.equal(await lineAfter('stepOut'), 3);
      await program.ask('continue', { threadId });
      assert.deepEqual(await heard.end(), { kind: 'ended', exitCode: 4 });
      assert.equal(heard.output(), 'rate 200\ndone\n');
      await assert.rejects(program.ask('threads', {}), { name: 'DebugError' });
      await program.stop();
      await world.debugger.close();
      heard.expectEndedOnce();
    },
  },
  {
    name: 'a breakpoint stops where its condition is met, and a log is printed in place of a stop',
    async run(world) {
      const { program, heard } = await start(world, shop, [
        { line: 10, condition: 'rate == 2' },
        { line: 11, condition: 'rate == 200' },
        { line: 3, log: 'rate was {rate}' },
      ]);
      const { threadId } = await heard.stop();
      const { stackFrames } = await program.ask('stackTrace', { threadId });
      assert.ok(Array.isArray(stackFrames));
      assert.equal(stackFrames[0].line, 11);
      await program.ask('continue', { threadId });
      await heard.end();
      assert.match(heard.output(), /rate was 200\n/);
    },
  },
  {
    name: 'a breakpoint that cannot be bound is reported with its line and the reason',
    async run(world) {
      const other = await world.write('other.txt', 'one\nnever loaded');
      const { heard } = await start(world, shop, [{ path: other, line: 2 }]);
      await heard.end();
      const problems = heard.events.flatMap(each =>
        each.kind === 'breakpoint' && each.problem !== undefined ? [[each.line, each.problem]] : [],
      );
      assert.deepEqual(problems, [[2, 'No code is there']]);
    },
  },
  {
    name: 'breakpoints are set in place of those before, while it stands',
    async run(world) {
      const { program, heard, path } = await start(world, shop, [{ line: 1 }, { line: 9 }]);
      const { threadId } = await heard.stop();
      await program.setBreakpoints([{ path, line: 11 }]);
      await program.ask('continue', { threadId });
      await heard.stop();
      const { stackFrames } = await program.ask('stackTrace', { threadId });
      assert.ok(Array.isArray(stackFrames));
      assert.equal(stackFrames[0].line, 11);
      await program.setBreakpoints([]);
      await program.ask('continue', { threadId });
      await heard.end();
    },
  },
  {
    name: 'it goes on at an exception that the program catches, unless those shall stop it',
    async run(world) {
      const text = 'a = 1\nthrow no such price\nprint went on';
      const { heard: passing } = await start(world, text, []);
      await passing.end();
      const { program, heard } = await start(world, text, [], { stopsAtCaught: true });
      const { reason, threadId } = await heard.stop();
      assert.equal(reason, 'exception');
      const { description } = await program.ask('exceptionInfo', { threadId });
      assert.equal(description, 'no such price');
    },
  },
  {
    name: 'an adapter that dies is the end of its program',
    async run(world) {
      const { program, heard } = await start(world, 'print up\ndie', [{ line: 2 }]);
      const { threadId } = await heard.stop();
      await program.ask('continue', { threadId }).catch(() => {
        // The adapter may end before it answers.
      });
      await heard.end();
      await assert.rejects(program.ask('stackTrace', { threadId }), { name: 'DebugError' });
      heard.expectEndedOnce();
    },
  },
  {
    name: 'a start that the adapter refuses is an error, after which another start works',
    async run(world) {
      await assert.rejects(start(world, undefined, []), { name: 'DebugError' });
      const { heard } = await start(world, shop, []);
      await heard.end();
    },
  },
  {
    name: 'a start that nobody wants any more rejects with the reason',
    async run(world) {
      const reason = new Error('Stopped');
      await assert.rejects(start(world, 'wait', [], { signal: AbortSignal.abort(reason) }), reason);
    },
  },
  {
    name: 'a program that runs ends when it is stopped, and with its debugger',
    async run(world) {
      const first = await start(world, 'print up\nwait', []);
      await first.program.stop();
      await first.heard.end();
      const second = await start(world, 'print up\nwait', []);
      await world.debugger.close();
      await second.heard.end();
      await second.program.stop();
      first.heard.expectEndedOnce();
      second.heard.expectEndedOnce();
    },
  },
];

interface Started {
  readonly program: DebuggedProgram;
  readonly heard: Heard;
  readonly path: string;
}

interface StartOptions {
  readonly stopsAtCaught?: boolean;
  readonly signal?: AbortSignal;
}

/** @param text of the program; `undefined`: the program is missing */
async function start(
  { debugger: made, write }: DebugWorld,
  text: string | undefined,
  breakpoints: readonly (Partial<Breakpoint> & Pick<Breakpoint, 'line'>)[],
  { stopsAtCaught = false, signal = new AbortController().signal }: StartOptions = {},
): Promise<Started> {
  const path = await write('main.txt', text ?? '');
  const all = await made.configurations();
  const configuration = all.find(({ name }) => name === (text === undefined ? 'Missing' : 'Program'));
  assert.ok(configuration);
  const heard = new Heard();
  const request: DebugStart = {
    configuration,
    breakpoints: breakpoints.map(each => ({ path, ...each })),
    stopsAtCaught,
  };
  return { program: await made.start(request, event => heard.add(event), signal), heard, path };
}

/** The configurations of a `launch.json` for this contract. @param program the two that it needs: one is missing */
export function contractLaunchFile(program: string): string {
  const [type, request] = ['scripted', 'launch'];
  const configurations = [
    { name: 'Program', type, request, program: `${program}/main.txt` },
    { name: 'Missing', type, request, program: `${program}/missing.txt` },
  ];
  return JSON.stringify({ version: '0.2.0', configurations });
}

/** Timeout in milliseconds that only a hang reaches. */
const patience = 60_000;

/** Recorded events of a program. */
class Heard {
  readonly events: DebugEvent[] = [];
  private stopsSeen = 0;
  private notify = () => {};

  add(event: DebugEvent): void {
    this.events.push(event);
    this.notify();
  }

  /** Waits for the next stop. */
  async stop(): Promise<Extract<DebugEvent, { kind: 'stopped' }>> {
    const find = () => this.events.filter(each => each.kind === 'stopped')[this.stopsSeen];
    const stop = await this.until(find);
    this.stopsSeen++;
    return stop;
  }

  end(): Promise<Extract<DebugEvent, { kind: 'ended' }>> {
    return this.until(() => this.events.find(each => each.kind === 'ended'));
  }

  output(): string {
    return this.events.map(each => (each.kind === 'output' ? each.text : '')).join('');
  }

  expectEndedOnce(): void {
    assert.deepEqual(
      this.events.flatMap((each, at) => (each.kind === 'ended' ? [at] : [])),
      [this.events.length - 1],
    );
  }

  private async until<Found>(find: () => Found | undefined): Promise<Found> {
    let late: NodeJS.Timeout | undefined;
    const hangs = new Promise<never>((_resolve, reject) => {
      late = setTimeout(() => {
        reject(new Error(`Only this was reported: ${JSON.stringify(this.events)}`));
      }, patience);
    });
    try {
      for (let found = find(); ; found = find()) {
        if (found !== undefined) return found;
        const next = new Promise<void>(resolve => {
          this.notify = resolve;
        });
        await Promise.race([next, hangs]);
      }
    } finally {
      clearTimeout(late);
    }
  }
}
