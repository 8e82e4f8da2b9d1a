import { describe, expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { replaceTool } from '../../src/extension/tools/replace.ts';
import { writeFileTool } from '../../src/extension/tools/writeFile.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { useTool, writingTo } from '../support/useTool.ts';

const code = { cell_type: 'code', metadata: {}, execution_count: 1, source: ['x = 1\n', 'x'], outputs: [] };
const words = { cell_type: 'markdown', metadata: {}, source: '# Tides' };
const notebook = { cells: [words, code], metadata: {}, nbformat: 4, nbformat_minor: 5 };
const written = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;

function make(contents: Record<string, string>) {
  const files = new MemoryFileSystem(contents);
  const ports = { files, paths: new WorkspacePaths(files, ['/w']) };
  return {
    files,
    replace: writingTo(files, replaceTool(ports)),
    writeFile: writingTo(files, writeFileTool(ports)),
  };
}

const edit = (old_string: string, new_string: string) => ({
  file_path: 'a.ipynb',
  instruction: 'Change it',
  old_string,
  new_string,
});

describe('an edit of a notebook', () => {
  test('that leaves it whole is written', async () => {
    const { files, replace } = make({ '/w/a.ipynb': written(notebook) });
    await useTool(replace, edit('"x = 1\\n"', '"x = 2\\n"'));
    expect((await files.readText('/w/a.ipynb')).text).toBe(written(notebook).replace('x = 1', 'x = 2'));
  });

  test.each([
    ['breaks its JSON', '"x = 1\\n",', '"x = 1\\n"', /it is not JSON \(.*line/],
    ['makes a cell of no known kind', '"code"', '"python"', /cells\[1\]\.cell_type must be "code"/],
    ['puts a number where lines stand', '"# Tides"', '7', /cells\[0\]\.source must be a text/],
    ['takes the outputs away', '"outputs": []', '"output": []', /cells\[1\]\.outputs must be a list/],
  ])('that %s writes nothing and says why', async (_what, before, after, why) => {
    const { files, replace } = make({ '/w/a.ipynb': written(notebook) });
    const editing = useTool(replace, edit(before, after));
    await expect(editing).rejects.toThrow(why);
    await expect(editing).rejects.toThrow('Nothing was written');
    expect((await files.readText('/w/a.ipynb')).text).toBe(written(notebook));
  });

  test('as a whole is held to the same', async () => {
    const { files, writeFile } = make({ '/w/a.ipynb': written(notebook) });
    const content = '# Tides\nx = 1\n';
    await expect(useTool(writeFile, { file_path: 'a.ipynb', content })).rejects.toThrow(/no valid notebook/);
    expect((await files.readText('/w/a.ipynb')).text).toBe(written(notebook));
    await useTool(writeFile, { file_path: 'a.ipynb', content: written({ ...notebook, cells: [] }) });
    expect(JSON.parse((await files.readText('/w/a.ipynb')).text)).toMatchObject({ cells: [] });
  });

  test('of which the user took a part that breaks it writes nothing', async () => {
    const { files, writeFile } = make({ '/w/a.ipynb': written(notebook) });
    const content = written({ ...notebook, cells: [] });
    const accepted = useTool(
      writeFile,
      { file_path: 'a.ipynb', content },
      { decide: async prepared => ({ ...prepared.proposal!, after: '{', agentText: content }) },
    );
    await expect(accepted).rejects.toThrow('Nothing was written');
    expect(files.changes).toEqual([]);
  });

  test('that is broken already may be mended in steps, and a new one is written as it is', async () => {
    const { files, replace, writeFile } = make({ '/w/a.ipynb': '{ "cells": [ }' });
    await useTool(replace, edit('[ }', '[], }'));
    expect((await files.readText('/w/a.ipynb')).text).toBe('{ "cells": [], }');
    await useTool(writeFile, { file_path: 'b.ipynb', content: '' });
    expect((await files.readText('/w/b.ipynb')).text).toBe('');
  });
});
