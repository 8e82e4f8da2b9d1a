/* A session whose provider changes at random steps: what was said, done and seen goes along, what is sealed does not. */

import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { ModelEnd, ModelProvider, ModelRequest } from '../../src/extension/core/model.ts';
import { defineReadTool } from '../../src/extension/core/tool.ts';
import type { Part } from '../../src/protocol/events.ts';
import { makeWorld } from '../support/conversation.ts';
import { png } from '../support/pictures.ts';
import { fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';
import { type Saying, type TalkingWire, talkingWires } from '../support/talkingWires.ts';

const opened: TalkingWire[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(wire => wire.dispose()));
});

/** Text and a picture, each of its own. */
const scan = defineReadTool({
  name: 'look',
  description: 'Looks at a picture.',
  input: () => z.object({ at: z.string() }),
  title: () => 'Look',
  run: async ({ at }) => ({
    text: `seen ${at}.`,
    blobs: [{ mimeType: 'image/png', data: pictureOf(at) }],
    display: { summary: () => 'Seen' },
  }),
});

function pictureOf(at: string): string {
  return png({ width: 1, height: 1, note: at }).toString('base64');
}

interface StepPlan {
  readonly kind: 'busy' | 'calls' | 'text';
  readonly calls: number;
  /** The wire that gets the request, where the setting changes and the model's name stays. */
  readonly wire: number;
}

interface TurnPlan {
  /** What the user picks; `undefined`: `auto`, where a model that is busy gives way to the next. */
  readonly picked: number | undefined;
  readonly steps: readonly StepPlan[];
}

const nat = fc.nat(50);
const step: fc.Arbitrary<StepPlan> = fc.record({
  kind: fc.constantFrom('busy' as const, 'calls' as const, 'calls' as const, 'text' as const),
  calls: fc.integer({ min: 1, max: 3 }),
  wire: nat,
});
const turn: fc.Arbitrary<TurnPlan> = fc.record({
  picked: fc.option(nat, { nil: undefined }),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
});
const turns = fc.array(turn, { minLength: 2, maxLength: 5 });
const numRuns = runSize({ test: 5, prove: 1000 });

test('the model changes by choice and by fallback, and every server takes every request', async () => {
  const talk = new Talk();
  const wires = await talk.open();
  const models = wires.flatMap(wire => wire.models.map(name => ({ wire, name })));
  await fc.assert(
    fc.asyncProperty(turns, fc.shuffledSubarray(models, { minLength: models.length }), (plan, order) => {
      const names = order.map(({ name }) => name);
      const find = (model: string) => models.find(({ name }) => name === model)!.wire;
      return talk.play(plan, names, ({ model }) => ({ wire: find(model), model }));
    }),
    { numRuns },
  );
});

test('a fallback that the user named continues in mid-turn, and every server takes every request', async () => {
  const talk = new Talk();
  const wires = await talk.open();
  const models = wires.flatMap(wire => wire.models.map(name => ({ wire, name })));
  await fc.assert(
    fc.asyncProperty(turns, fc.shuffledSubarray(models, { minLength: models.length }), (plan, order) => {
      const [first, fallback] = order.map(({ name }) => name);
      const find = (model: string) => models.find(({ name }) => name === model)!.wire;
      const picked = plan.map(({ steps }) => ({ picked: 0, steps: busyFirst(steps) }));
      return talk.play(picked, [first!], ({ model }) => ({ wire: find(model), model }), fallback);
    }),
    { numRuns },
  );
  // Else nothing above was tried.
  expect(talk.takenOver).toBeGreaterThan(0);
});

/** The turn calls a tool, is refused as often as it asks, and continues elsewhere. */
function busyFirst(steps: readonly StepPlan[]): readonly StepPlan[] {
  const [first] = steps;
  const busy = Array.from({ length: 3 }, () => ({ kind: 'busy', calls: 0, wire: 0 }) as const);
  return [{ ...first!, kind: 'calls' }, ...busy, ...steps.filter(({ kind }) => kind !== 'busy')];
}

test('the provider changes under a model of the same name, and every server takes every request', async () => {
  const talk = new Talk();
  const wires = await talk.open();
  await fc.assert(
    fc.asyncProperty(turns, plan =>
      talk.play(plan, ['the-same'], () => {
        const wire = wires[talk.wireOfStep % wires.length]!;
        return { wire, model: wire.models[talk.wireOfStep % wire.models.length]! };
      }),
    ),
    { numRuns },
  );
});

interface Asked {
  readonly wire: TalkingWire;
  readonly model: string;
}

interface Sealed extends Asked {
  /** As they stand in a request. */
  readonly words: readonly string[];
}

/** Plays turns against the wires, and checks each request. */
class Talk {
  private wires: readonly TalkingWire[] = [];
  private steps: StepPlan[] = [];
  private number = 0;
  /** The session knows the models apart by their names. */
  private hasOthers = false;
  private asked: Asked | undefined;
  /** Each must be in every request from then on. */
  private kept: string[] = [];
  private sealed: Sealed[] = [];
  private problems: string[] = [];
  /** Turns in which the fallback continued. */
  takenOver = 0;

  async open(): Promise<readonly TalkingWire[]> {
    this.wires = await Promise.all(talkingWires.map(start => start(() => this.say())));
    opened.push(...this.wires);
    return this.wires;
  }

  get wireOfStep(): number {
    return this.steps[0]?.wire ?? 0;
  }

  async play(
    plan: readonly TurnPlan[],
    names: readonly string[],
    find: (request: ModelRequest) => Asked,
    fallback?: string,
  ): Promise<void> {
    this.kept = [];
    this.sealed = [];
    this.problems = [];
    const [first = ''] = names;
    this.hasOthers = names.length > 1 || fallback !== undefined;
    const { session } = makeWorld({
      answers: [],
      provider: this.provider(find),
      mode: 'yolo',
      model: first,
      models: { strong: first, fast: first, others: names.slice(1), fallback },
      interactive: false,
      maxAttempts: 3,
      tools: [scan],
    });
    for (const { picked, steps } of plan) {
      const isAuto = this.hasOthers && picked === undefined;
      this.steps =
        isAuto || fallback !== undefined ? [...steps] : steps.filter(({ kind }) => kind !== 'busy');
      session.setModel(isAuto ? 'auto' : names[(picked ?? 0) % names.length]!);
      const prompt = `prompt ${++this.number}.`;
      this.kept.push(prompt);
      await session.send(prompt);
      expect(this.problems).toEqual([]);
      if (fallback === undefined) continue;
      expect(session.state.routed).toMatchObject({ model: fallback, by: 'fallback' });
      expect(session.state.model).toBe(first);
      this.takenOver++;
    }
    await session.dispose();
  }

  private provider(find: (request: ModelRequest) => Asked): ModelProvider {
    const ask = (request: ModelRequest) => {
      this.asked = find(request);
      const { wire, model } = this.asked;
      return wire.provider.stream({ ...request, model });
    };
    const scan = (end: ModelEnd) => this.scan(end);
    return {
      async *stream(request) {
        for await (const event of ask(request)) {
          if (event.type === 'end') scan(event.end);
          yield event;
        }
      },
      listModels: async () => [],
    };
  }

  /** What the server of the newest request answers. */
  private say(): Saying {
    const { kind, calls = 0 } = this.steps.shift() ?? { kind: 'text' };
    if (kind === 'busy') return { kind };
    const { wire, model } = this.asked!;
    const number = ++this.number;
    const thought = `thought ${number}.`;
    const seal = `seal ${number}.`;
    this.sealed.push({ wire, model, words: [thought, Buffer.from(seal).toString('base64')] });
    return {
      kind: 'answer',
      thought,
      text: `said ${number}.`,
      calls: Array.from({ length: kind === 'calls' ? calls : 0 }, (_, at) => ({
        name: 'look',
        args: { at: `${number}-${at}` },
      })),
      seal,
    };
  }

  private scan(end: ModelEnd): void {
    const { wire, model } = this.asked!;
    const { bytes, fault } = wire.newest();
    const problem = (what: string) => void this.problems.push(`${model} of ${wire.name}: ${what}`);
    if (fault !== undefined) problem(fault);
    if (!end.ok && end.error.kind !== 'overloaded') problem(end.error.message);
    for (const words of this.kept) if (!bytes.includes(words)) problem(`lacks "${words}"`);
    const said = end.ok ? end.message.parts : [];
    const foreign = this.sealed.filter(each => this.isForeign(each));
    for (const words of foreign.flatMap(each => each.words))
      if (bytes.includes(words)) problem(`has "${words}" of another`);
    this.kept.push(...said.flatMap(part => keptOf(part)));
  }

  private isForeign({ wire, model }: Sealed): boolean {
    const asked = this.asked!;
    return this.hasOthers
      ? wire.name !== asked.wire.name || model !== asked.model
      : wire.family !== asked.wire.family;
  }
}

function keptOf(part: Part): readonly string[] {
  if (part.kind === 'text') return [part.text];
  return part.kind === 'call' ? [`seen ${part.args.at}.`, pictureOf(String(part.args.at))] : [];
}
