import { describe, expect, test } from 'vitest';
import { CacheWatch } from '../../../src/extension/core/conversation/cacheWatch.ts';
import type { ModelProvider, ModelRequest } from '../../../src/extension/core/model.ts';
import type { AnyTool } from '../../../src/extension/core/tool.ts';
import type { CacheLoss, Message, SessionEvent } from '../../../src/protocol/events.ts';
import { makeWorld } from '../../support/conversation.ts';
import { ScriptedModel } from '../../support/scriptedModel.ts';

/** Counts as a service with a cache does: what a request shares with the beginning of the one before is cached. */
function withCache(inner: ModelProvider): ModelProvider {
  let before = '';
  return {
    listModels: signal => inner.listModels(signal),
    async *stream(request) {
      const { tools, system, messages, model } = request;
      const sent = JSON.stringify([model, tools, system, messages]);
      let same = 0;
      while (same < before.length && before[same] === sent[same]) same++;
      before = sent;
      for await (const event of inner.stream(request)) {
        if (event.type !== 'end' || !event.end.ok) yield event;
        else {
          const usage = { prompt: sent.length, cached: same, output: 10, thoughts: 0 };
          yield { type: 'end', end: { ...event.end, usage } };
        }
      }
    },
  };
}

function lossesOf(events: readonly SessionEvent[]): readonly (CacheLoss['by'] | undefined)[] {
  return events.flatMap(event => (event.type === 'step.ended' ? [event.cacheLoss?.by] : []));
}

const calls = (times: number) =>
  Array.from({ length: times }, (_, at) => ({
    parts: [
      { kind: 'call', id: `c${at}`, name: 'read_file', args: { file_path: 'a.txt', from: at } } as const,
    ],
  }));

describe('a session', () => {
  test('says at the very answer that the cache was lost, and by what', async () => {
    let system = 'Be good. '.repeat(200);
    let more: readonly AnyTool[] = [];
    const script = new ScriptedModel([
      ...calls(2),
      { parts: [{ kind: 'text', text: 'Done.' }] },
      { parts: [{ kind: 'text', text: 'Again.' }] },
      { parts: [{ kind: 'text', text: 'And again.' }] },
      { parts: [{ kind: 'text', text: 'By another.' }] },
    ]);
    const { session, events } = makeWorld({
      answers: [],
      mode: 'yolo',
      files: { 'a.txt': 'a' },
      provider: withCache(script),
      readPrompt: async () => () => system,
      moreTools: () => () => more,
      costOf: (_, { prompt, cached }) => prompt - cached / 2,
    });
    await session.send('Go');
    expect(lossesOf(events)).toEqual([undefined, undefined, undefined]);
    expect(session.state.cacheLosses).toBeUndefined();

    system = 'Be better. '.repeat(200);
    await session.send('On');
    more = [{ ...session.tools.find(({ name }) => name === 'read_file')!, name: 'added' }];
    await session.send('On');
    session.setModel('other');
    await session.send('On');
    expect(lossesOf(events).slice(3)).toEqual(['instructions', 'tools', 'model']);
    const { count, newest } = session.state.cacheLosses!;
    expect(count).toBe(3);
    expect(newest).toMatchObject({ by: 'model', at: events.findLast(e => e.type === 'step.ended')!.at });
    expect(newest.tokens).toBeGreaterThan(2000);

    const { cached } = session.state.usage;
    expect(session.state.saved).toBeCloseTo(cached / 2);
    expect(session.state.chapters[0]!.saved).toBeCloseTo(cached / 2);
    await session.dispose();
  });
});

describe('the cause of a loss', () => {
  const message = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }] });
  const history = [message('one'), message('two')];
  const request: ModelRequest = {
    model: 'm',
    system: 's',
    messages: history,
    tools: [{ name: 't', description: '', parameters: {} }],
    signal: new AbortController().signal,
  };

  function lossOf(
    next: Partial<ModelRequest>,
    { cached = 0, from = history }: { cached?: number; from?: readonly Message[] } = {},
  ): CacheLoss | undefined {
    const watch = new CacheWatch();
    const usage = { prompt: 1000, output: 1, thoughts: 0 };
    expect(watch.answered(request, history, { ...usage, cached: 900 })).toBeUndefined();
    return watch.answered({ ...request, ...next }, from, { ...usage, cached });
  }

  test.each([
    ['model', { model: 'n' }],
    ['tools', { tools: [] }],
    ['instructions', { system: 'z' }],
    ['masked', { messages: [message('on'), history[1]!] }],
    ['masked', { messages: [history[0]!] }],
    ['provider', {}],
    ['provider', { messages: [...history.map(({ ...same }) => same), message('three')] }],
    ['provider', { tools: request.tools.map(({ ...same }) => same) }],
  ] as const)('is %s', (by, next) => {
    expect(lossOf(next)).toEqual({ by, tokens: 1000 });
  });

  test('is the history where that was written again', () => {
    const from = [message('a summary')];
    expect(lossOf({ messages: from }, { from, cached: 100 })).toEqual({ by: 'rewritten', tokens: 900 });
  });

  test('does not matter while the provider has most of what it was sent, or of what it had', () => {
    expect(lossOf({ model: 'n' }, { cached: 950 })).toBeUndefined();
    expect(lossOf({ model: 'n' }, { cached: 949 })).toEqual({ by: 'model', tokens: 51 });
    expect(lossOf({}, { cached: 720 })).toBeUndefined();
    expect(lossOf({}, { cached: 719 })).toEqual({ by: 'provider', tokens: 281 });
  });

  test('is not asked for of a provider that says nothing of a cache', () => {
    const watch = new CacheWatch();
    const usage = { prompt: 1000, cached: 0, output: 1, thoughts: 0 };
    watch.answered(request, history, usage);
    expect(watch.answered({ ...request, model: 'n' }, history, usage)).toBeUndefined();
  });
});
