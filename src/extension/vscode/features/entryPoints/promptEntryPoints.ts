/* Implements the commands of registerEntryPoints.ts. Loaded on first use. */

import {
  type Comment,
  commands,
  type Diagnostic,
  DiagnosticSeverity,
  env,
  FileType,
  languages,
  type SourceControlResourceState,
  type TestItem,
  type TestMessage,
  type TextEditor,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Attachment } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { headOf } from '../../../base/text.ts';
import { formatMention } from '../../../core/mentions/formatMention.ts';
import type { Workbench } from '../../../platform/workbench.ts';
import {
  explainPrompt,
  findConflicts,
  fixCommandPrompt,
  fixPrompt,
  fixTestPrompt,
  type Problem,
  resolveConflictPrompt,
  reviewPrompt,
  selectionPrompts,
  stoppedProgramPrompt,
  terminalSelectionSnippet,
} from './actionTexts.ts';
import { LineInput } from './lineInput.ts';
import {
  attachLines,
  attachRange,
  attachSelected,
  codeLimit,
  fileAttachment,
  pathOf,
  rangeOfSelected,
  type SelectedCode,
} from './pointedCode.ts';
import { readPromptLink } from './promptLink.ts';
import type { PromptSender } from './promptSender.ts';

/** Lines of context around a problem. */
const around = 3;

export class PromptEntryPoints implements Disposable {
  private readonly input = new LineInput();
  private readonly door: PromptSender;
  private readonly workbench: Pick<Workbench, 'lastCommand'>;

  constructor(door: PromptSender, workbench: Pick<Workbench, 'lastCommand'>) {
    this.door = door;
    this.workbench = workbench;
  }

  dispose(): void {
    this.input.dispose();
  }

  /** For key bindings and tasks: `{ "prompt": "…" }` is sent; with `"draft": true` it stays in the composer. */
  async send(given: unknown): Promise<void> {
    if (!isSending(given))
      return notify(t('folio.send takes { "prompt": "…" }, and "draft": true to leave it unsent.'));
    if (given.draft) await this.door.draft(given.prompt);
    else await this.door.ask(given.prompt);
  }

  /** Never sends the prompt of a link unasked. */
  async openLink({ path, query }: Uri): Promise<void> {
    const link = readPromptLink(path, query);
    if (link.kind === 'refused') return notify(link.sentence);
    await this.door.draft(link.text, [], t('This prompt came from a link. Read it before you send it.'));
  }

  /** Attaches the selection in the editor, or the whole file if nothing is selected. */
  async addSelection(): Promise<void> {
    const editor = window.activeTextEditor;
    if (!editor) return notify(t('Open a file and select what Folio should look at.'));
    const { document, selection } = editor;
    const isWhole = selection.isEmpty && document.uri.scheme === 'file';
    await this.door.attach([isWhole ? fileAttachment(document.uri) : attachSelected(editor)]);
  }

  /** @param uris all selected items of the explorer, including `uri` */
  async addFiles(uri: Uri | undefined, uris: readonly Uri[] | undefined): Promise<void> {
    const wanted = uris && uris.length > 0 ? uris : uri ? [uri] : activeUris();
    const inside = wanted.filter(each => workspace.getWorkspaceFolder(each) !== undefined);
    if (inside.length === 0)
      return notify(t('Only files and folders of the workspace can be added to the prompt.'));
    const files: Attachment[] = [];
    const folders: string[] = [];
    for (const each of inside) {
      const { type } = await workspace.fs.stat(each);
      if (type & FileType.Directory) folders.push(formatMention(`${pathOf(each)}/`));
      else files.push(fileAttachment(each));
    }
    await this.door.attach(files);
    if (folders.length > 0) await this.door.draft(`${folders.join(' ')} `);
  }

  fixProblem(uri?: Uri, found?: readonly Diagnostic[]): Promise<void> {
    return this.aboutProblems(uri, found, (path, problems, code) =>
      this.door.ask(fixPrompt(path, problems), code),
    );
  }

  explainProblem(uri?: Uri, found?: readonly Diagnostic[]): Promise<void> {
    return this.aboutProblems(uri, found, (path, problems, code) =>
      this.door.ask(explainPrompt(path, problems), code),
    );
  }

  addProblem(uri?: Uri, found?: readonly Diagnostic[]): Promise<void> {
    return this.aboutProblems(uri, found, (path, problems, code) =>
      this.door.draft(fixPrompt(path, problems), code),
    );
  }

  async editSelection(): Promise<void> {
    const editor = editorWithCode();
    if (editor) this.input.open(editor.document, rangeOfSelected(editor));
  }

  async sendEdit(written: Comment): Promise<void> {
    const said = this.input.take(written);
    if (said) await this.door.ask(said.text, [attachRange(said.document, said.range)]);
  }

  async closeEdit(): Promise<void> {
    this.input.close();
    await commands.executeCommand('workbench.action.focusActiveEditorGroup');
  }

  async askAboutSelection(what: keyof typeof selectionPrompts): Promise<void> {
    const selected = selectedCode();
    if (selected) await this.door.ask(selectionPrompts[what], [selected]);
  }

  async fixTerminal(): Promise<void> {
    const last = this.workbench.lastCommand();
    if (!last)
      return notify(
        t(
          "Folio found no terminal command. Turn on VS Code's shell integration, then run the command again.",
        ),
      );
    await this.door.ask(fixCommandPrompt(last.command, last.exitCode));
  }

  /** VS Code copies a terminal's selection only to the clipboard, whose content is then restored. */
  async addTerminalSelection(): Promise<void> {
    const before = await env.clipboard.readText();
    await env.clipboard.writeText('');
    await commands.executeCommand('workbench.action.terminal.copySelection');
    const selected = await env.clipboard.readText();
    await env.clipboard.writeText(before);
    if (selected.trim() === '') return notify(t('Select something in a terminal first.'));
    await this.door.draft(
      terminalSelectionSnippet(window.activeTerminal?.name ?? '', headOf(selected, codeLimit)),
    );
  }

  async reviewChanges(): Promise<void> {
    await this.door.ask(reviewPrompt);
  }

  /** @param states the selected files in source control; if none, the file in the editor */
  async resolveConflicts(states: readonly SourceControlResourceState[]): Promise<void> {
    const uris = states.map(({ resourceUri }) => resourceUri).filter(uri => uri instanceof Uri);
    const wanted = uris.length > 0 ? uris : activeUris();
    const documents = await Promise.all(wanted.map(uri => workspace.openTextDocument(uri)));
    const files = documents.flatMap(document => {
      const conflicts = findConflicts(document.getText());
      return conflicts ? [{ ...conflicts, mention: formatMention(pathOf(document.uri)) }] : [];
    });
    if (files.length > 0) await this.door.ask(resolveConflictPrompt(files));
    else
      await notify(t('No Git conflict found. Open a file with a conflict, or choose one in Source Control.'));
  }

  /** @param given a test, or one of its messages with the test, as passed by VS Code's menus */
  async fixTest(given: unknown): Promise<void> {
    const { test, message } = testOf(given);
    if (!test) return notify(t('Choose a failed test in the view of tests.'));
    const uri = message?.location?.uri ?? test.uri;
    const line = (message?.location?.range ?? test.range)?.start.line ?? 0;
    await this.door.ask(
      fixTestPrompt({
        name: test.label,
        place: uri && { path: pathOf(uri), line: line + 1 },
        message: message === undefined ? '' : markdownText(message.message),
        expected: message?.expectedOutput,
        actual: message?.actualOutput,
      }),
    );
  }

  async fixStopped(): Promise<void> {
    const { readStoppedProgram } = await import('./stoppedProgram.ts');
    const stopped = await readStoppedProgram(pathOfSource);
    if (stopped) await this.door.ask(stoppedProgramPrompt(stopped));
    else await notify(t('No program is paused in the debugger.'));
  }

  private async aboutProblems(
    uri: Uri | undefined,
    found: readonly Diagnostic[] | undefined,
    act: (path: string, problems: readonly Problem[], code: readonly Attachment[]) => Promise<void>,
  ): Promise<void> {
    const editor = window.activeTextEditor;
    const place = uri ?? editor?.document.uri;
    const diagnostics = found ?? (editor ? problemsAt(editor) : []);
    if (!place || diagnostics.length === 0) return notify(t('There is no problem at the cursor.'));
    const document = await workspace.openTextDocument(place);
    const whole = diagnostics.map(({ range }) => range).reduce((all, each) => all.union(each));
    await act(pathOf(place), diagnostics.map(problemOf), [attachLines(document, whole, around)]);
  }
}

/** Finds problems that touch the selection, else those on its lines. */
function problemsAt({ document, selection }: TextEditor): readonly Diagnostic[] {
  const all = languages.getDiagnostics(document.uri);
  const touching = all.filter(({ range }) => range.intersection(selection));
  if (touching.length > 0) return touching;
  return all.filter(
    ({ range }) => range.start.line <= selection.end.line && range.end.line >= selection.start.line,
  );
}

function activeUris(): readonly Uri[] {
  const { activeTextEditor } = window;
  return activeTextEditor ? [activeTextEditor.document.uri] : [];
}

function problemOf({ severity, message, source, code, range, relatedInformation }: Diagnostic): Problem {
  const number = typeof code === 'object' ? code.value : code;
  return {
    severity: DiagnosticSeverity[severity],
    message,
    found: [source, number].filter(each => each !== undefined).join(' '),
    line: range.start.line + 1,
    related: (relatedInformation ?? []).map(({ location, message }) => ({
      path: pathOf(location.uri),
      line: location.range.start.line + 1,
      message,
    })),
  };
}

function selectedCode(): SelectedCode | undefined {
  const editor = editorWithCode();
  return editor && attachSelected(editor);
}

function editorWithCode(): TextEditor | undefined {
  const editor = window.activeTextEditor;
  if (!editor) void notify(t('Open a file and select what Folio should look at.'));
  return editor;
}

/** @param source a path, or a URI if debugger and window are on different machines */
function pathOfSource(source: string): string {
  return pathOf(Uri.file(/^[a-z][\w+.-]+:\/\//i.test(source) ? Uri.parse(source).path : source));
}

function testOf(given: unknown): { readonly test?: TestItem; readonly message?: TestMessage } {
  if (typeof given !== 'object' || given === null) return {};
  if ('message' in given && 'test' in given) return given as { test: TestItem; message: TestMessage };
  return 'label' in given ? { test: given as TestItem } : {};
}

function markdownText(message: TestMessage['message']): string {
  return typeof message === 'string' ? message : message.value;
}

function isSending(given: unknown): given is { readonly prompt: string; readonly draft?: boolean } {
  if (typeof given !== 'object' || given === null || !('prompt' in given)) return false;
  return typeof given.prompt === 'string' && given.prompt.trim() !== '';
}

async function notify(sentence: string): Promise<void> {
  void window.showInformationMessage(sentence);
}
