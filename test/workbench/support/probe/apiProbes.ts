import { join } from 'node:path';
import * as vscode from 'vscode';
import { VscodeLanguages } from '../../../../src/extension/vscode/ports/vscodeLanguages.ts';
import { apiCases } from '../../../api/cases.ts';
import { clearWindow } from './clearWindow.ts';
import { debugFailing } from './failingProgram.ts';
import { failTest, offerTests } from './failingTest.ts';
import { offeredRequests, offerModel } from './languageModel.ts';
import { findLate } from './lateProblems.ts';
import type { ProbedTab, Probes } from './probes.ts';

const languages = new VscodeLanguages();
let offered: vscode.Disposable | undefined;

export function probesOf({ storageUri }: vscode.ExtensionContext): Probes {
  return {
    ...probes,
    async clearWindow() {
      if (storageUri === undefined) throw new Error('A window without a folder is not shared.');
      await clearWindow(join(storageUri.fsPath, '..', 'folio.folio', 'sessions'));
    },
  };
}

const probes: Omit<Probes, 'clearWindow'> = {
  async askLanguages(question) {
    const { signal } = new AbortController();
    switch (question.kind) {
      case 'outline':
        return await languages.outline(question.path, signal);
      case 'declaring':
        return await languages.findDeclaringFiles(question.name, signal);
      case 'follow':
        return await languages.follow(question.point, question.relation, signal);
      case 'rename':
        return await languages.rename(question.point, question.newName, signal);
      case 'offer':
        return await languages.offer(question.place, signal);
    }
  },

  async settleLanguages() {
    await languages.settle();
    return languages.isAvailable;
  },

  async executeCommand(command, ...args) {
    return await vscode.commands.executeCommand(command, ...args);
  },

  async openNotebook(path) {
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    await vscode.window.showNotebookDocument(notebook, { preview: false });
  },

  async readNotebook(path) {
    const notebook = vscode.workspace.notebookDocuments.find(({ uri }) => uri.fsPath === path);
    if (!notebook) throw new Error(`${path} is not open as a notebook.`);
    const cells = notebook
      .getCells()
      .map(({ document, outputs }) => ({ source: document.getText(), outputs: outputs.length }));
    return { isDirty: notebook.isDirty, cells };
  },

  async typeInCell(path, index, text) {
    const notebook = vscode.workspace.notebookDocuments.find(({ uri }) => uri.fsPath === path);
    if (!notebook) throw new Error(`${path} is not open as a notebook.`);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notebook.cellAt(index).document.uri, new vscode.Position(0, 0), text);
    await vscode.workspace.applyEdit(edit);
  },

  async openFile(path, line = 1, character = 1) {
    const place = new vscode.Position(line - 1, character - 1);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    await vscode.window.showTextDocument(document, {
      selection: new vscode.Range(place, place),
      preview: false,
    });
  },

  async readDocument(path) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    const { isDirty, languageId, version } = document;
    return { text: document.getText(), isDirty, languageId, version };
  },

  async insertText(path, line, text) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    const done = await editor.edit(edit => edit.insert(new vscode.Position(line - 1, 0), text));
    if (!done) throw new Error(`The editor refused the change of ${path}.`);
  },

  async selectLines(path, first, last) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    const selection = new vscode.Range(first - 1, 0, last, 0);
    await vscode.window.showTextDocument(document, { selection, preview: false });
  },

  debugFailing,
  failTest,
  offerTests: async path => offerTests(path),
  findProblemsLate: async (seed, slowest) => findLate(seed, slowest),

  async linkAddress(rest) {
    const own = vscode.Uri.parse(`${vscode.env.uriScheme}://${rest}`);
    return (await vscode.env.asExternalUri(own)).toString(true);
  },

  // The loop that answers does it, since the answer has to arrive before.
  async crash() {},

  async listEditors() {
    return vscode.window.visibleTextEditors.map(editor => ({
      uri: editor.document.uri.toString(),
      isActive: editor === vscode.window.activeTextEditor,
    }));
  },

  async listTabs() {
    return vscode.window.tabGroups.all.flatMap(group =>
      group.tabs.map(tab => ({
        label: tab.label,
        kind: kindOf(tab),
        isActive: tab.isActive,
        group: group.viewColumn,
      })),
    );
  },

  async listTerminals() {
    return vscode.window.terminals.map(({ name, exitStatus }) => ({ name, exitCode: exitStatus?.code }));
  },

  async readDiagnostics(path) {
    return vscode.languages.getDiagnostics(vscode.Uri.file(path)).map(({ message, range, severity }) => ({
      message,
      line: range.start.line + 1,
      severity,
    }));
  },

  async readExtension(id) {
    const extension = vscode.extensions.getExtension(id);
    return {
      isInstalled: extension !== undefined,
      isActive: extension?.isActive ?? false,
      appRoot: vscode.env.appRoot,
      vscodeVersion: vscode.version,
      isTrusted: vscode.workspace.isTrusted,
    };
  },

  async listRegistered() {
    await vscode.extensions.getExtension('folio.folio')?.activate();
    const commands = await vscode.commands.getCommands(true);
    return { commands, tools: vscode.lm.tools.map(({ name }) => name) };
  },

  async writeSetting(name, value) {
    const settings = vscode.workspace.getConfiguration();
    await settings.update(name, value ?? undefined, vscode.ConfigurationTarget.Global);
  },

  async offerLanguageModel(file) {
    offered?.dispose();
    offered = offerModel(file);
  },

  async listModelRequests() {
    return offeredRequests();
  },

  async withdrawLanguageModel() {
    offered?.dispose();
  },

  async invokeTool(name, input) {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  },

  async listApiCases() {
    return apiCases.map(({ name }) => name);
  },

  async runApiCase(name) {
    const found = apiCases.find(each => each.name === name);
    if (found === undefined) throw new Error(`There is no case "${name}".`);
    try {
      await found.run();
      return null;
    } catch (error) {
      return String(error);
    }
  },
};

function kindOf(tab: vscode.Tab): ProbedTab['kind'] {
  if (tab.input instanceof vscode.TabInputTextDiff) return 'diff';
  if (tab.input instanceof vscode.TabInputText) return 'text';
  return 'other';
}
