import { expect } from 'vitest';
import type { SubagentReport } from '../../src/protocol/values.ts';
import { findings, reported, reportedAs } from './agentScenes.ts';
import { fold } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import { test } from './suite.ts';

async function unfold({ page }: PanelPage) {
  const card = page.locator('.agent').first();
  await card.locator('.row').first().click();
  await card.locator('.agent-task').waitFor();
  return card;
}

test('findings are a text, a folded trace and files with what matters in them', async ({ open }) => {
  const panel = await open({ state: fold(reported(findings)) });
  const card = await unfold(panel);
  await card.getByRole('heading', { name: 'Answer' }).waitFor();
  expect(await card.getByText('SummaryOfFindings').count()).toBe(0);
  expect(await card.getByText('Read test/invoice.test.ts: two tests', { exact: false }).count()).toBe(0);
  const trace = card.getByRole('button', { name: 'Exploration trace, 3 entries' });
  expect(await trace.getAttribute('aria-expanded')).toBe('false');
  await trace.focus();
  await panel.page.keyboard.press('Enter');
  await card.getByText('Read test/invoice.test.ts: two tests', { exact: false }).waitFor();
  const place = card.locator('.agent-place').first();
  expect(await place.locator('code').allTextContents()).toEqual(['total', 'Line', 'roundToCents']);
  await card.getByText('Rounds each line before', { exact: false }).waitFor();
  await place.getByRole('button').focus();
  await panel.page.keyboard.press('Enter');
  expect(await panel.intention('file.open')).toEqual({ type: 'file.open', path: 'src/invoice.ts', line: 10 });
  // What is no file is named and leads nowhere.
  const other = card.locator('.agent-place').last();
  expect(await other.textContent()).toContain('https://example.com/a');
  expect(await other.getByRole('button').count()).toBe(0);
});

test('a report that was handed in is shown once', async ({ open }) => {
  const panel = await open({ state: fold(reported(findings)) });
  const card = await unfold(panel);
  await card.getByRole('heading', { name: 'Answer' }).waitFor();
  expect(await card.getByText('Hand in the report').count()).toBe(0);
});

test('the report of any other agent is a text, or a list by key', async ({ open }) => {
  const plain = await open({ state: fold(reported({ result: 'Wrote **b.txt**.' }, 'generalist')) });
  await (await unfold(plain)).locator('strong', { hasText: 'b.txt' }).waitFor();
  const own = {
    Verdict: 'It is *fine*.',
    open_questions: ['Who rounds?', 'Since when?'],
    counts: { testsRead: 12, slow: false, deep: { a: { b: { c: [1] } } } },
    nothing: [],
  };
  const panel = await open({ state: fold(reported(own, 'proof-reader')) });
  const report = (await unfold(panel)).locator('.agent-report');
  expect(await report.locator('.agent-report-key').allTextContents()).toEqual([
    'Verdict',
    'Open questions',
    'Counts',
  ]);
  await report.locator('em', { hasText: 'fine' }).waitFor();
  await report.getByText('Who rounds?').waitFor();
  await report.getByText('Tests read').waitFor();
  expect(await report.locator('.agent-report-list code').allTextContents()).toEqual([
    '12',
    'false',
    '{"c":[1]}',
  ]);
});

test.for<readonly [string, unknown]>([
  ['without any key', {}],
  [
    'of empty values',
    { SummaryOfFindings: ' ', ExplorationTrace: [], RelevantLocations: [{ FilePath: '' }] },
  ],
  ['that a damaged journal lost', null],
])('a report %s says that it is empty', async ([, report], { open }) => {
  const panel = await open({ state: fold(reported(report)) });
  await (await unfold(panel)).getByText('The report is empty.').waitFor();
  expect(await panel.problems()).toEqual([]);
});

test('findings that are not as they should be are still told', async ({ open }) => {
  const broken = {
    SummaryOfFindings: ['In', 'two parts'],
    ExplorationTrace: 'Read it all.',
    RelevantLocations: ['src/a.ts', { FilePath: 'src/b.ts', KeySymbols: 'total' }, 7],
  };
  const panel = await open({ state: fold(reported(broken)) });
  const report = (await unfold(panel)).locator('.agent-report');
  for (const text of ['two parts', 'Read it all.', 'src/a.ts', 'src/b.ts', 'Key symbols', '7'])
    await report.getByText(text).first().waitFor();
  expect(await panel.problems()).toEqual([]);
});

test('of a long list the beginning is shown, and all of it in an editor', async ({ open }) => {
  const long: SubagentReport = {
    ...findings,
    RelevantLocations: Array.from({ length: 300 }, (_, index) => ({
      FilePath: `src/part${index}.ts`,
      Reasoning: 'One of many.',
      KeySymbols: [`f${index}`],
    })),
  };
  const panel = await open({ state: fold(reported(long)) });
  const card = await unfold(panel);
  await card.getByText('250 more').waitFor();
  expect(await card.locator('.agent-place').count()).toBe(50);
  await card.getByRole('button', { name: 'Show all in editor' }).click();
  expect(await panel.intention('output.open')).toEqual({ type: 'output.open', callId: 'i1' });
});

test('nothing in a report can pass for more than text', async ({ open }) => {
  const hostile = {
    SummaryOfFindings: '<img src=x onerror="document.title=1"> [a](command:folio.newSession)',
    RelevantLocations: [
      {
        FilePath: 'command:folio.newSession',
        Reasoning: '<iframe src=x></iframe>',
        KeySymbols: ['a\u202eb'],
      },
      { FilePath: 'src/\u202egpj.ts', Reasoning: '', KeySymbols: [] },
    ],
    '<b>key</b>': 'x',
  };
  const panel = await open({ state: fold(reported(hostile)) });
  const report = (await unfold(panel)).locator('.agent-report');
  await report.getByText('<b>key</b>').waitFor();
  expect(await report.locator('img, iframe, [href^=command], .agent-report-key *').count()).toBe(0);
  expect(await report.locator('.agent-place').first().getByRole('button').count()).toBe(0);
  const places = await report.locator('.agent-place').allTextContents();
  expect(places.join()).toContain('a\\u{202E}b');
  expect(places.join()).toContain('\\u{202E}gpj.ts');
  expect(await panel.problems()).toEqual([]);
});

test('reports that earlier versions wrote into a journal are read like those of today', async ({ open }) => {
  const json = { kind: 'text', text: JSON.stringify(findings, null, 2) } as const;
  const old = await open({ state: fold(reportedAs(json, 'codebase_investigator')) });
  await (await unfold(old)).getByRole('button', { name: 'Exploration trace, 3 entries' }).waitFor();
  const text = { kind: 'text', text: '{ is how it **begins**.' } as const;
  const plain = await open({ state: fold(reportedAs(text, 'generalist')) });
  await (await unfold(plain)).locator('strong', { hasText: 'begins' }).waitFor();
  // One that was cut for the page is no whole one.
  const cut = await open({
    state: fold(reportedAs({ ...json, text: json.text.padEnd(20_000) }, 'codebase_investigator')),
  });
  await (await unfold(cut)).getByRole('button', { name: 'Show all in editor' }).waitFor();
});
