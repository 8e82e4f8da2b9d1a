/* What a model may ask for although it should not. */

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineReadTool, defineTool } from '../../../src/extension/core/tool.ts';
import type { Part } from '../../../src/protocol/events.ts';
import { callFaults, historyFaults } from '../../support/checkHistory.ts';
import { makeWorld, type World } from '../../support/conversation.ts';

const megabytes = 'n'.repeat(2_000_000);

function call(id: string, name: string, args: Readonly<Record<string, unknown>> = {}): Part {
  return { kind: 'call', id, name, args };
}

function results({ model }: World, request: number): readonly Extract<Part, { kind: 'result' }>[] {
  const last = model.requests[request]!.messages.at(-1)!;
  return last.parts.filter(part => part.kind === 'result');
}

describe('calls with ids that were used before', () => {
  it('get ids of their own, within an answer and in a later one', async () => {
    const read = call('same', 'read_file', { file_path: 'a.txt' });
    const world = makeWorld({
      answers: [{ parts: [read, read] }, { parts: [read] }, { parts: [{ kind: 'text', text: 'Done.' }] }],
      files: { 'a.txt': 'alpha' },
    });
    await world.session.send('go');
    const ids = world.events.flatMap(event => (event.type === 'call.requested' ? [event.callId] : []));
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toBe('same');
    expect(callFaults(world.events)).toEqual([]);
    for (const request of world.model.requests) expect(historyFaults(request.messages)).toEqual([]);
  });
});

describe('a call of megabytes', () => {
  it('is answered in few words when no tool has its name', async () => {
    const world = makeWorld({ answers: [{ parts: [call('a', megabytes)] }, { parts: [text('Done.')] }] });
    await world.session.send('go');
    expect(results(world, 1)[0]!.text.length).toBeLessThan(500);
    const requested = world.events.find(event => event.type === 'call.requested')!;
    expect(JSON.stringify(requested).length).toBeLessThan(1000);
  });

  it('has a short title, and a failure that quotes it is cut', async () => {
    const world = makeWorld({
      answers: [{ parts: [call('a', 'read_file', { file_path: megabytes })] }, { parts: [text('Done.')] }],
      outputLimit: 1000,
    });
    await world.session.send('go');
    expect(results(world, 1)[0]!.text.length).toBeLessThan(1200);
    const requested = world.events.find(event => event.type === 'call.requested')!;
    expect(JSON.stringify(requested).length).toBeLessThan(3000);
  });
});

describe('a call of a tool that says nothing', () => {
  it('is told to the model as one that succeeded', async () => {
    const silent = defineReadTool({
      name: 'silent',
      description: 'Says nothing.',
      input: () => z.object({}),
      title: () => 'Silence',
      run: async () => ({ text: ' \n', display: { summary: () => 'Done' } }),
    });
    const answers = [{ parts: [call('a', 'silent')] }, { parts: [text('Done.')] }];
    const world = makeWorld({ answers, tools: [silent] });
    await world.session.send('go');
    expect(results(world, 1)).toMatchObject([{ ok: true, text: 'The call succeeded without any output.' }]);
  });
});

describe('an edit of a file whose name hides something', () => {
  it('is asked about with the whole name', async () => {
    const diff = { change: 'created', added: 1, removed: 0, hunks: [], hiddenLines: 0 } as const;
    const path = 'src/invoice\u202ets.exe';
    const edit = defineTool({
      name: 'strange_edit',
      description: 'Edits.',
      input: () => z.object({}),
      effect: 'edit',
      title: () => 'Edit',
      prepare: async () => ({ plan: undefined, subject: { kind: 'edit', diff: { ...diff, path } } }),
      run: async () => ({ text: 'done', display: { summary: () => 'Done' } }),
    });
    const world = makeWorld({
      answers: [{ parts: [call('a', 'strange_edit')] }, { parts: [text('Done.')] }],
      tools: [edit],
    });
    world.session.onEvent(event => {
      if (event.type === 'call.asked')
        queueMicrotask(() => world.session.decide(event.callId, { kind: 'once' }));
    });
    await world.session.send('go');
    expect(world.events.find(event => event.type === 'call.asked')).toMatchObject({
      ask: { subject: { kind: 'edit', diff: { path: 'src/invoice\\u{202E}ts.exe' } } },
    });
  });
});

describe('a tool with a bug', () => {
  it('outside of its run fails the turn, ends every call and leaves a history to continue with', async () => {
    const broken = defineReadTool({
      name: 'broken',
      description: 'Has a bug.',
      input: () => z.object({}),
      title: () => {
        throw new TypeError('no title');
      },
      run: async () => ({ text: '', display: { summary: () => '' } }),
    });
    const world = makeWorld({
      answers: [
        { parts: [call('a', 'read_file', { file_path: 'a.txt' }), call('b', 'broken')] },
        { parts: [text('Again.')] },
      ],
      files: { 'a.txt': 'alpha' },
      tools: [broken],
    });
    expect(await world.session.send('go')).toMatchObject({ kind: 'failed', trouble: { kind: 'bug' } });
    expect(callFaults(world.events)).toEqual([]);
    expect(await world.session.send('and now?')).toEqual({ kind: 'rested' });
    expect(historyFaults(world.model.requests[1]!.messages)).toEqual([]);
  });
});

describe('an output that is too long', () => {
  it('still ends well when the disk cannot keep the whole', async () => {
    const world = makeWorld({
      answers: [{ parts: [call('a', 'read_file', { file_path: 'a.txt' })] }, { parts: [text('Done.')] }],
      files: { 'a.txt': 'x'.repeat(5000) },
      outputLimit: 1000,
    });
    world.store.saveOutput = async () => {
      throw new Error('The disk is full.');
    };
    await world.session.send('go');
    const [result] = results(world, 1);
    expect(result!.ok).toBe(true);
    expect(result!.text).toContain('could not be kept');
  });
});

function text(words: string): Part {
  return { kind: 'text', text: words };
}
