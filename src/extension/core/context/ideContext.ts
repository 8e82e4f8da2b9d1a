import { relative, sep } from 'node:path';
import type { ActiveFile, EditorContext } from '../../platform/editor.ts';
import { contains } from '../paths.ts';

/**
 * What the person has before them, as text for the model: whole at first, then only what changed. Whoever calls
 * `next` puts the text into the user message of a prompt, never between a call and its result.
 *
 * Format, one fact a line; selected lines are marked, so that none of them can end the block or pass for a fact:
 *
 *     <editor>
 *     active: src/invoice.ts
 *     cursor: 12:5
 *     selection:
 *     | const total = 0;
 *     open: src/tax.ts
 *     edited: src/tax.ts
 *     </editor>
 */
export class IdeContext {
  private readonly folder: string | undefined;
  private told: EditorContext | undefined;

  /** Tools take relative paths from the first folder, so only paths below that one are shown relative. */
  constructor(folders: readonly string[]) {
    this.folder = folders[0];
  }

  /** `undefined` when there is nothing to tell. What is returned counts as told. */
  next(context: EditorContext): string | undefined {
    const now = bounded(context);
    const lines = this.told === undefined ? this.whole(now) : this.changes(this.told, now);
    const heading = this.told === undefined ? wholeHeading : changeHeading;
    this.told = now;
    return lines.length === 0 ? undefined : ['<editor>', heading, ...lines, '</editor>'].join('\n');
  }

  /** The history no longer holds what was told: the next text is whole again. */
  reset(): void {
    this.told = undefined;
  }

  private whole(now: EditorContext): string[] {
    return [
      ...this.activeLines(now.active),
      ...now.open.map(path => `open: ${this.show(path)}`),
      ...editedIn(now).map(path => `edited: ${this.show(path)}`),
    ];
  }

  private changes(before: EditorContext, now: EditorContext): string[] {
    return [
      ...this.activeChanges(before.active, now.active),
      ...missingFrom(before.open, now.open).map(path => `opened: ${this.show(path)}`),
      ...missingFrom(now.open, before.open).map(path => `closed: ${this.show(path)}`),
      // One that others pushed off the list was edited all the same, so nothing is taken back.
      ...missingFrom(editedIn(before), editedIn(now)).map(path => `edited: ${this.show(path)}`),
    ];
  }

  private activeChanges(before: ActiveFile | undefined, now: ActiveFile | undefined): string[] {
    if (now === undefined) return before === undefined ? [] : ['active: none'];
    if (before?.path !== now.path) return this.activeLines(now);
    const moved = before.cursor.line !== now.cursor.line || before.cursor.character !== now.cursor.character;
    const selected = before.selection !== now.selection;
    return [...(moved ? [cursorLine(now)] : []), ...(selected ? selectionLines(now.selection) : [])];
  }

  private activeLines(active: ActiveFile | undefined): string[] {
    if (active === undefined) return [];
    const selection = active.selection === undefined ? [] : selectionLines(active.selection);
    return [`active: ${this.show(active.path)}`, cursorLine(active), ...selection];
  }

  /** A name with line breaks or other oddities is quoted, so that it stays on its line. */
  private show(path: string): string {
    const inside = this.folder !== undefined && contains(this.folder, path);
    const shown = inside ? relative(this.folder, path).split(sep).join('/') : path;
    return /^["\s]|[\p{Cc}\u2028\u2029]|\s$|^none$/u.test(shown) ? JSON.stringify(shown) : shown;
  }
}

const wholeHeading = '(The state of the editor. Context, not a request.)';
const changeHeading = '(What changed in the editor. Context, not a request.)';

const selectionLimit = 16_384;
const openLimit = 10;
const editedLimit = 10;

/** The port promises these bounds; the prompt depends on them. An empty selection is none. */
function bounded({ active, ...files }: EditorContext): EditorContext {
  const open = files.open.slice(0, openLimit);
  const edited = editedIn(files).slice(0, editedLimit);
  if (active === undefined) return { open, edited };
  const { path, cursor } = active;
  const selection = active.selection?.slice(0, selectionLimit) || undefined;
  const file: ActiveFile = selection === undefined ? { path, cursor } : { path, cursor, selection };
  return { active: file, open, edited };
}

function editedIn({ edited = [] }: EditorContext): readonly string[] {
  return edited;
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
