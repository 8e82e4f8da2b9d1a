import { describe, test } from 'vitest';
import { NotebookEditor } from './notebookEditor.ts';
import { notebookEditorContract } from './notebookEditorContract.ts';

describe('the notebook editor of the tests', () => {
  for (const { name, run } of notebookEditorContract) {
    test(name, async () => {
      const files = new NotebookEditor();
      const path = '/w/tides.ipynb';
      await run({
        files,
        async open(text) {
          await files.writeText(path, text, { encoding: 'utf8', bom: false });
          await files.openNotebook(path);
          return path;
        },
        type: (at, index, text) => files.type(at, index, text),
        readDisk: async at => String(files.bytes(at)),
      });
    });
  }
});
