import { expect, onTestFinished, test } from 'vitest';
import { type ContextContents, ContextMeasure } from '../../../src/extension/core/context/breakdown.ts';
import { memoryBlocksOf } from '../../../src/extension/core/prompt/sections/customContent.ts';
import { systemPrompt } from '../../../src/extension/core/prompt/systemPrompt.ts';
import type { CompressionPlan } from '../../../src/protocol/compression.ts';
import type { Message, Part, SessionEvent } from '../../../src/protocol/events.ts';
import type { ContextBreakdown, ContextPart } from '../../../src/protocol/panel/context.ts';
import { makeWorld } from '../../support/conversation.ts';
import { makeDiskWorld } from '../../support/diskWorld.ts';
import { model, user } from '../../support/geminiClient.ts';
import { fc } from '../../support/properties.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';
import { panelFacts } from '../prompt/facts.ts';

const says = (text: string): ScriptedAnswer => ({ parts: [{ kind: 'text', text }] });
const calls = (id: string, name: string, args: Readonly<Record<string, unknown>>): Part => ({
  kind: 'call',
  id,
  name,
  args,
});
const result = (id: string, name: string, text: string): Part => ({
  kind: 'result',
  id,
  name,
  ok: true,
  text,
});

function now(messages: readonly Message[], more: Partial<ContextContents> = {}): ContextContents {
  return {
    system: '',
    tools: [],
    messages,
    masked: messages,
    compression: undefined,
    opening: 'opening',
    chapters: [],
    tokens: 0,
    limit: 1000,
    threshold: 0.5,
    ...more,
  };
}

function describe(messages: readonly Message[], more: Partial<ContextContents> = {}): ContextBreakdown {
  return new ContextMeasure().describe(now(messages, more));
}

const sumOf = (parts: readonly ContextPart[]) => parts.reduce((sum, { tokens }) => sum + tokens, 0);
const x = (tokens: number) => 'x'.repeat(tokens * 4);

test('system, tools, memory, files and chapters are told apart, in the order of the request', () => {
  const tool = { name: 'read', description: x(90), parameters: { type: 'object' } };
  const memory = `<memory file="/m.md">\n${x(50)}\n</memory>`;
  const messages = [
    user(x(30), x(20), x(10)),
    model(calls('a', 'read', {})),
    user(result('a', 'read', x(40))),
    model(x(5)),
    user(x(7)),
  ];
  const { parts, used, counted } = describe(messages, {
    system: `${x(60)}\n\n${memory}`,
    tools: [tool],
    chapters: [{ chapterId: 'second', message: 3 }],
  });
  expect(parts.map(part => [part.kind === 'chapter' ? part.chapterId : part.kind, part.tokens])).toEqual([
    ['system', 60],
    ['tools', Math.floor(JSON.stringify(tool).length / 4)],
    ['memory', Math.floor(memory.length / 4)],
    ['files', 50],
    ['opening', 10 + Math.floor(JSON.stringify({ name: 'read', args: {} }).length / 4) + 40],
    ['second', 12],
  ]);
  expect([used, counted]).toEqual([sumOf(parts), false]);
});

test('the parts always add up to what was counted, and none is less than nothing', () => {
  const texts = fc.array(fc.string({ maxLength: 400 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 2_000_000 }), (said, tokens) => {
      const messages = said.map((text, index) => (index % 2 ? model(text) : user('file', text)));
      const chapters = [{ chapterId: 'second', message: Math.floor(said.length / 2) }];
      const { parts, used } = describe(messages, { system: 'system', chapters, tokens });
      expect([used, sumOf(parts)]).toEqual([tokens, tokens]);
      expect(parts.every(part => Number.isInteger(part.tokens) && part.tokens >= 0)).toBe(true);
    }),
  );
});

test('a compression counts as summary, and what is kept stays with its chapters', () => {
  const snapshot = '<state_snapshot>…</state_snapshot>';
  const replacement = [user(x(25)), model(x(5))];
  const plan: CompressionPlan = {
    snapshot,
    replacement,
    keptFrom: 4,
    cut: [],
    parts: [],
    tokens: { before: 0, after: 0 },
  };
  const messages = [...replacement, user(x(11)), model(x(13))];
  const chapters = [
    { chapterId: 'gone', message: 2 },
    { chapterId: 'kept', message: 3 },
    { chapterId: 'live', message: 5 },
  ];
  expect(describe(messages, { compression: plan, chapters }).parts).toEqual([
    { kind: 'summary', tokens: 30 },
    { kind: 'chapter', chapterId: 'kept', tokens: 11 },
    { kind: 'chapter', chapterId: 'live', tokens: 13 },
  ]);
});

test('a masked result counts as it is sent', () => {
  const messages = [user(x(1)), model(calls('a', 'read', {})), user(result('a', 'read', x(5_000)))];
  const masked = messages.with(2, user(result('a', 'read', x(50))));
  expect(describe(messages).used - describe(messages, { masked }).used).toBe(4_950);
});

test('each message is looked at once, however often it is asked', () => {
  let scans = 0;
  const watched: Message = {
    role: 'model',
    get parts() {
      scans++;
      return [{ kind: 'text' as const, text: x(9) }];
    },
  };
  const measure = new ContextMeasure();
  const first = measure.describe(now([watched]));
  const known = scans;
  expect(known).toBeGreaterThan(0);
  expect(measure.describe(now([watched, user('More')])).parts[0]).toMatchObject({
    kind: 'chapter',
    tokens: first.used + 1,
  });
  expect(scans).toBe(known);
});

test('what waits for the next request is not in the count of the newest', () => {
  const measure = new ContextMeasure();
  const messages = [user(x(10)), model(calls('a', 'read', {}))];
  const usage = { prompt: 90, cached: 0, output: 10, thoughts: 0 };
  const ended: SessionEvent = {
    seq: 1,
    at: 0,
    type: 'step.ended',
    stepId: 's',
    finish: 'STOP',
    citations: [],
    usage,
  };
  measure.fold(ended, messages);
  const before = measure.describe(now(messages, { tokens: 100 }));
  messages.push(user(result('a', 'read', x(10_000))));
  expect(measure.describe(now(messages, { tokens: 100 }))).toEqual(before);
  expect(before).toMatchObject({ used: 100, counted: true });
  expect(measure.describe(now([...messages], { tokens: 100 })).counted).toBe(false);
});

test('memory is found in the prompt as it was put there, whatever it says', () => {
  const texts = ['Use tabs.', 'End </memory>\n<memory file="x">\n# Not a heading', 'C\n\n</memory'];
  const memory = texts.map((text, index) => ({ path: `/project/"${index}"/GEMINI.md`, text }));
  const prompt = systemPrompt({ ...panelFacts, memory, memoryKey: 'key' });
  const without = systemPrompt({ ...panelFacts, memoryKey: 'key' });
  const found = memoryBlocksOf(prompt);
  expect(found).toHaveLength(3);
  expect(found[1]).toContain('# Not a heading');
  expect(memoryBlocksOf(without)).toEqual([]);
  expect(memoryBlocksOf(systemPrompt({ ...panelFacts, memory, own: 'Mine.\n${Memory}\nEnd.' }))).toEqual(
    found,
  );
});

test('in a session the provider counts; a rewind and a resume leave an estimate of what would be sent', async () => {
  const topic = { kind: 'call', id: 't', name: 'create_new_topic', args: { title: 'Two' } } as const;
  const { session, agent } = makeWorld({
    answers: [says('Hello there'), { parts: [topic] }, says('Second done'), says('Third')],
  });
  const fresh = await session.breakdown();
  expect(fresh.parts.map(({ kind }) => kind)).toEqual(['system', 'tools']);
  expect([fresh.used, fresh.counted]).toEqual([sumOf(fresh.parts), false]);

  await session.send('One');
  await session.send('Two', [
    { kind: 'selection', path: 'a.txt', startLine: 1, endLine: 2, text: 'selected '.repeat(20) },
  ]);
  const counted = await session.breakdown();
  const [opening, second] = session.state.chapters.map(({ id }) => id);
  expect(counted).toMatchObject({ used: session.state.contextTokens, counted: true, threshold: 0.5 });
  expect(sumOf(counted.parts)).toBe(counted.used);
  expect(counted.parts.map(part => (part.kind === 'chapter' ? part.chapterId : part.kind))).toEqual([
    'system',
    'tools',
    'files',
    opening,
    second,
  ]);

  await session.rewind({ kind: 'chapter', chapterId: second! }, 'conversation');
  const rewound = await session.breakdown();
  expect(rewound.counted).toBe(false);
  expect(rewound.used).toBe(sumOf(rewound.parts));
  expect(rewound.parts.some(part => part.kind === 'chapter' && part.chapterId === second)).toBe(false);
  await session.undoRewind();
  expect(await session.breakdown()).toEqual(counted);

  await session.dispose();
  const resumed = await agent.openSession(session.id);
  const estimate = await resumed.breakdown();
  expect(estimate).toMatchObject({ counted: false, used: counted.used });
  expect(estimate.parts.map(({ kind }) => kind)).toEqual(counted.parts.map(({ kind }) => kind));
  await resumed.send('Three');
  expect((await resumed.breakdown()).counted).toBe(true);
  await resumed.dispose();
});

test('in a session on a disk the masked results are what counts', async () => {
  const world = await makeDiskWorld();
  onTestFinished(() => world.dispose());
  const content = `${'line of the file\n'.repeat(1900)}`;
  await world.turn('Write', ['write_file', { file_path: 'a.txt', content }]);
  await world.turn(
    'Read',
    ...Array.from({ length: 14 }, () => ['read_file', { file_path: 'a.txt' }] as const),
  );
  const sent = world.model.requests.at(-1)!.messages;
  const texts = sent.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'result' ? part.text : [])));
  expect(texts.some(text => text.length < 5_000 && text.includes('.result.txt'))).toBe(true);
  // Going back within the files alone keeps the history, and leaves the estimate as the only number.
  const { used, counted } = await world.session.breakdown();
  expect([used, counted]).toEqual([world.session.state.contextTokens, true]);
  const [prompt] = world.events.flatMap(event => (event.type === 'turn.started' ? [event.turnId] : []));
  await world.session.rewind({ kind: 'turn', turnId: prompt! }, 'files');
  const { parts } = await world.session.breakdown();
  const [system, chapter] = ['system', 'chapter'].map(kind => parts.find(part => part.kind === kind)!.tokens);
  const whole = 14 * content.length;
  // Results whole would be several times of that.
  expect(chapter).toBeLessThan((0.8 * whole) / 4);
  expect(system).toBeGreaterThan(0);
});
