/* What a prompt of another agent has to ask, at the other end: by a form where the client shows forms. */

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { ServedRun } from '../../src/extension/headless/mcp/servedRun.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { FolioServer } from './support/folioServer.ts';

const folio = eachTest(() => FolioServer.make());
const run = ['--mcp-allow', 'run'] as const;

async function ask(client: Client, more: object = {}): Promise<CallToolResult> {
  const asked = { name: 'ask_folio', arguments: { prompt: 'Work', ...more } };
  return (await client.callTool(asked)) as CallToolResult;
}

const touch = (name: string) => [call('run_shell_command', { command: `touch ${name}` })];
const isThere = (name: string) =>
  stat(join(folio.workspace, name)).then(
    () => true,
    () => false,
  );

describe.each(['legacy', 'auto'] as const)('a client of the era %s that shows forms', era => {
  test('shows what the card shows, and what it allows holds once', async () => {
    folio.model.script(
      touch('a'),
      [call('write_file', { file_path: 'b.txt', content: 'two\n' })],
      touch('a'),
      [text('Done.')],
    );
    const shown: string[] = [];
    const allow = (message: string) => {
      shown.push(message);
      return { action: 'accept' as const, content: { decision: 'allow' } };
    };
    const { structuredContent } = await ask(await folio.connectAsking(era, allow, ...run));
    expect(structuredContent).toMatchObject({ end: 'rested', answer: 'Done.', denied: [] });
    expect(await isThere('a')).toBe(true);
    expect(await readFile(join(folio.workspace, 'b.txt'), 'utf8')).toBe('two\n');
    expect(shown).toEqual([
      expect.stringMatching(/touch changes files[\s\S]*touch a\nIn /),
      expect.stringMatching(/b\.txt[\s\S]*\+two/),
      expect.stringMatching(/touch a/),
    ]);
  });

  test.each([
    ['denies', { action: 'accept' as const, content: { decision: 'deny' } }],
    ['declines', { action: 'decline' as const }],
    ['closes the form', { action: 'cancel' as const }],
  ])('that %s lets nothing happen, and the result names it', async (_how, answer) => {
    folio.model.script(touch('a'), [text('Then not.')]);
    const { structuredContent } = await ask(await folio.connectAsking(era, () => answer, ...run));
    expect(structuredContent).toMatchObject({
      answer: 'Then not.',
      denied: [expect.stringContaining('touch a')],
    });
    expect(await isThere('a')).toBe(false);
  });

  test('asks at most eight times in one prompt', async () => {
    const names = [...'abcdefghi'];
    folio.model.script(...names.map(touch), [text('Done.')]);
    let asked = 0;
    const allow = () => {
      asked++;
      return { action: 'accept' as const, content: { decision: 'allow' } };
    };
    const { structuredContent } = await ask(await folio.connectAsking(era, allow, ...run));
    expect([asked, structuredContent]).toMatchObject([8, { denied: [expect.stringContaining('touch i')] }]);
  });

  test('that stops the request while its user reads the form stops the run', async () => {
    folio.model.script(touch('a'), [text('Never.')]);
    const stop = new AbortController();
    const wait = async (_message: string, withdrawn: AbortSignal) => {
      stop.abort();
      if (!withdrawn.aborted)
        await new Promise(done => withdrawn.addEventListener('abort', done, { once: true }));
      return { action: 'cancel' as const };
    };
    const client = await folio.connectAsking(era, wait, ...run);
    const asked = { name: 'ask_folio', arguments: { prompt: 'Work' } };
    await expect(client.callTool(asked, { signal: stop.signal })).rejects.toThrow();
    folio.model.script([text('Here.')]);
    expect((await ask(client, { mode: 'plan' })).structuredContent).toMatchObject({ end: 'rested' });
    expect(await isThere('a')).toBe(false);
  });
});

test('a mode of the user that asks nothing asks nothing here either', async () => {
  folio.model.script(touch('a'), [text('Done.')]);
  const never = () => {
    throw new Error('It asked');
  };
  const client = await folio.connectAsking('auto', never, ...run, '--approval-mode', 'yolo');
  expect((await ask(client)).structuredContent).toMatchObject({ answer: 'Done.', denied: [] });
});

test('a form that nobody answers is denied in time, and what comes then is passed over', async () => {
  const end = { session: 's', end: 'rested', changed: [], denied: [] } as const;
  const run = new ServedRun(
    async ask => ({ ...end, answer: JSON.stringify(await ask('Touch a?')) }),
    new AbortController().signal,
    1,
  );
  const request = new AbortController().signal;
  await run.result;
  run.decide('ask1', { kind: 'allow' });
  expect(await run.next(request)).toMatchObject({ answer: { answer: expect.stringContaining('in time') } });
});
