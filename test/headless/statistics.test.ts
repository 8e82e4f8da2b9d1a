import { beforeEach, expect, test } from 'vitest';
import { NodeSessionStore } from '../../src/extension/node/sessions/nodeSessionStore.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder('folio-statistics-');
  const journal = await new NodeSessionStore(folder).openJournal('s1');
  const events = [
    { type: 'session.started', sessionId: 's1', folders: ['/home/me/app'], model: 'm', mode: 'default' },
    { type: 'turn.started', turnId: 't', text: 'Go on', attachments: [] },
    { type: 'step.started', stepId: 's', number: 1, model: 'gemini-3-pro' },
    {
      type: 'step.ended',
      stepId: 's',
      usage: { prompt: 100, cached: 80, output: 5, thoughts: 2 },
      cost: 0.25,
    },
    { type: 'turn.ended', turnId: 't', end: { kind: 'rested' } },
  ];
  for (const [index, event] of events.entries())
    journal.append(JSON.stringify({ ...event, seq: index + 1, at: Date.now() }));
  await journal.close();
});

test('a run prints what sessions took as CSV and as JSON, and asks for no model', async () => {
  const csv = await runHeadless({ args: ['--statistics', 'csv', '--session-dir', folder] });
  expect(csv).toMatchObject({ code: 0, error: '' });
  expect(csv.out).toMatch(
    /^day,project,model,tool,.*\r\n.*,\/home\/me\/app,gemini-3-pro,,0,1,100,80,7,0.25,/s,
  );
  const json = await runHeadless({ args: ['--statistics', 'json', '--session-dir', folder] });
  expect(JSON.parse(json.out)).toMatchObject({
    sessions: 1,
    totals: { requests: 1, cost: 0.25, prompts: 1 },
  });
});

test('statistics are given alone', async () => {
  const { code, error } = await runHeadless({ args: ['--statistics', 'csv', '--prompt', 'Go on'] });
  expect(code).toBe(2);
  expect(error).toContain('--statistics prints and leaves');
});
