import { join } from 'node:path';
import { expect } from 'vitest';
import type {
  CodeAction,
  CodeRange,
  CodeSymbol,
  Languages,
  ProposedEdits,
} from '../../src/extension/platform/languages.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, type RecordedRequest } from '../support/geminiServer.ts';
import { expectLanguages, languageSample } from '../support/languagesContract.ts';
import {
  ask,
  asked,
  button,
  expectPlayed,
  lastAsked,
  lens,
  until,
  untilHolds,
} from './support/panelActions.ts';
import { writeFiles } from './support/sharedWindow.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

test('a symbol is found by its name, with what declares, uses and calls it, where a language server answers', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({ 'notes.txt': 'Nothing to see.\n' });
  const gemini = await startGemini();
  const window = await openOwn({
    folder,
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'default' },
  });
  const panel = await window.openPanel();
  gemini.script([text('No code yet.')]);
  await ask(panel, 'Is there code?');
  await panel.getByText('No code yet.', { exact: true }).waitFor();
  expect(toolsOf(asked(gemini)[0]!)).not.toContain('find_symbol');

  await writeFiles(folder, languageSample);
  await until('TypeScript answers', () => window.evaluate('settleLanguages'));
  // Fixes are offered for problems that are known, and TypeScript's server tells those of files that have a tab.
  await window.evaluate('openFile', join(folder, 'loose.ts'));
  await until('the problem is known', async () => {
    const found = await window.evaluate('readDiagnostics', join(folder, 'loose.ts'));
    return found.length > 0;
  });
  await expectLanguages(languagesOf(window), folder);

  // The first answer of a server may come after the wait at the start of a turn.
  let asks = 0;
  await until('the tool is offered', async () => {
    const said = `Seen ${++asks}.`;
    gemini.script([text(said)]);
    await ask(panel, 'And now?');
    await panel.getByText(said, { exact: true }).waitFor();
    return toolsOf(lastAsked(gemini)).includes('find_symbol');
  });
  gemini.script(
    [call('find_symbol', { name: 'computeSum', find: 'references' })],
    [call('find_symbol', { name: 'total', file_path: 'main.ts', find: 'definition' })],
    [call('find_symbol', { name: 'computeSum', find: 'callers' })],
    [text('Two call it.')],
  );
  const before = asked(gemini).length;
  await ask(panel, 'Who calls computeSum?');
  await panel.getByText('Two call it.', { exact: true }).waitFor();
  const requests = asked(gemini).slice(before);
  const [references, definition, callers] = requests.slice(1).map(request => lastResults(request)[0]?.output);
  expect(references).toMatch(/^4 references in 2 files/);
  expect(definition).toContain('sums.ts\n6: ');
  expect(callers).toMatch(/^2 callers in 2 files/);
  await window.screenshot('symbols');

  // A file with unsaved typing is renamed with it, and each place can be undone.
  const main = join(folder, 'main.ts');
  const sums = join(folder, 'sums.ts');
  await window.evaluate('insertText', main, 1, '// Mine\n');
  gemini.script([call('rename_symbol', { name: 'computeSum', new_name: 'addUp' })], [text('Renamed.')]);
  await ask(panel, 'Call it addUp.');
  await panel.getByText('4 places in 2 files').first().waitFor();
  await window.screenshot('rename-ask');
  await button(panel, 'Allow').click();
  await panel.getByText('Renamed.', { exact: true }).waitFor();
  const renamed = languageSample['sums.ts'].replaceAll('computeSum', 'addUp');
  await untilHolds(sums, renamed);
  const { text: typed } = await window.evaluate('readDocument', main);
  expect(typed).toBe(`// Mine\n${languageSample['main.ts'].replaceAll('computeSum', 'addUp')}`);
  await panel.locator('.review .strip-toggle').click();
  await button(panel, 'Open sums.ts').click();
  await lens(window.page, 'Accept all 2').waitFor();
  await window.screenshot('rename-review');
  await lens(window.page, 'Reject').first().click();
  await untilHolds(sums, renamed.replace('addUp', 'computeSum'));

  // The rest goes back at once, and what was typed stays.
  await window.runCommand('Folio: Undo Command');
  await window.page.locator('.quick-input-list').getByText('Rename computeSum to addUp').waitFor();
  await window.page.keyboard.press('Enter');
  await untilHolds(sums, languageSample['sums.ts']);
  await untilHolds(main, `// Mine\n${languageSample['main.ts']}`);

  // The titles of the light bulb are listed, and the chosen title is applied to the unsaved text.
  const loose = join(folder, 'loose.ts');
  await window.evaluate('insertText', loose, 1, '// Typed\n');
  // Until the server has spoken of the new text, its problems are not known, and the model is told so.
  await until('the problem is known where it is now', async () => {
    const found = await window.evaluate('readDiagnostics', loose);
    return found.some(({ line }) => line === 3);
  });
  gemini.script(
    [call('apply_code_action', { file_path: 'loose.ts', problem: "Cannot find name 'amuont'" })],
    [
      call('apply_code_action', {
        file_path: 'loose.ts',
        problem: '3',
        title: "Change spelling to 'amount'",
      }),
    ],
    [text('Spelled.')],
  );
  await ask(panel, 'Mend the spelling.');
  await panel.getByText('1 place in 1 file').first().waitFor();
  await button(panel, 'Allow').click();
  await panel.getByText('Spelled.', { exact: true }).waitFor();
  await untilHolds(loose, `// Typed\n${languageSample['loose.ts'].replace('amuont', 'amount')}`);
  const listed = JSON.stringify(asked(gemini).at(-2)!.body);
  expect(listed).toContain('Nothing is changed yet. Choose a title');
  await window.screenshot('code-action');

  // One for the whole file: an import that nothing uses goes.
  const extra = join(folder, 'extra.ts');
  const used = "import { amount } from './loose';\n\nexport const three = amount;\n";
  await writeFiles(folder, { 'extra.ts': `import { Invoice } from './sums';\n${used}` });
  gemini.script(
    [call('apply_code_action', { file_path: 'extra.ts', title: 'Organize Imports' })],
    [text('Organized.')],
  );
  await ask(panel, 'Organize the imports of extra.ts.');
  await button(panel, 'Allow').click();
  await panel.getByText('Organized.', { exact: true }).waitFor();
  await untilHolds(extra, used);
  expectPlayed(gemini);
});

function toolsOf({ body }: RecordedRequest): readonly string[] {
  return (
    body.tools?.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => `${name}`),
    ) ?? []
  );
}

function languagesOf(window: Workbench): Languages {
  return {
    isAvailable: true,
    settle: async () => {},
    outline: async path =>
      (await window.evaluate('askLanguages', { kind: 'outline', path })) as readonly CodeSymbol[],
    findDeclaringFiles: async name =>
      (await window.evaluate('askLanguages', { kind: 'declaring', name })) as readonly string[],
    follow: async (point, relation) =>
      (await window.evaluate('askLanguages', { kind: 'follow', point, relation })) as readonly CodeRange[],
    rename: async (point, newName) =>
      (await window.evaluate('askLanguages', { kind: 'rename', point, newName })) as ProposedEdits,
    offer: async place =>
      (await window.evaluate('askLanguages', { kind: 'offer', place })) as readonly CodeAction[],
  };
}
