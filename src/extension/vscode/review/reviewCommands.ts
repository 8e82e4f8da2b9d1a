import { commands, Location, Position, Range, Selection, TextEditorRevealType, Uri, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { Hunk } from '../../review/fileReview.ts';
import { registerCommands } from '../features/commands.ts';
import type { ActiveReviews } from './activeReviews.ts';
import type { BaseDocuments } from './baseDocuments.ts';
import type { FileNames } from './fileNames.ts';
import { parseCommandPlace } from './hunkArguments.ts';
import { firstLine, type HunkOf, hunkAt, neighbour } from './hunkPlaces.ts';
import { type RejectSurroundings, rejectPlace, tellTroubles } from './rejecting.ts';

export interface ReviewCommandParts {
  readonly reviews: ActiveReviews;
  readonly names: FileNames;
  readonly bases: BaseDocuments;
  readonly rejecting: RejectSurroundings;
  readonly log: Log;
}

export function registerReviewCommands(parts: ReviewCommandParts): Disposable {
  const { reviews, bases, rejecting, log } = parts;
  return registerCommands(log, {
    'folio.review.acceptHunk': (argument?: unknown) => acceptHunk(parts, argument),
    'folio.review.rejectHunk': async (argument?: unknown) => {
      const found = findHunk(parts, argument);
      if (!found) return tellNoHunk();
      await rejectPlace(reviews.ledger, { path: found.path, hunkId: found.hunk.id }, rejecting);
      const stays = findHunk(parts, { path: found.path, hunkId: found.hunk.id }) !== undefined;
      if (!stays && !parseCommandPlace(argument)) showNextInFile(parts, found.path);
    },
    'folio.review.nextHunk': (argument?: unknown) => go(parts, argument, 'next'),
    'folio.review.previousHunk': (argument?: unknown) => go(parts, argument, 'previous'),
    'folio.review.acceptFile': (argument?: unknown) => {
      const path = findFile(parts, argument);
      if (path === undefined) return tellNoFile();
      reviews.ledger?.accept({ path });
    },
    'folio.review.rejectFile': (argument?: unknown) => {
      const path = findFile(parts, argument);
      return path === undefined ? tellNoFile() : rejectPlace(reviews.ledger, { path }, rejecting);
    },
    'folio.review.acceptAll': () => (hasPending(parts) ? reviews.ledger?.accept({}) : tellNothing()),
    'folio.review.rejectAll': () =>
      hasPending(parts) ? rejectPlace(reviews.ledger, {}, rejecting) : tellNothing(),
    'folio.review.bringBackLastRejected': async () => {
      const { ledger, lastRejected } = reviews;
      if (!ledger || !lastRejected) return tell('There is no rejected change that could come back.');
      const { path, hunkId } = lastRejected;
      tellTroubles(await ledger.bringBack(path, hunkId), ledger, rejecting);
      await reveal(parts, findHunk(parts, lastRejected));
    },
    'folio.review.peekHunk': (argument?: unknown) => peek(parts, argument),
    'folio.review.openFileChanges': async (argument?: unknown) => {
      const path = findFile(parts, argument);
      if (path === undefined) return tellNoFile();
      await bases.openDiff(path, findHunk(parts, argument)?.hunk.id);
    },
  });
}

function acceptHunk(parts: ReviewCommandParts, argument: unknown): void {
  const found = findHunk(parts, argument);
  if (found) parts.reviews.ledger?.accept({ path: found.path, hunkId: found.hunk.id });
  else tellNoHunk();
  if (found && !parseCommandPlace(argument)) showNextInFile(parts, found.path);
}

/** By keyboard one decision follows the other; the mouse is at the next lens already. */
function showNextInFile({ reviews }: ReviewCommandParts, path: string): void {
  const editor = window.activeTextEditor;
  const review = reviews.pendingIn(path);
  if (!editor || !review) return;
  const files = [{ path, review }];
  const line = editor.selection.active.line - 1;
  const next = neighbour(files, { path, line }, 'next');
  if (next) select(next);
}

async function go(
  parts: ReviewCommandParts,
  argument: unknown,
  direction: 'next' | 'previous',
): Promise<void> {
  const { pending } = parts.reviews;
  const place = parseCommandPlace(argument);
  const from = place ? findHunk(parts, argument) : undefined;
  const here = from ? { path: from.path, line: firstLine(from.review, from.hunk) } : cursorPlace(parts);
  const found = neighbour(pending, here, direction);
  if (!found) return tellNothing();
  await reveal(parts, found);
}

/** Goes there; in the editor that has the cursor where it shows this file already, which may be a diff. */
async function reveal({ names }: ReviewCommandParts, found: HunkOf | undefined): Promise<void> {
  if (!found) return;
  const editor = window.activeTextEditor;
  if (editor && names.realOf(editor.document.uri) === found.path) return select(found);
  const line = firstLine(found.review, found.hunk);
  const selection = new Range(line, 0, line, 0);
  await commands.executeCommand('vscode.open', names.uriOf(found.path), { selection, preview: true });
}

function select({ review, hunk }: HunkOf): void {
  const line = firstLine(review, hunk);
  const editor = window.activeTextEditor;
  if (!editor) return;
  const place = new Position(line, 0);
  editor.selection = new Selection(place, place);
  editor.revealRange(new Range(place, place), TextEditorRevealType.InCenterIfOutsideViewport);
}

async function peek(parts: ReviewCommandParts, argument: unknown): Promise<void> {
  const { names, bases } = parts;
  const found = findHunk(parts, argument);
  if (!found) return tellNoHunk();
  const { path, review, hunk } = found;
  if (hunk.baseCount === 0) return tell('Nothing was removed here: these lines are new.');
  const before = new Range(hunk.baseStart, 0, hunk.baseStart + hunk.baseCount - 1, 0);
  const place = new Position(firstLine(review, hunk), 0);
  const locations = [new Location(bases.uriOf(path), before)];
  await commands.executeCommand('editor.action.peekLocations', names.uriOf(path), place, locations, 'peek');
}

/** The hunk that the argument names; without one, the hunk at the cursor. */
function findHunk(parts: ReviewCommandParts, argument: unknown): HunkOf | undefined {
  const { reviews } = parts;
  const place = parseCommandPlace(argument);
  const here = place ? undefined : cursorPlace(parts);
  const path = place?.path ?? here?.path;
  const review = reviews.pendingIn(path);
  if (path === undefined || !review) return undefined;
  const named = (hunk: Hunk) => hunk.id === place?.hunkId && hunk.status === 'pending';
  const hunk = here ? hunkAt(review, here.line) : review.hunks.find(named);
  return hunk && { path, review, hunk };
}

/** The file that the argument names, a URI among them; without one, the file of the active editor. */
function findFile(parts: ReviewCommandParts, argument: unknown): string | undefined {
  const { reviews, names } = parts;
  const named = argument instanceof Uri ? names.realOf(argument) : parseCommandPlace(argument)?.path;
  const path = named ?? cursorPlace(parts)?.path;
  return reviews.pendingIn(path) ? path : undefined;
}

function cursorPlace({ names }: ReviewCommandParts): { path: string; line: number } | undefined {
  const editor = window.activeTextEditor;
  const path = editor && names.realOf(editor.document.uri);
  return editor && path !== undefined ? { path, line: editor.selection.active.line } : undefined;
}

function hasPending({ reviews }: ReviewCommandParts): boolean {
  return reviews.pending.length > 0;
}

function tellNoHunk(): void {
  tell('There is no change by Folio at the cursor. "Folio: Next Change" goes to one.');
}

function tellNoFile(): void {
  tell('No change by Folio waits for review in this file.');
}

function tellNothing(): void {
  tell('No change by Folio waits for review.');
}

function tell(sentence: string): void {
  void window.showInformationMessage(sentence);
}
