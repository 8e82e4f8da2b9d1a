/* What the file system over VS Code promises, in a real extension host with real documents and files. */

import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { FileError, utf8Format } from '../../src/extension/platform/fileSystem.ts';
import { EditorEncodings } from '../../src/extension/vscode/editorEncodings.ts';
import { EditorFileSystem, findUri } from '../../src/extension/vscode/ports/editorFileSystem.ts';
import { EditorSaves } from '../../src/extension/vscode/ports/editorSaves.ts';
import { EditorWriter } from '../../src/extension/vscode/ports/editorWriter.ts';
import { VscodeEditor } from '../../src/extension/vscode/ports/vscodeEditor.ts';
import { encodingContract } from '../support/encodingContract.ts';
import { notebookEditorContract } from '../support/notebookEditorContract.ts';
import type { ApiCase } from './cases.ts';

const viewed = new VscodeEditor();
const files = new EditorFileSystem(
  new NodeFileSystem(undefined, async () => {
    const realPath = (path: string) => files.realPath(path);
    return new EditorEncodings(path => findUri(path, realPath));
  }),
  viewed,
);

export const editorFileSystemCases: readonly ApiCase[] = [
  inFolder('an unsaved buffer is what is read', async folder => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'saved\n');
    await typeInto(path, 'typed ');
    assert.deepEqual(await files.readText(path), { text: 'typed saved\n', format: utf8Format });
    assert.equal(Buffer.from(await files.readBytes(path)).toString(), 'typed saved\n');
    assert.equal(await readFile(path, 'utf8'), 'saved\n');
  }),
  inFolder('a write is on the disk, saved, and can be undone', async folder => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'one\ntwo\nthree\n');
    await files.writeText(path, 'one\n2\nthree\n', utf8Format, 'one\ntwo\nthree\n');
    assert.equal(await readFile(path, 'utf8'), 'one\n2\nthree\n');
    const document = await vscode.workspace.openTextDocument(path);
    assert.equal(document.isDirty, false);
    await vscode.window.showTextDocument(document, { preview: false });
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
  }),
  inFolder('one of many files is written without an editor, unless one has it open', async folder => {
    const [closed, open] = [join(folder, 'closed.txt'), join(folder, 'open.txt')];
    await Promise.all([closed, open].map(path => writeFile(path, 'one\n')));
    const document = await vscode.workspace.openTextDocument(open);
    for (const path of [closed, open]) await files.writeText(path, 'two\n', utf8Format, 'one\n', 'many');
    assert.equal(await readFile(closed, 'utf8'), 'two\n');
    assert.equal(await readFile(open, 'utf8'), 'two\n');
    assert.equal(document.getText(), 'two\n');
    assert.equal(document.isDirty, false);
    const opened = vscode.workspace.textDocuments.map(({ uri }) => uri.fsPath);
    assert.deepEqual(
      opened.filter(path => path === closed || path === open),
      [open],
    );
    await failsAs('changed', files.writeText(closed, 'three\n', utf8Format, 'one\n', 'many'));
  }),
  inFolder('selected lines are left out until others are selected', async folder => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'one\ntwo\nthree\n');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(path));
    const untilSelected = () =>
      new Promise<void>(done => {
        const listener = vscode.window.onDidChangeTextEditorSelection(() => {
          listener.dispose();
          done();
        });
      });
    const select = (line: number) => {
      const isSelected = untilSelected();
      editor.selection = new vscode.Selection(line, 0, line, 3);
      return isSelected;
    };
    await select(0);
    assert.equal(viewed.readContext().active?.selection, 'one');
    viewed.omitSelection();
    const { active } = viewed.readContext();
    assert.equal(active?.selection, undefined);
    assert.deepEqual(active?.selectedLines, { startLine: 1, endLine: 1 });
    await select(1);
    assert.equal(viewed.readContext().active?.selection, 'two');
    await select(0);
    assert.equal(viewed.readContext().active?.selection, 'one');
    viewed.omitSelection();
    // An edit above moves the lines, and these are still left out.
    await editor.edit(edit => edit.insert(new vscode.Position(0, 0), 'zero\n'));
    assert.equal(editor.document.getText(editor.selection), 'one');
    assert.equal(viewed.readContext().active?.selection, undefined);
    // So does one that replaces them, before and after the editor reports the selection.
    const isReported = untilSelected();
    const replacing = new vscode.WorkspaceEdit();
    replacing.replace(editor.document.uri, new vscode.Range(1, 0, 2, 3), 'another one\nand two');
    await vscode.workspace.applyEdit(replacing);
    assert.equal(viewed.readContext().active?.selection, undefined);
    await isReported;
    assert.equal(viewed.readContext().active?.selection, undefined);
    await select(3);
    assert.equal(viewed.readContext().active?.selection, 'thr');
  }),
  inFolder('a file that changed meanwhile is left as it is, on the disk and in the buffer', async folder => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'new\n');
    await failsAs('changed', files.writeText(path, 'mine\n', utf8Format, 'old\n'));
    await typeInto(path, 'typed ');
    await failsAs('changed', files.writeText(path, 'mine\n', utf8Format, 'new\n'));
    await failsAs('changed', files.writeText(path, 'mine\n', utf8Format, null));
    assert.equal(await readFile(path, 'utf8'), 'new\n');
    assert.equal((await files.readText(path)).text, 'typed new\n');
  }),
  inFolder(
    'writing over an unsaved buffer keeps what was typed, for it was part of what was read',
    async folder => {
      const path = join(folder, 'a.txt');
      await writeFile(path, 'saved\n');
      await typeInto(path, 'typed ');
      await files.writeText(path, 'typed and changed\n', utf8Format, 'typed saved\n');
      assert.equal(await readFile(path, 'utf8'), 'typed and changed\n');
    },
  ),
  inFolder('a save of the user is told with what it found on the disk and what it left', async folder => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'saved\n');
    await typeInto(path, 'typed ');
    assert.equal(Buffer.from(await files.readSaved(path)).toString(), 'saved\n');
    const reported: string[][] = [];
    const end = new EditorSaves(new NodeFileSystem()).listen(write => {
      reported.push([
        write.path,
        ...[write.before, write.after].map(bytes => Buffer.from(bytes!).toString()),
      ]);
    });
    const document = await vscode.workspace.openTextDocument(path);
    assert.ok(await document.save());
    await end();
    await typeInto(path, 'later ');
    await document.save();
    assert.deepEqual(reported, [[path, 'saved\n', 'typed saved\n']]);
  }),
  ...['\uFEFFone\r\ntwo\r\n', '\uFEFFone\n', 'one\r\ntwo', 'one\r\ntwo\nthree\r', 'one\n\n\n'].map(before =>
    inFolder(`${JSON.stringify(before)} keeps its bytes but for what is changed`, async folder => {
      const path = join(folder, 'a.txt');
      await writeFile(path, before);
      const { text, format } = await files.readText(path);
      await files.writeText(path, text.replace('one', 'ONE'), format, text);
      assert.equal(await readFile(path, 'utf8'), before.replace('one', 'ONE'));
    }),
  ),
  inFolder('UTF-16 stays UTF-16', async folder => {
    const path = join(folder, 'a.txt');
    await writeFile(path, Buffer.from('\uFEFFgrün one\r\n', 'utf16le'));
    const { text, format } = await files.readText(path);
    await files.writeText(path, text.replace('one', 'two'), format, text);
    assert.deepEqual(await readFile(path), Buffer.from('\uFEFFgrün two\r\n', 'utf16le'));
  }),
  inFolder('a change of line endings arrives', async folder => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'one\ntwo\n');
    await files.writeText(path, 'one\r\ntwo\r\n', utf8Format, 'one\ntwo\n');
    assert.equal(await readFile(path, 'utf8'), 'one\r\ntwo\r\n');
  }),
  inFolder('a new file is made with its folders, and not where one stands already', async folder => {
    const path = join(folder, 'deep', 'er', 'a.txt');
    await files.writeText(path, 'new\n', utf8Format, null);
    assert.equal(await readFile(path, 'utf8'), 'new\n');
    await failsAs('changed', files.writeText(path, 'other\n', utf8Format, null));
    assert.equal(await readFile(path, 'utf8'), 'new\n');
  }),
  inFolder('what was written beneath an open document is read and can be written on', async folder => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'one\n');
    await vscode.workspace.openTextDocument(path);
    await writeFile(path, 'two\n');
    await files.writeText(path, 'three\n', utf8Format, 'two\n');
    assert.equal(await readFile(path, 'utf8'), 'three\n');
  }),
  inFolder('permissions of an executable stay', async folder => {
    const path = join(folder, 'run.sh');
    await writeFile(path, 'echo one\n');
    await chmod(path, 0o755);
    await files.writeText(path, 'echo two\n', utf8Format, 'echo one\n');
    assert.equal((await stat(path)).mode & 0o777, 0o755);
  }),
  ...[true, false].map(saves =>
    inFolder(
      `files that are written at the same time are all saved, whether VS Code saves refactorings or not (${saves}), and what is typed elsewhere is not`,
      async folder => {
        const settings = vscode.workspace.getConfiguration('files.refactoring');
        await settings.update('autoSave', saves, vscode.ConfigurationTarget.Global);
        const typed = join(folder, 'typed.txt');
        await writeFile(typed, 'saved\n');
        await typeInto(typed, 'typed ');
        const paths = Array.from({ length: 30 }, (_, at) => join(folder, `${at}.txt`));
        for (const path of paths) await writeFile(path, `old ${path}\n`);
        await typeInto(paths[3]!, 'unsaved ');
        const before = await Promise.all(paths.map(async path => (await files.readText(path)).text));
        const after = before.map(text => text.replace('old', 'new'));
        await Promise.all(
          paths.map((path, at) => files.writeText(path, after[at]!, utf8Format, before[at]!)),
        );
        assert.deepEqual(await Promise.all(paths.map(path => readFile(path, 'utf8'))), after);
        assert.equal(await readFile(typed, 'utf8'), 'saved\n');
        await settings.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
      },
    ),
  ),
  inFolder(
    'of files that are written together one that is typed in meanwhile stays as typed',
    async folder => {
      const paths = ['a', 'b', 'c', 'd'].map(name => join(folder, `${name}.txt`));
      for (const path of paths) await writeFile(path, 'old\n');
      const documents = await Promise.all(paths.map(path => vscode.workspace.openTextDocument(path)));
      const writes = new EditorWriter();
      // The first is under way, and the others wait for it.
      const written = documents.map((document, at) => writes.write(document, 'new\n', paths[at]!));
      await typeInto(paths[2]!, 'typed ');
      assert.deepEqual(await Promise.all(written), [true, true, false, true]);
      assert.deepEqual(
        documents.map(document => document.getText()),
        ['new\n', 'new\n', 'typed old\n', 'new\n'],
      );
      assert.equal(await readFile(paths[2]!, 'utf8'), 'old\n');
      assert.equal(await readFile(paths[3]!, 'utf8'), 'new\n');
    },
  ),
  ...encodingContract.map(({ name, run }) => inFolder(name, root => run({ files, root }))),
  inFolder('the encoding of an open document is that of its file, also for what is unsaved', async folder => {
    const path = join(folder, 'a.txt');
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    // KOI8-R by a guess.
    await writeFile(path, bytes('\xd0\xd2\xc9\xd7\xc5\xd4 \xcd\xc9\xd2\n'));
    const uri = vscode.Uri.file(path);
    const document = await vscode.workspace.openTextDocument(uri, { encoding: 'iso88591' });
    const format = { encoding: 'iso88591', bom: false };
    const text = '\xd0\xd2\xc9\xd7\xc5\xd4 \xcd\xc9\xd2\n';
    assert.deepEqual(await files.readText(path), { text, format });
    await files.writeText(path, `é${text}`, format, text);
    assert.equal(document.getText(), `é${text}`);
    assert.deepEqual(await readFile(path), bytes(`\xe9${text}`));
    await typeInto(path, 'è');
    assert.deepEqual((await files.readText(path)).format, format);
    await failsAs('unencodable', files.writeText(path, '漢', format));
    await files.writeText(path, `è${text}`, format, `èé${text}`);
    assert.deepEqual(await readFile(path), bytes(`\xe8${text}`));
  }),
  ...notebookEditorContract.map(({ name, run }) =>
    inFolder(name, folder =>
      run({
        files,
        async open(text) {
          const path = join(folder, 'a.ipynb');
          await writeFile(path, text);
          const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
          await vscode.window.showNotebookDocument(notebook, { preview: false });
          return path;
        },
        type: typeIntoCell,
        readDisk: path => readFile(path, 'utf8'),
      }),
    ),
  ),
];

function inFolder(name: string, check: (folder: string) => Promise<void>): ApiCase {
  return {
    name,
    async run() {
      const folder = await files.realPath(await mkdtemp(join(tmpdir(), 'folio-files-')));
      try {
        await check(folder);
      } finally {
        await forgetDocuments(folder);
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Changes the document as a user would, without saving. */
async function typeInto(path: string, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(path);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
  assert.ok(document.isDirty);
}

async function typeIntoCell(path: string, index: number, text: string): Promise<void> {
  const notebook = vscode.workspace.notebookDocuments.find(({ uri }) => uri.fsPath === path);
  assert.ok(notebook, `${path} is not open as a notebook`);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(notebook.cellAt(index).document.uri, new vscode.Position(0, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
  assert.ok(notebook.isDirty);
}

/** A dirty document would ask to be saved when its window closes. */
async function forgetDocuments(folder: string): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.uri.fsPath.startsWith(folder)) continue;
    if (document.isDirty) await document.save();
  }
  for (const notebook of vscode.workspace.notebookDocuments) {
    if (notebook.uri.fsPath.startsWith(folder) && notebook.isDirty) await notebook.save();
  }
}

async function failsAs(kind: FileError['kind'], action: Promise<void>): Promise<void> {
  await assert.rejects(action, (error: unknown) => error instanceof FileError && error.kind === kind);
}
