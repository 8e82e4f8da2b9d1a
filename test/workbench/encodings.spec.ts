import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, type RecordedRequest } from '../support/geminiServer.ts';
import { ask, asked, expectPlayed, lens, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const edit = (file_path: string, old_string: string, new_string: string) =>
  call('replace', { file_path, instruction: 'i', old_string, new_string });

test('files keep the encoding that the settings give them, open or closed, also when a change is rejected', {
  tags: ['journey'],
}, async ({ openOwn, makeFolder, startGemini }) => {
  const folder = await makeFolder({ 'README.md': 'plain\n' });
  const western = (words: string) => iconv.encode(`# Größe – “naïve”\r\n${words}\r\n`, 'windows1252');
  const japanese = (words: string) => iconv.encode(`; 設定\n${words}\n`, 'shiftjis');
  const files = {
    'open.txt': western('x = 1'),
    'closed.txt': western('x = 1'),
    // Valid as UTF-8, too, so that only the setting tells.
    'ascii.txt': Buffer.from('x = 1\n'),
    'set.ini': japanese('x = 1'),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  const bytesOf = (name: string) => readFile(join(folder, name));
  const gemini = await startGemini();
  const window = await openOwn({
    folder,
    settings: {
      'folio.baseUrl': gemini.baseUrl,
      'folio.approvalMode': 'autoEdit',
      'files.encoding': 'windows1252',
      '[ini]': { 'files.encoding': 'shiftjis' },
    },
  });
  const panel = await window.openPanel();
  await window.evaluate('openFile', join(folder, 'open.txt'));
  gemini.script(
    [call('read_file', { file_path: 'open.txt' }), call('read_file', { file_path: 'set.ini' })],
    [edit('open.txt', 'x = 1', 'größe = “2”'), edit('closed.txt', 'x = 1', 'größe = “2”')],
    [edit('ascii.txt', 'x = 1', 'é = 2'), edit('set.ini', 'x = 1', '値 = 2')],
    [call('write_file', { file_path: 'new.txt', content: 'é\n' }), edit('open.txt', '“2”', '漢')],
    [text('All are written.')],
  );
  await ask(panel, 'Write them.');
  await panel.getByText('All are written.', { exact: true }).waitFor();

  const outputs = asked(gemini).map((request: RecordedRequest) => lastResults(request));
  const [[western1252, shiftJis] = []] = outputs.slice(1);
  expect(western1252?.output).toContain('[Encoding: Windows-1252. Edits keep it.]\n# Größe – “naïve”\nx = 1');
  expect(shiftJis?.output).toContain('[Encoding: Shift_JIS. Edits keep it.]\n; 設定\nx = 1');
  expect(outputs.at(-1)?.[1]?.error).toContain('encoded in Windows-1252, which lacks 漢 (U+6F22, line 2)');
  expect(await bytesOf('open.txt')).toEqual(western('größe = “2”'));
  expect(await bytesOf('closed.txt')).toEqual(western('größe = “2”'));
  expect(await bytesOf('ascii.txt')).toEqual(Buffer.from('é = 2\n', 'latin1'));
  expect(await bytesOf('set.ini')).toEqual(japanese('値 = 2'));
  expect(await bytesOf('new.txt')).toEqual(Buffer.from('é\n', 'latin1'));

  await lens(window.page, 'Reject').first().click();
  await until('the open file is as before', async () =>
    (await bytesOf('open.txt')).equals(files['open.txt']),
  );
  expectPlayed(gemini);
});
