import { relative, sep } from 'node:path';
import { t } from '../../../protocol/language.ts';
import type { Mention } from '../../../protocol/mentions.ts';
import { headOf } from '../../base/text.ts';
import type { ActiveFile, EditorContext } from '../../platform/editor.ts';
import { folderContains } from '../folderPaths.ts';

/**
 * Describes what the user sees in the editor: everything at first, then only changes. The caller of `next` puts the
 * text into a prompt, never between a call and its result.
 *
 * Format, one fact per line. Selected lines are marked, so that none can end the block or look like a fact:
 *
 *     <editor>
 *     active: src/invoice.ts
 *     cursor: 12:5
 *     selection:
 *     | const total = 0;
 *     open: src/tax.ts
 *     more open: 3
 *     edited: src/tax.ts
 *     </editor>
 *
 * Every line is true when sent. The first text uses the same lines, as a change from an editor without files. The
 * active file counts as open until a line tells that it was closed.
 */
export class IdeContext {
  private readonly folder: string | undefined;
  private reported: EditorSnapshot | undefined;

  /** Relative paths of tools start at the first folder, so only paths below it are shown relative. */
  constructor(folders: readonly string[]) {
    this.folder = folders[0];
  }

  /** Returns `undefined` if nothing changed. The caller must send the text. */
  next(context: EditorContext): string | undefined {
    const before = this.reported ?? emptyEditor;
    const now = editorSnapshot(context, before.open);
    const heading = this.reported === undefined ? wholeHeading : changeHeading;
    const lines = this.changes(before, now);
    this.reported = now;
    return lines.length === 0 ? undefined : ['<editor>', heading, ...lines, '</editor>'].join('\n');
  }

  /** The next text is complete again, since the history lost earlier ones. */
  reset(): void {
    this.reported = undefined;
  }

  /** The selected lines that the model knows, for the prompt sent with them. */
  get selection(): Mention | undefined {
    const { path, selection, selectedLines: lines } = this.reported?.active ?? {};
    if (path === undefined || selection === undefined || lines === undefined) return undefined;
    const isCut = selection.length === selectionLimit;
    const shown = this.inFolder(path);
    return {
      text: shown,
      kind: 'file',
      outcome: isCut ? 'cut' : 'read',
      detail: t('Selected in the editor'),
      path: shown,
      lines,
    };
  }

  private changes(before: EditorSnapshot, now: EditorSnapshot): string[] {
    const listed = missingFrom(before.open, now.open).filter(path => path !== now.active?.path);
    return [
      ...this.activeChanges(before.active, now.active),
      ...listed.map(path => `open: ${this.show(path)}`),
      ...missingFrom(now.open, before.open).map(path => `closed: ${this.show(path)}`),
      ...(now.unlisted === before.unlisted ? [] : [`more open: ${now.unlisted}`]),
      // Recently edited files beyond the limit of the list count as unchanged.
      ...missingFrom(before.edited, now.edited).map(path => `edited: ${this.show(path)}`),
    ];
  }

  private activeChanges(before: ActiveFile | undefined, now: ActiveFile | undefined): string[] {
    if (now === undefined) return before === undefined ? [] : ['active: none'];
    if (before?.path !== now.path) {
      const selection = now.selection === undefined ? [] : selectionLines(now.selection);
      return [`active: ${this.show(now.path)}`, cursorLine(now), ...selection];
    }
    const moved = before.cursor.line !== now.cursor.line || before.cursor.character !== now.cursor.character;
    const selected = before.selection !== now.selection;
    return [...(moved ? [cursorLine(now)] : []), ...(selected ? selectionLines(now.selection) : [])];
  }

  /** Quotes unusual names, for example with line breaks, so that they stay on one line. */
  private show(path: string): string {
    const shown = this.inFolder(path);
    return /^["\s]|[\p{Cc}\u2028\u2029]|\s$|^none$/u.test(shown) ? JSON.stringify(shown) : shown;
  }

  private inFolder(path: string): string {
    const isInside = this.folder !== undefined && folderContains(this.folder, path);
    return isInside ? relative(this.folder, path).split(sep).join('/') : path;
  }
}

const wholeHeading = '(The state of the editor. Context, not a request.)';
const changeHeading = '(What changed in the editor. Context, not a request.)';

const selectionLimit = 16_384;
const openLimit = 10;
const editedLimit = 10;

/** The editor's state as the model knows it. */
interface EditorSnapshot {
  readonly active: ActiveFile | undefined;
  /** Listed files, including the active one. */
  readonly open: readonly string[];
  /** Number of open files that are not listed. */
  readonly unlisted: number;
  readonly edited: readonly string[];
}

const emptyEditor: EditorSnapshot = { active: undefined, open: [], unlisted: 0, edited: [] };

/**
 * Lists the most recently used files. A listed file stays while it is open, since omitting it would look as if it was
 * closed.
 */
function editorSnapshot(
  { active, open, edited = [] }: EditorContext,
  listedBefore: readonly string[],
): EditorSnapshot {
  const all = new Set(active === undefined ? open : [active.path, ...open]);
  const kept = listedBefore.filter(path => all.has(path));
  const listed = new Set([...kept, ...[...all].slice(0, openLimit)]);
  return {
    active: active && boundedFile(active),
    open: [...listed],
    unlisted: all.size - listed.size,
    edited: edited.slice(0, editedLimit),
  };
}

/** Treats an empty selection as none. */
function boundedFile({ path, cursor, selection, selectedLines }: ActiveFile): ActiveFile {
  return { path, cursor, selectedLines, selection: headOf(selection ?? '', selectionLimit) || undefined };
}

function cursorLine({ cursor }: ActiveFile): string {
  return `cursor: ${cursor.line}:${cursor.character}`;
}

function selectionLines(selection: string | undefined): string[] {
  if (selection === undefined) return ['selection: none'];
  return ['selection:', ...selection.split('\n').map(line => `| ${line}`)];
}

function missingFrom(known: readonly string[], paths: readonly string[]): string[] {
  return paths.filter(path => !known.includes(path));
}
