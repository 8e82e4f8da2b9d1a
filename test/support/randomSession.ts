/* A session that lives through whatever chance brings: what users do, models say and servers refuse, in any order. */

import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { ModelError } from '../../src/extension/core/model.ts';
import type { SessionForTools } from '../../src/extension/core/session/sessionServices.ts';
import { type AnyTool, defineTool } from '../../src/extension/core/tool.ts';
import type { Part } from '../../src/protocol/events.ts';
import type { ApprovalMode, RewindScope } from '../../src/protocol/intentions.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import { makeWorld, personalTools, type World } from './conversation.ts';
import { fc } from './properties.ts';
import type { ScriptedAnswer } from './scriptedModel.ts';
import { snapshotOf } from './wireWorld.ts';

/** One thing that happens; numbers choose among what there is at that moment. */
export type Happening =
  | {
      readonly does: 'send';
      readonly text: string;
      readonly answers: readonly ScriptedAnswer[];
      readonly meanwhile: readonly Meanwhile[];
    }
  | { readonly does: 'retry'; readonly answers: readonly ScriptedAnswer[] }
  | { readonly does: 'mode'; readonly mode: ApprovalMode }
  | { readonly does: 'model'; readonly model: string }
  | {
      readonly does: 'rename' | 'pin' | 'undoRewind' | 'sendQueued' | 'changeQueued' | 'removeQueued';
      readonly at: number;
    }
  | { readonly does: 'rewind'; readonly at: number; readonly scope: RewindScope; readonly toChapter: boolean }
  | { readonly does: 'compress'; readonly next: 'apply' | 'discard' | 'edit' | 'undo' | 'nothing' };

/** What a user does while the agent works, at each thing that is asked. */
export type Meanwhile = 'once' | 'deny' | 'always' | 'edited' | 'stop' | 'queue' | 'steer' | 'stopAndSend';

const word = fc.constantFrom(
  'one',
  'Grüße',
  '👋',
  'a\nb',
  '"quoted"',
  '\\',
  '\u2028',
  'x'.repeat(300),
  '',
  ' ',
  '\t',
);
const text = fc.array(word, { maxLength: 6 }).map(words => words.join(' '));
const path = fc.constantFrom('/project/a.txt', '/project/b.txt', '/project/c/d.txt');

const call: fc.Arbitrary<readonly [string, Readonly<Record<string, unknown>>]> = fc.oneof(
  fc.tuple(fc.constant('read_file'), fc.record({ file_path: fc.constantFrom('a.txt', 'none.txt') })),
  fc.tuple(
    fc.constant('write_file'),
    fc.record({ file_path: fc.constantFrom('a.txt', 'b.txt'), content: text }),
  ),
  fc.tuple(fc.constant('change_file'), fc.record({ file_path: path, content: text })),
  fc.tuple(
    fc.constant('run_shell_command'),
    fc.record({ command: fc.constantFrom('ls', 'npm test', 'rm x') }),
  ),
  fc.tuple(fc.constant('create_new_topic'), fc.record({ title: fc.constantFrom('One', 'Two', 'Three') })),
  fc.tuple(fc.constant('write_todos'), fc.record({ todos: fc.constantFrom(['a'], ['a', 'b'], []) })),
  fc.tuple(fc.constant('enter_plan_mode'), fc.record({ reason: text })),
  fc.tuple(fc.constant('exit_plan_mode'), fc.record({ plan: text.map(plan => `# A plan\n\n${plan}`) })),
  fc.tuple(fc.constant('no_such_tool'), fc.record({ x: text })),
  fc.tuple(fc.constant('read_file'), fc.record({ wrong: fc.integer() })),
);

let ids = 0;

const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(call, { minLength: 1, maxLength: 3 }).map(calls => ({ parts: calls.map(toPart) })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(text, call).map(([said, made]) => ({ parts: [...saying(said), toPart(made)] })),
  },
  {
    weight: 1,
    arbitrary: text.map(said => ({ parts: [{ kind: 'thought', text: 'Hm. ' } as const, ...saying(said)] })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.boolean(), text).map(([retryable, partial]) => ({
      error: new ModelError(retryable ? 'overloaded' : 'quota', () => 'Problem. Retry.', { retryable }),
      partial,
    })),
  },
);

const meanwhile: fc.Arbitrary<Meanwhile> = fc.constantFrom(
  ...(['once', 'once', 'deny', 'always', 'edited', 'stop', 'queue', 'steer', 'stopAndSend'] as const),
);

const answers = fc.array(answer, { maxLength: 4 });
const at = fc.nat(20);

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('send' as const),
      text,
      answers,
      meanwhile: fc.array(meanwhile, { maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('retry' as const), answers }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('mode' as const),
      mode: fc.constantFrom('default' as const, 'autoEdit' as const, 'plan' as const, 'yolo' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('model' as const), model: fc.constantFrom('big', 'small') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('rename', 'pin', 'undoRewind', 'sendQueued', 'changeQueued', 'removeQueued'),
      at,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('rewind' as const),
      at,
      scope: fc.constantFrom('both' as const, 'conversation' as const, 'files' as const),
      toChapter: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('compress' as const),
      next: fc.constantFrom(
        'apply' as const,
        'discard' as const,
        'edit' as const,
        'undo' as const,
        'nothing' as const,
      ),
    }),
  },
);

const first: Happening = {
  does: 'send',
  text: 'Go.',
  meanwhile: [],
  answers: [
    {
      parts: [
        { kind: 'text', text: 'Here ' },
        { kind: 'text', text: 'I am.' },
      ],
    },
  ],
};

/** The first is a prompt, since nothing is recorded before one. */
export const happenings: fc.Arbitrary<readonly Happening[]> = fc
  .array(happening, { maxLength: 14 })
  .map(list => [first, ...list]);

/** A session in which all of this has happened, and which rests. It is not disposed of. */
export async function liveThrough(list: readonly Happening[]): Promise<World> {
  const life = new Life();
  for (const each of list) await life.happen(each);
  await life.rest();
  return life.world;
}

class Life {
  readonly world: World;
  private readonly meanwhile: Meanwhile[] = [];
  private readonly turns = new Set<Promise<unknown>>();
  private asides = 0;

  constructor() {
    const surfaceTools = (surface: SessionForTools) => [
      changeFile(),
      todos(surface),
      ...personalTools(surface),
    ];
    this.world = makeWorld({ answers: [], files: { 'a.txt': 'alpha' }, surfaceTools, costOf: () => 0.25 });
    const { session } = this.world;
    session.onEvent(event => {
      if (event.type === 'call.asked') void setImmediate().then(() => this.answerAsk(event.callId));
      if (event.type === 'step.started') void setImmediate().then(() => this.interfere());
    });
  }

  async happen(what: Happening): Promise<void> {
    const { session, model } = this.world;
    const { state } = session;
    switch (what.does) {
      case 'send':
        this.meanwhile.splice(0, Infinity, ...what.meanwhile);
        model.answers.splice(0, Infinity, ...what.answers.map(fresh), done);
        this.follow(session.send(what.text || 'Go.'));
        return this.rest();
      case 'retry':
        model.answers.splice(0, Infinity, ...what.answers.map(fresh), done);
        if (state.chapters.some(({ items }) => items.pages.length > 0)) this.follow(session.retry());
        return this.rest();
      case 'mode':
        return session.setMode(what.mode);
      case 'model':
        return session.setModel(what.model);
      case 'rename':
        return session.renameChapter(pick(state.chapters, what.at)?.id ?? '', `Renamed ${what.at}`);
      case 'pin':
        return session.setPin(pick(this.turnIds(), what.at) ?? 'none', what.at % 2 === 0);
      case 'undoRewind':
        if (state.rewound) await session.undoRewind();
        return;
      case 'sendQueued': {
        model.answers.splice(0, Infinity, done);
        this.follow(session.sendQueuedNow(pick(state.queue, what.at)?.id ?? ''));
        return this.rest();
      }
      case 'changeQueued': {
        const waiting = pick(state.queue, what.at);
        if (waiting) session.queue.change({ ...waiting, text: `${waiting.text} changed`, when: 'next' });
        return;
      }
      case 'removeQueued':
        return void session.queue.remove(pick(state.queue, what.at)?.id ?? '');
      case 'rewind':
        return this.rewind(what);
      case 'compress':
        return this.compress(what.next);
    }
  }

  /** Until nothing continues any more: a turn may have begun automatically after one that rested. */
  async rest(): Promise<void> {
    const { session } = this.world;
    while (this.turns.size > 0 || session.busy) {
      await Promise.all(this.turns);
      await setImmediate();
    }
  }

  private follow(turn: Promise<unknown>): void {
    const ended = turn.catch((error: unknown) => {
      // What cannot be done now is refused with a sentence; only that.
      if (!(error instanceof Error) || !/[.]$/.test(error.message)) throw error;
    });
    this.turns.add(ended);
    void ended.finally(() => this.turns.delete(ended));
  }

  private async rewind(what: Extract<Happening, { does: 'rewind' }>): Promise<void> {
    const { session } = this.world;
    const chapterId = pick(session.state.chapters.slice(1), what.at)?.id;
    const turnId = pick(this.turnIds(), what.at);
    if (what.toChapter && chapterId) await session.rewind({ kind: 'chapter', chapterId }, what.scope);
    else if (turnId) await session.rewind({ kind: 'turn', turnId }, what.scope);
  }

  private async compress(next: Extract<Happening, { does: 'compress' }>['next']): Promise<void> {
    const { session, model } = this.world;
    const { compressions } = session;
    const summary = { parts: saying(snapshotOf('Much was said.')) };
    model.answers.splice(0, Infinity, summary, summary);
    await compressions.propose().catch((error: unknown) => {
      if (!(error instanceof Error) || !/[.]$/.test(error.message)) throw error;
    });
    const open = session.state.compression;
    if (open?.status === 'proposed') {
      if (next === 'apply' || next === 'undo') compressions.apply(open.id);
      if (next === 'edit') compressions.edit(open.id, snapshotOf('As I see it.'));
      if (next === 'discard') compressions.discard(open.id);
    }
    const newest = session.state.compressions.at(-1);
    if (next === 'undo' && newest) compressions.undo(newest.id);
  }

  private answerAsk(callId: string): void {
    const { session } = this.world;
    const how = this.meanwhile.shift() ?? 'once';
    const asking = this.world.events.findLast(
      event => event.type === 'call.asked' && event.callId === callId,
    );
    if (asking?.type !== 'call.asked') return;
    const { kind } = asking.ask.subject;
    if (how === 'stop') return void this.follow(session.stop());
    if (how === 'deny') return void session.decide(callId, { kind: 'deny', reason: 'Not that.' });
    if (kind === 'plan') return void session.decide(callId, { kind: 'plan', mode: 'default' });
    if (how === 'edited')
      return void session.decide(callId, { kind: 'edited', text: 'As the user wants it.' });
    if (how === 'always') return void session.decide(callId, { kind: 'always', choice: 'session' });
    session.decide(callId, { kind: 'once' });
  }

  private interfere(): void {
    const { session, model } = this.world;
    const how = this.meanwhile[0];
    if (how !== 'queue' && how !== 'steer' && how !== 'stopAndSend') return;
    this.meanwhile.shift();
    this.asides++;
    model.answers.push(done);
    this.follow(session.submitPrompt(`Aside ${this.asides}`, [], how === 'queue' ? 'next' : how));
  }

  /** Of the prompts that there are to go back to. */
  private turnIds(): readonly string[] {
    const items = this.world.session.state.chapters.flatMap(({ items }) => [...iterate(items)]);
    return items.flatMap(item => (item.type === 'prompt' && !item.steered ? [item.id] : []));
  }
}

/** With ids of its own, since the same answer may be given twice. */
function fresh(given: ScriptedAnswer): ScriptedAnswer {
  if (!('parts' in given)) return given;
  return { parts: given.parts.map(part => (part.kind === 'call' ? { ...part, id: `c${++ids}` } : part)) };
}

const done: ScriptedAnswer = { parts: [{ kind: 'text', text: 'Done.' }] };

function toPart([name, args]: readonly [string, Readonly<Record<string, unknown>>]): Part {
  return { kind: 'call', id: '', name, args };
}

function saying(said: string): readonly Part[] {
  return said.match(/[\s\S]{1,7}/gu)?.map(piece => ({ kind: 'text', text: piece })) ?? [];
}

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list.length === 0 ? undefined : list[at % list.length];
}

/** Writes through the files that keep checkpoints and reviews. */
function changeFile(): AnyTool {
  return defineTool({
    name: 'change_file',
    description: 'Changes a file.',
    input: () => z.object({ file_path: z.string(), content: z.string() }),
    effect: 'edit',
    title: ({ file_path }) => `Change ${file_path}`,
    prepare: async ({ file_path }) => ({
      plan: undefined,
      target: { kind: 'paths', paths: [file_path], access: 'write' },
    }),
    run: async ({ file_path, content }, _plan, { files }) => {
      await files.writeText(file_path, content, { encoding: 'utf8', bom: false });
      return { text: 'Changed.', display: { summary: () => 'Changed' } };
    },
  });
}

function todos({ setTodos }: SessionForTools): AnyTool {
  return defineTool({
    name: 'write_todos',
    description: 'Writes to-dos.',
    input: () => z.object({ todos: z.array(z.string()) }),
    effect: 'note',
    title: () => 'To-dos',
    prepare: async () => ({ plan: undefined }),
    run: async input => {
      setTodos(input.todos.map(description => ({ description, status: 'pending' })));
      return { text: 'Written.', display: { summary: () => 'Written' } };
    },
  });
}
