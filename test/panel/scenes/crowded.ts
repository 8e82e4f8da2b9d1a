/* Much of everything: what a small sample never shows. */

import type { SessionEventBody } from '../../../src/protocol/events.ts';
import type { Attachment } from '../../../src/protocol/intentions.ts';
import type { ModelChoice } from '../../../src/protocol/panel/messages.ts';
import { done, started, step, text } from '../journal.ts';
import { hunk, review, reviewed } from '../reviewScenes.ts';
import { opening } from '../scenario.ts';
import type { Scene } from './scene.ts';

const ended: SessionEventBody = { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } };

const attachments: readonly Attachment[] = [
  { kind: 'file', path: 'src/billing/european/valueAddedTaxOfSeveralCountries.ts' },
  { kind: 'selection', path: 'src/billing/invoice.ts', startLine: 1204, endLine: 1399, text: '…' },
  ...['a', 'b', 'c', 'd', 'e', 'f'].map(
    (name): Attachment => ({ kind: 'file', path: `src/${name}/index.ts` }),
  ),
  { kind: 'file', path: `docs/${'a-very-long-name-'.repeat(5)}.md` },
  { kind: 'image', name: 'Screenshot 2026-11-28 at 15.03.22 (second try).png', blob: picture() },
];

function picture() {
  return {
    mimeType: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  };
}

const folders = [
  'src/billing',
  'src/billing/european/exceptions/reducedRates',
  'test',
  'packages/a-package-with-a-long-name/src',
];

const manyFiles: readonly SessionEventBody[] = [
  ...opening,
  ...Array.from({ length: 40 }, (_, at) =>
    reviewed(
      review(
        `${folders[at % folders.length]}/${at % 3 ? 'rate' : 'valueAddedTaxOfSeveralCountries'}${at + 1}.ts`,
        at % 5 ? [hunk(1)] : Array.from({ length: 12 }, (_, index) => hunk(index + 1)),
        at % 7 === 0,
      ),
    ),
  ),
  ended,
];

const hundredChapters: readonly SessionEventBody[] = [
  started,
  { type: 'turn.started', turnId: 't1', text: 'Move all of it to ESM, package by package.', attachments: [] },
  ...Array.from({ length: 100 }, (_, at) => [
    {
      type: 'chapter.started',
      chapterId: `c${at + 1}`,
      title:
        at % 4
          ? `Moving package ${at + 1}`
          : `Moving package ${at + 1}, whose tests are run by a script of its own`,
      ...(at > 0 && { previousSummary: `Package ${at} has no require() left; its 14 tests pass.` }),
    } satisfies SessionEventBody,
    step(`s${at}`, at + 1),
    ...done(
      {
        id: `r${at}`,
        tool: 'read_file',
        title: `Read packages/package-${at + 1}/index.js`,
        args: { file_path: `packages/package-${at + 1}/index.js` },
      },
      '48 lines',
    ),
    text(`s${at}`, `Package ${at + 1} is done.`),
  ]).flat(),
  ended,
];

const longModels: readonly ModelChoice[] = [
  {
    id: 'accounts/fireworks/models/qwen3-coder-480b-a35b-instruct-fp8-longcontext',
    label: 'accounts/fireworks/models/qwen3-coder-480b-a35b-instruct-fp8-longcontext',
    contextLimit: 262_144,
    efforts: ['low', 'high'],
  },
  { id: 'gemini-2.5-pro', label: 'Gemini 2.5 Pro', contextLimit: 1_048_576 },
];

const longModel: readonly SessionEventBody[] = [
  { ...started, model: longModels[0]!.id, mode: 'autoEdit' } as SessionEventBody,
  ...opening.slice(1),
  ended,
];

export const crowdedScenes: readonly Scene[] = [
  {
    name: 'crowded-attachments',
    events: [...opening, ended],
    options: { memory: { sessionId: 'session-1', attachments } },
  },
  {
    name: 'crowded-files',
    events: manyFiles,
    act: ({ page }) => page.locator('.review .strip-toggle').click(),
  },
  { name: 'crowded-chapters', events: hundredChapters },
  { name: 'crowded-models', events: longModel, options: { environment: { models: longModels } } },
  {
    name: 'crowded-models-menu',
    events: longModel,
    options: { environment: { models: longModels } },
    act: ({ page }) => page.getByRole('combobox', { name: 'Model' }).click(),
  },
];
