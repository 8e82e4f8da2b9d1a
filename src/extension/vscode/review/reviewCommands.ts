import {
  commands,
  Location,
  Position,
  Range,
  Selection,
  TextEditorRevealType,
  Uri,
  window,
  workspace,
} from 'vscode';
import { describeFileMode } from '../../../protocol/changes.ts';
import { t } from '../../../protocol/language.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord } from '../../base/record.ts';
import type { Log } from '../../platform/log.ts';
import { lineOfUnit } from '../../review/asLines.ts';
import { pendingChanges } from '../../review/fileMode.ts';
import type { Hunk } from '../../review/hunk.ts';
import { registerCommands } from '../features/commands.ts';
import { notify } from '../features/report.ts';
import type { ActiveReviews } from './activeReviews.ts';
import { activeCell, showCell } from './cellDecisions.ts';
import { adjacentHunk, anchorLine, type FileHunk, hunkAt } from './hunkPlaces.ts';
import type { OriginalDocuments } from './originalDocuments.ts';
import type { RealPathMapper } from './realPathMapper.ts';
import { type RejectPorts, rejectSelection, reportProblems } from './rejecting.ts';

interface ReviewCommandParts {
  readonly reviews: ActiveReviews;
  readonly names: RealPathMapper;
  readonly bases: OriginalDocuments;
  readonly rejecting: RejectPorts;
  readonly log: Log;
}

export function registerReviewCommands(parts: ReviewCommandParts): Disposable {
  const { reviews, bases, rejecting, log } = parts;
  return registerCommands(log, {
    'folio.review.acceptHunk': (argument?: unknown) => acceptHunk(parts, argument),
    'folio.review.rejectHunk': async (argument?: unknown) => {
      const found = findHunk(parts, argument);
      if (!found) return reportNoHunk();
      await rejectSelection(reviews.ledger, { path: found.path, hunkId: found.hunk.id }, rejecting);
      const stays = findHunk(parts, { path: found.path, hunkId: found.hunk.id }) !== undefined;
      if (!stays && !parseCommandPlace(argument)) await showNextInFile(parts, found.path);
    },
    'folio.review.nextHunk': (argument?: unknown) => go(parts, argument, 'next'),
    'folio.review.previousHunk': (argument?: unknown) => go(parts, argument, 'previous'),
    'folio.review.acceptFile': (argument?: unknown) => {
      const path = findFile(parts, argument);
      if (path === undefined) return reportNoFile();
      reviews.ledger?.accept({ path });
    },
    'folio.review.rejectFile': (argument?: unknown) => {
      const path = findFile(parts, argument);
      return path === undefined ? reportNoFile() : rejectSelection(reviews.ledger, { path }, rejecting);
    },
    'folio.review.acceptAll': () => (hasPending(parts) ? reviews.ledger?.accept({}) : reportNothing()),
    'folio.review.rejectAll': () =>
      hasPending(parts) ? rejectSelection(reviews.ledger, {}, rejecting) : reportNothing(),
    'folio.review.bringBackLastRejected': async () => {
      const { ledger, lastRejected } = reviews;
      if (!ledger || !lastRejected) return notify(t('There is no rejected change to bring back.'));
      const { path, hunkId } = lastRejected;
      reportProblems(await ledger.bringBack(path, hunkId), ledger, rejecting);
      await reveal(parts, findHunk(parts, lastRejected));
    },
    'folio.review.peekHunk': (argument?: unknown) => peek(parts, argument),
    'folio.review.openFileChanges': async (argument?: unknown) => {
      const path = findFile(parts, argument);
      if (path === undefined) return reportNoFile();
      await bases.openDiff(path, findHunk(parts, argument)?.hunk.id);
    },
  });
}

async function acceptHunk(parts: ReviewCommandParts, argument: unknown): Promise<void> {
  const found = findHunk(parts, argument);
  if (found) parts.reviews.ledger?.accept({ path: found.path, hunkId: found.hunk.id });
  else reportNoHunk();
  if (found && !parseCommandPlace(argument)) await showNextInFile(parts, found.path);
}

/** After a decision by keyboard, moves to the next hunk. With the mouse, the user is at the next lens already. */
async function showNextInFile(parts: ReviewCommandParts, path: string): Promise<void> {
  const review = parts.reviews.pendingIn(path);
  const here = cursorPlace(parts);
  if (!review || here?.path !== path) return;
  const next = adjacentHunk([{ path, review }], { path, line: here.line - 1 }, 'next');
  await reveal(parts, next);
}

async function go(
  parts: ReviewCommandParts,
  argument: unknown,
  direction: 'next' | 'previous',
): Promise<void> {
  const { pending } = parts.reviews;
  const place = parseCommandPlace(argument);
  const from = place ? findHunk(parts, argument) : undefined;
  const here = from ? { path: from.path, line: anchorLine(from.review, from.hunk) } : cursorPlace(parts);
  const found = adjacentHunk(pending, here, direction);
  if (!found) return reportNothing();
  await reveal(parts, found);
}

/** Reveals the hunk, in the focused editor if it shows this file already, possibly as a diff. */
async function reveal(parts: ReviewCommandParts, found: FileHunk | undefined): Promise<void> {
  const { names, reviews } = parts;
  if (!found) return;
  const hunk = reviews.ledger?.review(found.path)?.hunks.find(({ id }) => id === found.hunk.id);
  const notebook = workspace.notebookDocuments.find(({ uri }) => names.toRealPath(uri) === found.path);
  if (notebook && hunk) return showCell(notebook, hunk.start);
  const editor = window.activeTextEditor;
  if (editor && names.toRealPath(editor.document.uri) === found.path) return select(found);
  const line = anchorLine(found.review, found.hunk);
  const selection = new Range(line, 0, line, 0);
  await commands.executeCommand('vscode.open', names.uriOf(found.path), { selection, preview: true });
}

function select({ review, hunk }: FileHunk): void {
  const line = anchorLine(review, hunk);
  const editor = window.activeTextEditor;
  if (!editor) return;
  const place = new Position(line, 0);
  editor.selection = new Selection(place, place);
  editor.revealRange(new Range(place, place), TextEditorRevealType.InCenterIfOutsideViewport);
}

async function peek(parts: ReviewCommandParts, argument: unknown): Promise<void> {
  const { names, bases } = parts;
  const found = findHunk(parts, argument);
  if (!found) return reportNoHunk();
  const { path, review, hunk } = found;
  const { mode } = review;
  if (mode && hunk === mode) return notify(t('The file {0}.', describeFileMode(mode.executable)));
  if (hunk.baseCount === 0) return notify(t('Nothing was removed here: these lines are new.'));
  const before = new Range(hunk.baseStart, 0, hunk.baseStart + hunk.baseCount - 1, 0);
  const place = new Position(anchorLine(review, hunk), 0);
  const locations = [new Location(bases.uriOf(path), before)];
  await commands.executeCommand('editor.action.peekLocations', names.uriOf(path), place, locations, 'peek');
}

/** Finds the hunk in the argument, else at the cursor. */
function findHunk(parts: ReviewCommandParts, argument: unknown): FileHunk | undefined {
  const { reviews } = parts;
  const place = parseCommandPlace(argument);
  const here = place ? undefined : cursorPlace(parts);
  const path = place?.path ?? here?.path;
  const review = reviews.pendingIn(path);
  if (path === undefined || !review) return undefined;
  const named = (hunk: Hunk) => hunk.id === place?.hunkId;
  const hunk = here ? hunkAt(review, here.line) : pendingChanges(review).find(named);
  return hunk && { path, review, hunk };
}

/** Finds the file in the argument, possibly a URI, else that of the active editor. */
function findFile(parts: ReviewCommandParts, argument: unknown): string | undefined {
  const { reviews, names } = parts;
  const named = argument instanceof Uri ? names.toRealPath(argument) : parseCommandPlace(argument)?.path;
  const path = named ?? cursorPlace(parts)?.path;
  return reviews.pendingIn(path) ? path : undefined;
}

/** In a notebook editor the cell is the place, even if its text is not focused. */
function cursorPlace({ names, reviews }: ReviewCommandParts): { path: string; line: number } | undefined {
  const cell = activeCell();
  if (cell) {
    const path = names.toRealPath(cell.uri);
    const review = path === undefined ? undefined : reviews.ledger?.review(path);
    return path === undefined ? undefined : { path, line: review ? lineOfUnit(review, cell.unit) : 0 };
  }
  const editor = window.activeTextEditor;
  const path = editor && names.toRealPath(editor.document.uri);
  return editor && path !== undefined ? { path, line: editor.selection.active.line } : undefined;
}

function hasPending({ reviews }: ReviewCommandParts): boolean {
  return reviews.pending.length > 0;
}

function reportNoHunk(): void {
  notify(t('There is no change by Folio at the cursor. "Folio: Next Change" goes to one.'));
}

function reportNoFile(): void {
  notify(t('This file has no changes by Folio to review.'));
}

function reportNothing(): void {
  notify(t('There are no changes by Folio to review.'));
}

/** The file or hunk that a command applies to. Key bindings and the palette pass none: then the one at the cursor. */
interface CommandPlace {
  readonly path: string;
  readonly hunkId?: number;
}

/** Lenses and links pass a place. A button in an editor's title passes the file's URI, which is none. */
function parseCommandPlace(argument: unknown): CommandPlace | undefined {
  // A URI also has a path, but more members.
  if (!isRecord(argument) || 'scheme' in argument) return undefined;
  const { path, hunkId } = argument;
  if (typeof path !== 'string') return undefined;
  if (hunkId === undefined) return { path };
  return typeof hunkId === 'number' ? { path, hunkId } : undefined;
}
