import { expect, test } from 'vitest';
import * as z from 'zod';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { ModelError, type ModelProvider } from '../../../src/extension/core/model.ts';
import { defineTool } from '../../../src/extension/core/tool.ts';
import type { ChatAnswerWriter, SessionLink } from '../../../src/extension/vscode/chat/chatAnswerWriter.ts';
import { TurnRelay } from '../../../src/extension/vscode/chat/turnRelay.ts';
import { findCall } from '../../../src/extension/vscode/findCall.ts';
import { OpenSessions } from '../../../src/extension/vscode/openSessions.ts';
import { ask, CastModel, report, say, send } from '../../support/castModel.ts';
import { makeWorld, type WorldOptions } from '../../support/conversation.ts';
import { GatedModel } from '../../support/gatedModel.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';

/** Keeps what was written as one line each, pieces of Markdown joined. */
class FakePage implements ChatAnswerWriter {
  readonly lines: string[] = [];
  readonly targets: SessionLink[] = [];

  write(markdown: string): void {
    const last = this.lines.at(-1);
    if (last?.startsWith('write ') && !markdown.startsWith('\n\n'))
      this.lines[this.lines.length - 1] += markdown;
    else this.lines.push(`write ${markdown.trimStart()}`);
  }

  say(sentence: string): void {
    this.lines.push(`say ${sentence}`);
  }

  head(title: string, target: SessionLink): void {
    this.lines.push(`head ${title}`);
    this.targets.push(target);
  }

  lead(label: string, target: SessionLink): void {
    this.lines.push(`lead ${label}`);
    this.targets.push(target);
  }

  reportProgress(work: string): void {
    this.lines.push(`work ${work}`);
  }

  showChanged(path: string): void {
    this.lines.push(`changed ${path}`);
  }
}

async function openWindow(provider: ModelProvider, options: Omit<WorldOptions, 'answers'> = {}) {
  const world = makeWorld({ answers: [], provider, ...options });
  const opened = new OpenSessions(async () => world.agent);
  const session = await opened.create();
  const page = new FakePage();
  const abort = new AbortController();
  const relay = (text: string) =>
    new TurnRelay(opened, page, text, abort.signal).relay(async () => {
      await session.submitPrompt(text, [], 'next');
    });
  return { session, page, relay, stop: () => abort.abort() };
}

const saveFile = defineTool({
  name: 'save_file',
  description: 'Writes a file.',
  input: () => z.object({ file_path: z.string() }),
  effect: 'edit',
  title: ({ file_path }) => `Save ${file_path}`,
  prepare: async ({ file_path }) => ({
    plan: undefined,
    target: { kind: 'paths', paths: [file_path], access: 'write' },
  }),
  run: async ({ file_path }, _plan, { files }) => {
    await files.writeText(file_path, 'saved', { encoding: 'utf8', bom: false });
    return { text: 'Saved.', display: { summary: () => 'Saved' } };
  },
});

const writes = ask(['write_file', { file_path: 'a.txt', content: 'b' }]);

function said(text: string, answer: ScriptedAnswer): ScriptedAnswer {
  if (!('parts' in answer)) return answer;
  return { parts: [{ kind: 'text', text }, ...answer.parts] };
}

test('an answer comes as it is told: chapters that lead to theirs, work, changed files, words', async () => {
  const provider = new CastModel({
    Go: [
      ask(['create_new_topic', { title: 'Reading' }], ['read_file', { file_path: 'a.txt' }]),
      said('I write.', ask(['save_file', { file_path: '/project/a.txt' }])),
      say('Done.'),
    ],
  });
  const { session, page, relay } = await openWindow(provider, {
    mode: 'yolo',
    files: { 'a.txt': 'a' },
    tools: [saveFile],
  });
  expect(await relay('Go')).toEqual({ kind: 'done' });
  expect(page.lines).toEqual([
    'head 1. Reading',
    'work Read a.txt',
    'write I write.',
    'work Save /project/a.txt',
    'changed /project/a.txt',
    'write Done.',
  ]);
  const [chapter] = session.state.chapters.filter(({ number }) => number === 1);
  expect(page.targets).toEqual([{ sessionId: session.id, place: { kind: 'chapter', id: chapter?.id } }]);
});

test('what asks, of the agent or a subagent, is a sentence that leads to its card, and is decided only there', async () => {
  const provider = new CastModel({
    Go: [send(['generalist', 'Write']), writes, say('Done.')],
    Write: [writes, report('Written.')],
  });
  const { session, page, relay } = await openWindow(provider, { agents: builtInAgents });
  const over = relay('Go');
  for (const asker of ['generalist', 'Folio']) {
    await expect.poll(() => page.lines.at(-1)).toBe('lead Decide in Folio');
    expect(page.lines.at(-2)).toMatch(new RegExp(`^say ${asker} asks: Write`));
    const { sessionId, place } = page.targets.at(-1)!;
    expect(sessionId).toBe(session.id);
    expect(place?.kind).toBe('call');
    const { status } = findCall(session.state, place!.id)!;
    if (status.kind !== 'asking') throw new Error('The call does not ask.');
    page.lines.push('decided');
    session.decide(place!.id, { kind: 'once', askId: status.ask.id });
  }
  expect(await over).toEqual({ kind: 'done' });
  expect(page.lines.at(-1)).toBe('write Done.');
});

test('a prompt that waits says so, and is answered when its turn comes', async () => {
  const model = new GatedModel();
  const { session, page, relay } = await openWindow(model);
  const first = session.submitPrompt('First', [], 'next');
  await model.untilAsked();
  const over = relay('Second');
  await expect
    .poll(() => page.lines)
    .toEqual([
      'say Folio is working on an earlier prompt. It sends this one when that is done.',
      'lead Show in Folio',
    ]);
  model.answer('One.');
  await first;
  await model.untilAsked();
  model.answer('Two.');
  expect(await over).toEqual({ kind: 'done' });
  expect(page.lines.slice(2)).toEqual(['write Two.']);
});

test('cancelling in the chat stops the turn, and takes a prompt that waits out of the queue', async () => {
  const model = new GatedModel();
  const running = await openWindow(model);
  const over = running.relay('Go');
  await model.untilAsked();
  running.stop();
  expect(await over).toEqual({ kind: 'done' });
  expect(running.page.lines).toEqual(['say Stopped.', 'lead Show in Folio']);
  expect(running.session.busy).toBe(false);

  const waiting = await openWindow(model);
  const first = waiting.session.submitPrompt('First', [], 'next');
  await model.untilAsked();
  const second = waiting.relay('Second');
  await expect.poll(() => waiting.session.state.queue).toHaveLength(1);
  waiting.stop();
  expect(await second).toEqual({ kind: 'done' });
  expect(waiting.page.lines.at(-1)).toBe('say This prompt was removed before it was sent.');
  expect(waiting.session.state.queue).toEqual([]);
  model.answer('One.');
  expect(await first).toEqual({ kind: 'rested' });
});

test('a turn that fails is an error in a sentence, and a command that asks no model says so', async () => {
  const failing = new CastModel({
    Go: [{ error: new ModelError('auth', () => 'The key is wrong.', { retryable: false }) }],
  });
  const { page, relay } = await openWindow(failing);
  expect(await relay('Go')).toEqual({
    kind: 'failed',
    sentence: expect.stringContaining('The key is wrong.'),
  });
  expect(page.lines).toEqual(['lead Show in Folio']);

  const opened = new OpenSessions(() => Promise.reject(new Error('No session is made.')));
  const other = new FakePage();
  const never = new AbortController().signal;
  await new TurnRelay(opened, other, '/help', never).relay(async () => {});
  expect(other.lines).toEqual([
    'say Nothing was sent to a model. See the result in Folio’s panel.',
    'lead Show in Folio',
  ]);
  const broken = new TurnRelay(opened, other, 'Go', never).relay(() => opened.create().then(() => {}));
  await expect(broken).rejects.toThrow('No session is made.');
});
