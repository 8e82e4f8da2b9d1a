/*
 * What a service can serve from its cache: the bytes at the beginning of a request, in the order in which the service
 * reads them, that are those of the request before. Measured at the wire, with the real system prompt. Each moment that
 * breaks this beginning is known and told.
 */

import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import type { ModelProvider, ModelRequest } from '../../../src/extension/core/model.ts';
import type { SystemPromptReader } from '../../../src/extension/core/prompt/promptReader.ts';
import type { PromptFacts } from '../../../src/extension/core/prompt/sections/facts.ts';
import { systemPrompt } from '../../../src/extension/core/prompt/systemPrompt.ts';
import { type AnyTool, defineReadTool, type ToolResult } from '../../../src/extension/core/tool.ts';
import type { CacheLoss, Usage } from '../../../src/protocol/events.ts';
import { describeCacheLosses } from '../../../src/webview/context/cacheLosses.ts';
import { type CachedWire, cachedWires, sharedLength } from '../../support/cachedWires.ts';
import { makeWorld, type World } from '../../support/conversation.ts';
import type { ContractAnswer, ContractStep } from '../../support/providerContract.ts';
import { snapshotOf } from '../../support/wireWorld.ts';
import { panelFacts } from '../prompt/facts.ts';

const readPrompt: SystemPromptReader['read'] = async () => facts =>
  systemPrompt({ ...panelFacts, mode: facts.mode, model: facts.model, tools: facts.toolNames });

function says(...steps: readonly ContractStep[]): ContractAnswer {
  return { kind: 'says', steps };
}

const done = says({ kind: 'text', text: 'Done.' });
const read: ContractStep = { kind: 'call', name: 'read_file', args: { file_path: 'a' } };

function calls(name: string): ContractAnswer {
  return says({ kind: 'call', name, args: {} });
}

function opens(title: string): ContractAnswer {
  return says({ kind: 'call', name: 'create_new_topic', args: { title } }, read);
}

async function work({ session }: World, wire: CachedWire): Promise<void> {
  wire.script([opens('Reading'), says(read), opens('Fixing'), says(read), done]);
  await session.send('Fix it.');
  session.setMode('autoEdit');
  wire.script([says(read), opens('Checking'), done]);
  await session.send('Check it.');
  session.renameChapter(session.state.chapters.at(-1)!.id, 'Looking again');
  session.setMode('default');
  wire.script([says(read), done]);
  await session.send('Once more.');
}

/** Of each request from the second on, how much of the one before is its beginning. */
function keptShares(requests: readonly string[]): readonly number[] {
  return requests.slice(1).map((request, at) => {
    const before = requests[at]!;
    return sharedLength(before, request) / before.length;
  });
}

/** Counts as a service with a cache does, and keeps the requests of the conversation itself. */
class CountingProvider implements ModelProvider {
  readonly sent: string[] = [];
  private readonly wire: CachedWire;

  constructor(wire: CachedWire) {
    this.wire = wire;
  }

  listModels(signal: AbortSignal) {
    return this.wire.provider.listModels(signal);
  }

  async *stream(request: ModelRequest) {
    for await (const event of this.wire.provider.stream(request)) {
      if (event.type !== 'end' || !event.end.ok) yield event;
      else yield { type: 'end', end: { ...event.end, usage: this.count(request) } } as const;
    }
  }

  /** A question beside the conversation declares no tools. */
  private count({ tools }: ModelRequest): Usage {
    const newest = this.wire.read().at(-1)!;
    const same = sharedLength(this.sent.at(-1) ?? '', newest);
    if (tools.length > 0) this.sent.push(newest);
    return { prompt: newest.length, cached: same, output: 1, thoughts: 0 };
  }
}

function reader(name: string, run: () => Omit<ToolResult, 'display'>): AnyTool {
  return defineReadTool({
    name,
    description: 'Reads.',
    input: () => z.object({}),
    title: () => name,
    run: async () => ({ ...run(), display: { summary: () => '' } }),
  });
}

function ofServer(name: string): AnyTool {
  return reader(name, () => ({ text: 'Of a server.' }));
}

/** One works in a folder with a memory of its own, one reads much, and one has a server come. */
function furtherTools(served: AnyTool[]): readonly AnyTool[] {
  return [
    reader('read_below', () => ({ text: 'export {};', folders: ['/project/below'] })),
    reader('read_much', () => ({ text: 'much '.repeat(6400) })),
    reader('connect', () => {
      served.push(ofServer('mcp_late'));
      return { text: 'It runs.' };
    }),
  ];
}

describe.each(Object.entries(cachedWires))('requests over %s', (_name, start) => {
  test('begin as the one before did, over new chapters, other titles and other modes', async () => {
    const wire = await start();
    onTestFinished(() => wire.dispose());
    const { provider, model } = wire;
    const world = makeWorld({ answers: [], files: { a: 'alpha' }, provider, model, readPrompt });
    await work(world, wire);
    const shares = keptShares(wire.read());
    expect(shares).toHaveLength(9);
    expect(Math.min(...shares)).toBeGreaterThan(0.95);
    // It is what the model reads last.
    for (const request of wire.read().slice(1)) {
      const footer = /\[Active Topic: [^\]]+\][^"]*"[^"]*$/.exec(request)?.[0] ?? '';
      expect(footer).not.toBe('');
    }
    expect(wire.read().at(-1)).toContain('[Active Topic: Looking again]');
  });

  test('starts again only when tools, instructions or old messages changed, and the context page says so', async () => {
    const wire = await start();
    const provider = new CountingProvider(wire);
    const served: AnyTool[] = [];
    let memory: PromptFacts['memory'] = [];
    const world = makeWorld({
      answers: [],
      mode: 'yolo',
      files: { a: 'alpha' },
      provider,
      model: wire.model,
      outputLimit: 200_000,
      tools: furtherTools(served),
      moreTools: () => () => served,
      memoryPlace: {
        home: '/home/ada',
        names: ['GEMINI.md'],
        folders: ['/project'],
        extra: [],
        trusted: true,
      },
      readPrompt: async () => facts =>
        systemPrompt({
          ...panelFacts,
          mode: facts.mode,
          model: facts.model,
          tools: facts.toolNames,
          memory,
          memoryKey: 'key',
        }),
    });
    const { session, disk, events } = world;
    await disk.writeText('/project/below/GEMINI.md', 'Tabs below here.', {
      encoding: 'utf8',
      bom: false,
    });
    let seen = 0;
    /** What was told to be lost in the answers to one prompt, which are as many. */
    const lossesOf = async (...answers: readonly ContractAnswer[]) => {
      wire.script([...answers, done]);
      expect(await session.send('Continue.')).toEqual({ kind: 'rested' });
      const reported = events.filter(event => event.type === 'step.ended').map(event => event.cacheLoss?.by);
      const shares = keptShares(provider.sent);
      expect(reported.map(by => by !== undefined)).toEqual([false, ...shares.map(share => share < 0.95)]);
      const fresh = reported.slice(seen);
      seen = reported.length;
      expect(fresh).toHaveLength(answers.length + 1);
      return fresh;
    };
    const kept = undefined;
    try {
      expect(await lossesOf(opens('Looking'), says(read))).toEqual([kept, kept, kept]);

      expect(await lossesOf(calls('read_below'), calls('read_below'))).toEqual([kept, kept, kept]);
      expect(provider.sent.at(-1)).toContain('Tabs below here.');

      expect(await lossesOf(calls('connect'), says(read))).toEqual([kept, 'tools', kept]);
      served.push(ofServer('mcp_other'));
      expect(await lossesOf(says(read))).toEqual(['tools', kept]);
      served.length = 0;
      expect(await lossesOf(says(read))).toEqual(['tools', kept]);

      memory = [{ path: '/project/GEMINI.md', text: 'Tests first.' }];
      expect(await lossesOf(says(read))).toEqual(['instructions', kept]);

      session.setMode('plan');
      expect(await lossesOf(says(read))).toEqual(['tools', kept]);
      session.setMode('yolo');
      expect(await lossesOf(says(read))).toEqual(['tools', kept]);

      // In one leap, after which the beginning stays as it is for many steps.
      const much = Array.from({ length: 10 }, () => calls('read_much'));
      const leap = await lossesOf(...much, says(read));
      expect(leap.filter(by => by !== kept)).toEqual(['masked']);
      expect(provider.sent.at(-1)).toContain('<masked_output>');
      expect(await lossesOf(...much.slice(0, 2))).toEqual([kept, kept, kept]);

      wire.script([
        says({ kind: 'text', text: snapshotOf('One.') }),
        says({ kind: 'text', text: snapshotOf('One.') }),
      ]);
      await session.compressions.propose();
      session.compressions.apply(session.state.compression!.id);
      expect(await lossesOf(says(read))).toEqual(['rewritten', kept]);

      const { cacheLosses } = session.state;
      expect(cacheLosses).toMatchObject({
        count: 8,
        newest: { by: 'rewritten' } satisfies Partial<CacheLoss>,
      });
      expect(describeCacheLosses(cacheLosses!)).toContain('older messages were compressed');
    } finally {
      await session.dispose();
      await wire.dispose();
    }
  });
});
