import {
  CodeLens,
  type CodeLensProvider,
  EventEmitter,
  languages,
  Range,
  type TextDocument,
  window,
} from 'vscode';
import { describeFileMode, sessionTouching, writerNames } from '../../../protocol/changes.ts';
import { t } from '../../../protocol/language.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { oneLine } from '../../base/text.ts';
import { pendingChanges } from '../../review/fileMode.ts';
import { pendingHunks } from '../../review/fileReview.ts';
import type { ModeHunk } from '../../review/hunk.ts';
import type { ActiveReviews } from './activeReviews.ts';
import { anchorLine, type FileHunk, formatCounts, hunksNear } from './hunkPlaces.ts';
import type { RealPathMapper } from './realPathMapper.ts';

/** Maximal number of hunks with lenses. Beyond it, those near the visible lines. */
const shown = 200;
/** Characters of a command shown above its hunks. The hover shows all. */
const shownCommand = 40;
/** Scrolling comes in bursts, milliseconds. */
const quietMs = 150;

/** Accept, Reject and Next above each hunk, also in a diff editor. Registered with the first hunk. */
export class ReviewLenses implements CodeLensProvider, Disposable {
  private readonly reviews: ActiveReviews;
  private readonly names: RealPathMapper;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new EventEmitter<void>());
  private registration: Disposable | undefined;
  private timer: NodeJS.Timeout | undefined;
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(reviews: ActiveReviews, names: RealPathMapper) {
    this.reviews = reviews;
    this.names = names;
    this.store.add(reviews.onDidChange(() => this.refresh()));
    this.store.add(names.onDidLearn(() => this.changed.fire()));
    this.store.add(
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.scrolled(textEditor.document)),
    );
    this.refresh();
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    const path = this.names.toRealPath(document.uri);
    const review = this.reviews.pendingIn(path);
    if (path === undefined || !review) return [];
    const pending = pendingHunks(review);
    const spans = window.visibleTextEditors
      .filter(editor => editor.document === document)
      .flatMap(({ visibleRanges }) => visibleRanges)
      .map(({ start, end }) => ({ first: start.line, last: end.line }));
    const hasOther = pending.length > 1 || this.reviews.pending.length > 1;
    const lenses = hunksNear(review, spans, shown).flatMap(hunk => {
      const position = pending.length > 1 ? t('{0} of {1}', pending.indexOf(hunk) + 1, pending.length) : '';
      return hunkLenses({ path, review, hunk }, position, hasOther);
    });
    const ofMode = review.mode?.status === 'pending' ? modeLenses(path, review.mode) : [];
    const count = pendingChanges(review).length;
    return [...(count > 1 ? fileLenses(path, count) : []), ...ofMode, ...lenses];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registration?.dispose();
    this.store.dispose();
  }

  private refresh(): void {
    // Never unregistered: VS Code shows a removed provider's last lenses for half a minute, above decided hunks.
    if (this.reviews.pending.length > 0)
      this.registration ??= languages.registerCodeLensProvider({ scheme: 'file' }, this);
    this.changed.fire();
  }

  private scrolled(document: TextDocument): void {
    const review = this.reviews.pendingIn(this.names.toRealPath(document.uri));
    if (!review || pendingHunks(review).length <= shown) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed.fire(), quietMs);
  }
}

/** @param position among the hunks of the file; empty for the only one */
function hunkLenses({ path, review, hunk }: FileHunk, position: string, hasOther: boolean): CodeLens[] {
  const line = anchorLine(review, hunk);
  const range = new Range(line, 0, line, 0);
  const place = { path, hunkId: hunk.id };
  const lens = (title: string, tooltip: string, command: string) =>
    new CodeLens(range, { title, tooltip, command, arguments: [place] });
  const command = hunk.writers?.findLast(writer => writer.kind === 'command');
  const about = [
    formatCounts(hunk),
    position,
    command ? oneLine(command.line, shownCommand) : '',
    hunk.touched ? editedBy(sessionTouching(hunk)) : '',
  ];
  const names = inTurn(writerNames(hunk));
  const peek = hunk.baseCount > 0 ? 'folio.review.peekHunk' : 'folio.review.openFileChanges';
  return [
    lens(`$(check)\u00a0${t('Accept')}`, t('Keep this change'), 'folio.review.acceptHunk'),
    lens(`$(close)\u00a0${t('Reject')}`, t('Put back what was here before'), 'folio.review.rejectHunk'),
    ...(hasOther
      ? [lens(`$(arrow-down)\u00a0${t('Next')}`, t('Go to the next change'), 'folio.review.nextHunk')]
      : []),
    lens(
      about.filter(Boolean).join(' · '),
      [
        hunk.baseCount > 0 ? t('Show what was here before') : t('Show as a diff'),
        ...(names ? [t('Written by: {0}', names)] : []),
      ].join('. '),
      peek,
    ),
  ];
}

function editedBy(session: string | undefined): string {
  return session === undefined ? t('edited by you') : t('edited by {0}', session);
}

function inTurn(names: readonly string[]): string {
  return names.reduce((before, name) => (before ? t('{0}, then {1}', before, name) : name), '');
}

/** Lenses of the file itself are at its top. */
function modeLenses(path: string, mode: ModeHunk): CodeLens[] {
  const range = new Range(0, 0, 0, 0);
  const names = inTurn(writerNames(mode));
  const lens = (title: string, tooltip: string, command: string) =>
    new CodeLens(range, { title, tooltip, command, arguments: [{ path, hunkId: mode.id }] });
  const words = t('The file {0}', describeFileMode(mode.executable));
  return [
    lens(`$(check)\u00a0${t('Accept')}`, t('{0}: keep this', words), 'folio.review.acceptHunk'),
    lens(`$(close)\u00a0${t('Reject')}`, t('{0}: take this back', words), 'folio.review.rejectHunk'),
    lens(words, names && t('Written by: {0}', names), 'folio.review.openFileChanges'),
  ];
}

function fileLenses(path: string, count: number): CodeLens[] {
  const range = new Range(0, 0, 0, 0);
  const lens = (title: string, command: string) =>
    new CodeLens(range, { title, command, arguments: [{ path }] });
  return [
    lens(`$(check-all)\u00a0${t('Accept all {0}', count)}`, 'folio.review.acceptFile'),
    lens(`$(discard)\u00a0${t('Reject all')}`, 'folio.review.rejectFile'),
  ];
}
