import { expect, test } from 'vitest';
import { exportFileName } from '../../../src/extension/core/export/fileName.ts';
import { sessionJson } from '../../../src/extension/core/export/sessionJson.ts';
import { called, invoiceStory, notify, prompt, started } from '../../support/story.ts';

test('a session is data whose keys keep their order', async () => {
  const text = sessionJson(invoiceStory()).replaceAll(/"c\d+"/g, '"call"');
  await expect(text).toMatchFileSnapshot('session.golden.json');
});

test('thoughts, pictures, places on this machine and secrets are left out', () => {
  const run = called(
    {
      title: 'Run env',
      effect: 'run',
      args: { command: 'env', password: 'hunter2', list: [{ apiKey: 'x' }] },
    },
    {
      display: {
        summary: 'Exit code 0',
        detail: { kind: 'command', exitCode: 0, output: 'A_TOKEN=hunter22', outputPath: '/home/ann/out.txt' },
      },
    },
  );
  const image = { kind: 'image', name: 'shot.png', blob: { mimeType: 'image/png', data: 'iVBOR' } } as const;
  const asked = { type: 'turn.started', turnId: 't1', text: 'Look', attachments: [image] } as const;
  const thought = { type: 'thought.appended', stepId: 's', text: 'musings' } as const;
  const text = sessionJson(notify(started, asked, thought, ...run));
  for (const hidden of ['hunter2', 'hunter22', 'iVBOR', 'musings', '/home/ann'])
    expect(text).not.toContain(hidden);
  const [opening] = JSON.parse(text).chapters;
  expect(opening.items[0].attachments).toEqual([{ kind: 'image', name: 'shot.png', mimeType: 'image/png' }]);
  expect(opening.items[1].args).toEqual({
    command: 'env',
    password: '[masked]',
    list: [{ apiKey: '[masked]' }],
  });
});

test('masking leaves it JSON, whatever a text holds', () => {
  const wild = 'say "TOKEN=\\"abcdef\\"" and {"password": "hunter22"}\n\\';
  const parsed = JSON.parse(sessionJson(notify(started, prompt(wild))));
  expect(parsed.chapters[0].items[0].text).toContain('"password": "[masked]"');
});

test('a file is named after the title, on every system', () => {
  expect(exportFileName('Fixing the race: a/b\\c?', 'md')).toBe('fixing-the-race-a-b-c.md');
  expect(exportFileName('Über Größe', 'json')).toBe('über-größe.json');
  expect(exportFileName('../..', 'md')).toBe('folio-session.md');
  expect(exportFileName('CON', 'md')).toBe('folio-session.md');
  expect(exportFileName('x'.repeat(300), 'md')).toHaveLength(63);
});
