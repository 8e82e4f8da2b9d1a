/* What files promise of a notebook that is open in an editor. Runs in an extension host, too, so without vitest. */

import assert from 'node:assert/strict';
import { joinedText } from '../../src/extension/notebooks/notebook.ts';
import { FileError, type FileSystem, utf8Format } from '../../src/extension/platform/fileSystem.ts';
import { notebookSamples } from './notebookSamples.ts';

export interface NotebookEditorUnderTest {
  readonly files: FileSystem;
  /** A notebook that is open in an editor, with this text on the disk. */
  open(text: string): Promise<string>;
  /** At the beginning of a cell, counted from 0, unsaved. */
  type(path: string, index: number, text: string): Promise<void>;
  readDisk(path: string): Promise<string>;
}

export interface NotebookEditorCase {
  /** A sentence about behaviour. */
  readonly name: string;
  run(subject: NotebookEditorUnderTest): Promise<void>;
}

const { text: sample } = notebookSamples.find(({ name }) => name === '4.5 with ids')!;

export const notebookEditorContract: readonly NotebookEditorCase[] = [
  {
    name: 'unsaved cells of an open notebook are what is read',
    async run({ files, open, type, readDisk }) {
      const path = await open(sample);
      assert.equal((await files.readText(path)).text, sample);
      await type(path, 0, 'Typed. ');
      assert.match(sourcesOf((await files.readText(path)).text)[0]!, /^Typed\. /);
      assert.match(sourcesOf(Buffer.from(await files.readBytes(path)).toString())[0]!, /^Typed\. /);
      assert.equal(Buffer.from(await files.readSaved(path)).toString(), sample);
      assert.equal(await readDisk(path), sample);
    },
  },
  {
    name: 'a write into an open notebook is saved with what was typed, and outputs stay',
    async run({ files, open, type, readDisk }) {
      const path = await open(sample);
      await type(path, 0, 'Typed. ');
      const { text } = await files.readText(path);
      await files.writeText(path, text.replace('tides.read()', 'tides.load()'), utf8Format, text);
      const disk = await readDisk(path);
      assert.match(sourcesOf(disk)[0]!, /^Typed\. /);
      assert.match(sourcesOf(disk)[1]!, /tides\.load\(\)/);
      assert.equal(cellsOf(disk)[1]!.outputs?.length, 2);
    },
  },
  {
    name: 'cells of an open notebook go and come back with their outputs',
    async run({ files, open, readDisk }) {
      const path = await open(sample);
      const notebook = JSON.parse(sample) as { cells: readonly unknown[] };
      const without = JSON.stringify({ ...notebook, cells: notebook.cells.slice(0, 5) });
      await files.writeText(path, without, utf8Format, sample);
      const between = await readDisk(path);
      assert.equal(cellsOf(between).length, 5);
      await files.writeText(path, sample, utf8Format, between);
      assert.deepEqual(sourcesOf(await readDisk(path)), sourcesOf(sample));
      assert.equal(cellsOf(await readDisk(path))[5]!.outputs?.length, 1);
    },
  },
  {
    name: 'an open notebook that changed meanwhile is left as it is',
    async run({ files, open, type, readDisk }) {
      const path = await open(sample);
      await type(path, 0, 'Typed. ');
      const write = files.writeText(path, sample, utf8Format, sample);
      await assert.rejects(write, (error: unknown) => error instanceof FileError && error.kind === 'changed');
      assert.equal(await readDisk(path), sample);
      assert.match(sourcesOf((await files.readText(path)).text)[0]!, /^Typed\. /);
    },
  },
  {
    name: 'the editor marks the language of a raw cell that it was made to change',
    async run({ files, open }) {
      const path = await open(sample);
      await files.writeText(path, sample.replace('as it is', 'as it was'), utf8Format, sample);
      // Sooner or later, and perhaps unsaved.
      for (;;) {
        const [, , , raw] = cellsOf((await files.readText(path)).text);
        assert.match(joinedText(raw!.source), /as it was/);
        if (raw!.metadata.vscode?.languageId === 'raw') return;
        await new Promise(resolve => setTimeout(resolve, 20));
      }
    },
  },
];

interface WrittenCell {
  readonly source: unknown;
  readonly outputs?: readonly unknown[];
  readonly metadata: { readonly vscode?: { readonly languageId?: string } };
}

function cellsOf(text: string): readonly WrittenCell[] {
  return (JSON.parse(text) as { cells: readonly WrittenCell[] }).cells;
}

function sourcesOf(text: string): readonly string[] {
  return cellsOf(text).map(({ source }) => joinedText(source));
}
