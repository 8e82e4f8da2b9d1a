import { describe, expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { ToolFailure } from '../../src/extension/core/tool.ts';
import { readFileTool } from '../../src/extension/tools/readFile.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { useTool } from '../support/useTool.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`);
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);

function make(contents: Record<string, string | Uint8Array>) {
  const files = new MemoryFileSystem(contents);
  files.makeDirectory('/w');
  return { files, tool: readFileTool({ files, paths: new WorkspacePaths(files, ['/w']) }) };
}

const read = (contents: Record<string, string | Uint8Array>, args: Record<string, unknown>) =>
  useTool(make(contents).tool, args);

async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolFailure);
  return error instanceof ToolFailure ? error.message : '';
}

describe('read_file', () => {
  test('a whole text comes as it is, without line numbers and without carriage returns', async () => {
    const result = await read({ '/w/a.ts': 'one\r\ntwo\n' }, { file_path: 'a.ts' });
    expect(result.text).toBe('one\ntwo');
    expect(result.display.summary).toBe('2 lines');
  });

  test('what .geminiignore leaves out is refused by the name of that file, what .gitignore leaves out is read', async () => {
    const contents = {
      '/w/.gitignore': 'build/\n',
      '/w/.geminiignore': 'secret.txt\n/private/\n!open.txt\n',
      '/w/sub/.geminiignore': '*.key\n',
      '/w/build/a.js': 'built',
      '/w/private/deep/notes.md': 'notes',
      '/w/sub/secret.txt': 'hush',
      '/w/sub/a.key': 'key',
      '/w/open.txt': 'open',
    };
    const refused = (file_path: string) => failureOf(read(contents, { file_path }));
    const why = 'leaves it out. Work without it, or ask the user to change that file.';
    expect(await refused('sub/secret.txt')).toBe(
      `sub/secret.txt is not for agents to read: .geminiignore ${why}`,
    );
    expect(await refused('private/deep/notes.md')).toContain('agents to read: .geminiignore leaves');
    expect(await refused('sub/a.key')).toContain('agents to read: sub/.geminiignore leaves');
    expect((await read(contents, { file_path: 'build/a.js' })).text).toBe('built');
    expect((await read(contents, { file_path: 'open.txt' })).text).toBe('open');
  });

  test('a range comes with its place in the file', async () => {
    const text = numbered(10).join('\n');
    const result = await read({ '/w/a': text }, { file_path: 'a', start_line: 3, end_line: 4 });
    expect(result.text).toBe('[Lines 3-4 of 10: 2 above, 6 below.]\nline 3\nline 4');
    expect(result.display.summary).toBe('Lines 3-4 of 10');
  });

  test('of a long file the first 2000 lines come, and the note leads to the rest', async () => {
    const contents = { '/w/a': `${numbered(4500).join('\n')}\n` };
    const first = await read(contents, { file_path: 'a' });
    expect(first.text.split('\n')).toHaveLength(2001);
    expect(first.text).toMatch(
      /^\[Lines 1-2000 of 4500: 0 above, 2500 below\. To read on, set start_line to 2001\.\]\nline 1\n/,
    );
    const last = await read(contents, { file_path: 'a', start_line: 4001 });
    expect(last.text).toMatch(/^\[Lines 4001-4500 of 4500: 4000 above, 0 below\.\]\nline 4001\n/);
    expect(last.text).toMatch(/line 4500$/);
  });

  test('a window moves by its own size, and says what is above and below it', async () => {
    const contents = { '/w/a': numbered(250).join('\n') };
    const scroll = async (start_line?: number) => {
      const { text } = await read(contents, { file_path: 'a', window: 100, start_line });
      const [note, ...lines] = text.split('\n');
      return { note, first: lines[0], last: lines.at(-1) };
    };
    expect(await scroll()).toEqual({
      note: '[Lines 1-100 of 250: 0 above, 150 below. To read on, set start_line to 101.]',
      first: 'line 1',
      last: 'line 100',
    });
    expect(await scroll(101)).toEqual({
      note: '[Lines 101-200 of 250: 100 above, 50 below. To read on, set start_line to 201. To go back, set it to 1.]',
      first: 'line 101',
      last: 'line 200',
    });
    expect(await scroll(201)).toEqual({
      note: '[Lines 201-250 of 250: 200 above, 0 below. To go back, set start_line to 101.]',
      first: 'line 201',
      last: 'line 250',
    });
  });

  test('a window over a file that fits into it gives the file alone', async () => {
    const { text } = await read({ '/w/a': 'one\ntwo\n' }, { file_path: 'a', window: 100 });
    expect(text).toBe('one\ntwo');
  });

  test('a window ends with the range that was asked for', async () => {
    const contents = { '/w/a': numbered(250).join('\n') };
    const result = await read(contents, { file_path: 'a', start_line: 10, end_line: 12, window: 100 });
    expect(result.text).toBe(
      '[Lines 10-12 of 250: 9 above, 238 below. To go back, set start_line to 1.]\nline 10\nline 11\nline 12',
    );
  });

  test('lines are numbered when that is asked for, from where they stand in the file', async () => {
    const contents = { '/w/a': 'one\n\n  three\n' };
    const all = await read(contents, { file_path: 'a', line_numbers: true });
    expect(all.text).toBe('1: one\n2: \n3:   three');
    const some = await read(contents, { file_path: 'a', start_line: 3, line_numbers: true });
    expect(some.text).toBe('[Lines 3-3 of 3: 2 above, 0 below.]\n3:   three');
  });

  test('the title names the lines of a window', () => {
    const { tool } = make({});
    expect(tool.title({ file_path: 'a', start_line: 101, window: 100 })).toBe('Read a lines 101-200');
  });

  test('long lines are cut and counted', async () => {
    const result = await read({ '/w/a': `short\n${'x'.repeat(3000)}\n` }, { file_path: 'a' });
    expect(result.text).toBe(
      `[1 line longer than 2000 characters cut.]\nshort\n${'x'.repeat(2000)}... [line cut]`,
    );
  });

  test('the sum of many long lines is bounded too', async () => {
    const text = Array.from({ length: 1000 }, () => 'x'.repeat(1000)).join('\n');
    const result = await read({ '/w/a': text }, { file_path: 'a' });
    expect(result.text.length).toBeLessThan(201_000);
    expect(result.bounded).toBe(true);
    expect(result.text).toMatch(
      /^\[Lines 1-199 of 1000: 0 above, 801 below\. To read on, set start_line to 200\.\]/,
    );
  });

  test('an empty file says so', async () => {
    expect((await read({ '/w/a': '' }, { file_path: 'a' })).text).toBe('a is empty.');
  });

  test('text with a byte-order mark in UTF-16 is read as text', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('žluť\r\n', 'utf16le')]);
    expect((await read({ '/w/a.txt': bytes }, { file_path: 'a.txt' })).text).toBe(
      '[Encoding: UTF-16 LE. Edits keep it.]\nžluť',
    );
  });

  test('images and PDFs come as binary parts, by content even under a wrong name', async () => {
    for (const name of ['pic.png', 'pic.dat']) {
      const result = await read({ [`/w/${name}`]: png }, { file_path: name });
      expect(result.blobs).toEqual([{ mimeType: 'image/png', data: Buffer.from(png).toString('base64') }]);
    }
    const pdf = await read({ '/w/a.pdf': '%PDF-1.7\n' }, { file_path: 'a.pdf' });
    expect(pdf.blobs?.[0]?.mimeType).toBe('application/pdf');
  });

  test('an image by name that holds text is read as text', async () => {
    expect((await read({ '/w/a.png': 'git-lfs pointer\n' }, { file_path: 'a.png' })).text).toBe(
      'git-lfs pointer',
    );
  });

  test('SVG is text', async () => {
    const result = await read({ '/w/a.svg': '<svg/>\n' }, { file_path: 'a.svg' });
    expect([result.text, result.blobs]).toEqual(['<svg/>', undefined]);
  });

  test('other binary content is refused in a sentence', async () => {
    const reason = await failureOf(read({ '/w/a.bin': Uint8Array.from([0, 1, 2]) }, { file_path: 'a.bin' }));
    expect(reason).toBe('a.bin is a binary file (3 bytes) and cannot be shown as text.');
  });

  test('a file above 20 MB is refused with a way on', async () => {
    const huge = new Uint8Array(20 * 1024 * 1024 + 1).fill(97);
    expect(await failureOf(read({ '/w/a.log': huge }, { file_path: 'a.log' }))).toContain('grep_search');
  });

  test('a folder leads to list_directory', async () => {
    expect(await failureOf(read({ '/w/src/a.ts': '' }, { file_path: 'src' }))).toContain('list_directory');
  });

  test('a missing file names the nearest names', async () => {
    const contents = { '/w/src/invoice.ts': '', '/w/src/invoices.test.ts': '', '/w/src/zebra.md': '' };
    const reason = await failureOf(read(contents, { file_path: 'src/invoces.ts' }));
    expect(reason).toContain('src/invoces.ts does not exist.');
    expect(reason).toMatch(/nearest names in src: invoice.*\.ts/);
    expect(reason).not.toContain('zebra');
    const deeper = await failureOf(read(contents, { file_path: 'scr/invoice.ts' }));
    expect(deeper).toContain('The nearest names in .: src/.');
  });

  test('names are not told from above a workspace folder that is gone', async () => {
    const files = new MemoryFileSystem({ '/home/private.txt': '' });
    const tool = readFileTool({ files, paths: new WorkspacePaths(files, ['/home/gone']) });
    const reason = await failureOf(useTool(tool, { file_path: 'private.txt' }));
    expect(reason).not.toContain('nearest');
  });

  test('ranges that make no sense are refused', async () => {
    const contents = { '/w/a': 'one\n' };
    expect(await failureOf(read(contents, { file_path: 'a', start_line: 5, end_line: 2 }))).toContain(
      'is after',
    );
    expect(await failureOf(read(contents, { file_path: 'a', start_line: 5 }))).toContain('has only 1 line');
  });

  test('nothing outside of the workspace is read, also through a link', async () => {
    const { files, tool } = make({ '/secret/key': 'k', '/w/a': '' });
    files.symlink('/secret', '/w/link');
    for (const file_path of ['/secret/key', '../secret/key', 'link/key']) {
      expect(await failureOf(useTool(tool, { file_path }))).toContain('outside the workspace');
    }
  });

  test('an aborted call reads nothing', async () => {
    const { tool } = make({ '/w/a': 'x' });
    const abort = AbortSignal.abort();
    await expect(useTool(tool, { file_path: 'a' }, { signal: abort })).rejects.toBe(abort.reason);
  });

  test('the title tells path and range', () => {
    const { tool } = make({});
    expect(tool.title({ file_path: 'src/a.ts' })).toBe('Read src/a.ts');
    expect(tool.title({ file_path: 'a', start_line: 2, end_line: 9 })).toBe('Read a lines 2-9');
    expect(tool.title({ file_path: 'a', start_line: 2 })).toBe('Read a from line 2');
  });
});
