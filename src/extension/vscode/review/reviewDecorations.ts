import {
  type DecorationOptions,
  type DecorationRenderOptions,
  OverviewRulerLane,
  Range,
  TabInputText,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  window,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { oneLine } from '../../base/text.ts';
import { cellAsLines } from '../../review/asLines.ts';
import { pendingHunks } from '../../review/fileReview.ts';
import type { FileReview, Hunk } from '../../review/hunk.ts';
import { svgIcon } from '../svgIcon.ts';
import type { ActiveReviews } from './activeReviews.ts';
import { cellOf } from './cellDecisions.ts';
import { hunkHover } from './hunkHover.ts';
import { hunksNear, isBelowText, linesOfHunk } from './hunkPlaces.ts';
import type { RealPathMapper } from './realPathMapper.ts';

/** Maximal number of decorated hunks. Beyond it, those near the visible lines. */
const painted = 500;
/** Maximal marks in the overview ruler, which is a few hundred pixels high. */
const ruled = 5000;
/** Scrolling comes in bursts, milliseconds. */
const quietMs = 80;

/** Decorates pending changes in editors. Does not change documents. */
export class ReviewDecorations implements Disposable {
  private readonly reviews: ActiveReviews;
  private readonly names: RealPathMapper;
  private readonly store = new DisposableStore();
  private readonly kinds: ReturnType<typeof makeKinds>;
  private timer: NodeJS.Timeout | undefined;

  constructor(reviews: ActiveReviews, names: RealPathMapper) {
    this.reviews = reviews;
    this.names = names;
    this.kinds = makeKinds();
    for (const kind of Object.values(this.kinds)) this.store.add(kind);
    this.store.add(reviews.onDidChange(paths => this.paintAll(paths)));
    this.store.add(names.onDidLearn(() => this.paintAll()));
    this.store.add(window.onDidChangeVisibleTextEditors(() => this.paintAll()));
    this.store.add(window.tabGroups.onDidChangeTabs(() => this.paintAll()));
    this.store.add(window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.scrolled(textEditor)));
    this.paintAll();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.store.dispose();
  }

  private paintAll(paths?: ReadonlySet<string>): void {
    for (const editor of window.visibleTextEditors) {
      const path = this.names.toRealPath(cellOf(editor.document)?.uri ?? editor.document.uri);
      if (path !== undefined && (!paths || paths.has(path))) this.paint(editor, path);
    }
  }

  private scrolled(editor: TextEditor): void {
    const path = this.names.toRealPath(editor.document.uri);
    const review = this.reviews.pendingIn(path);
    if (path === undefined || !review || pendingHunks(review).length <= painted) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.paint(editor, path), quietMs);
  }

  private reviewIn({ document }: TextEditor, path: string): FileReview | undefined {
    const cell = cellOf(document);
    if (!cell) return this.reviews.pendingIn(path);
    const review = this.reviews.ledger?.review(path);
    return review && cellAsLines(review, cell.unit);
  }

  private paint(editor: TextEditor, path: string): void {
    const review = this.reviewIn(editor, path);
    const near = review ? hunksNear(review, shownSpans(editor), painted) : [];
    // A diff editor decorates its lines itself.
    const isPlain = isPlainEditor(editor);
    const marks = isPlain && review ? near.map(hunk => markOf(review, hunk)) : [];
    for (const name of ['added', 'changed', 'removedAbove', 'removedBelow'] as const) {
      const ranges = marks.filter(mark => mark.kind === name).map(mark => mark.range);
      editor.setDecorations(this.kinds[name], ranges);
    }
    editor.setDecorations(this.kinds.ruler, isPlain && review ? rulerRanges(review) : []);
    const { languageId } = editor.document;
    const hovers = review ? near.map(hunk => hoverOf(path, review, hunk, languageId)) : [];
    editor.setDecorations(this.kinds.hover, hovers);
    const removed = isPlain && review ? near.flatMap(hunk => removedIn(review, hunk)) : [];
    editor.setDecorations(this.kinds.removed, removed);
  }
}

/**
 * Shows the first removed line after the hunk's first line. VS Code lets extensions insert no lines between lines
 * (microsoft/vscode#85682). The hover and the peek view show all of them.
 */
function removedIn(review: FileReview, hunk: Hunk): DecorationOptions[] {
  const removed = review.base.slice(hunk.baseStart, hunk.baseStart + hunk.baseCount);
  const line = removed.find(each => each.trim() !== '');
  if (line === undefined) return [];
  const { first } = linesOfHunk(review, hunk);
  const more = removed.length > 1 ? `  +${removed.length - 1}` : '';
  const contentText = `− ${oneLine(line, 80)}${more}`;
  return [{ range: new Range(first, lineEnd, first, lineEnd), renderOptions: { after: { contentText } } }];
}

/** Beyond every line; VS Code uses the line's end. */
const lineEnd = 1e6;

interface Mark {
  readonly kind: 'added' | 'changed' | 'removedAbove' | 'removedBelow';
  readonly range: Range;
}

function markOf(review: FileReview, hunk: Hunk): Mark {
  const { first, last } = linesOfHunk(review, hunk);
  const range = new Range(first, 0, last, 0);
  if (hunk.count > 0) return { kind: hunk.baseCount > 0 ? 'changed' : 'added', range };
  return { kind: isBelowText(review, hunk) ? 'removedBelow' : 'removedAbove', range };
}

function hoverOf(path: string, review: FileReview, hunk: Hunk, language: string): DecorationOptions {
  const { first } = linesOfHunk(review, hunk);
  return { range: new Range(first, 0, first, 0), hoverMessage: hunkHover(path, review, hunk, language) };
}

function rulerRanges(review: FileReview): Range[] {
  return pendingHunks(review)
    .slice(0, ruled)
    .map(hunk => {
      const { first, last } = linesOfHunk(review, hunk);
      return new Range(first, 0, last, 0);
    });
}

function shownSpans({ visibleRanges }: TextEditor) {
  return visibleRanges.map(({ start, end }) => ({ first: start.line, last: end.line }));
}

function isPlainEditor({ document, viewColumn }: TextEditor): boolean {
  if (cellOf(document)) return true;
  const input = window.tabGroups.all.find(group => group.viewColumn === viewColumn)?.activeTab?.input;
  return input instanceof TabInputText && input.uri.toString() === document.uri.toString();
}

const bar = 'M11 0h3v16h-3z';

function makeKinds() {
  const icon = (shape: string, light: string, dark: string): DecorationRenderOptions => {
    const drawn = (colour: string) =>
      svgIcon(16, 'preserveAspectRatio="none"', `<path fill="#${colour}" d="${shape}"/>`);
    return {
      light: { gutterIconPath: drawn(light) },
      dark: { gutterIconPath: drawn(dark) },
      gutterIconSize: '100% 100%',
    };
  };
  const make = (options: DecorationRenderOptions): TextEditorDecorationType =>
    window.createTextEditorDecorationType({ isWholeLine: true, ...options });
  const backgroundColor = new ThemeColor('folio.review.changedLineBackground');
  const gone = { borderStyle: 'solid', borderColor: new ThemeColor('folio.review.removedLinesBorder') };
  return {
    added: make({ backgroundColor, ...icon(bar, '2ea043', '3fb950') }),
    changed: make({ backgroundColor, ...icon(bar, '0069cc', '2f81f7') }),
    removedAbove: make({ ...gone, borderWidth: '1px 0 0 0', ...icon('M8 0h7L8 6z', 'd1242f', 'f85149') }),
    removedBelow: make({ ...gone, borderWidth: '0 0 1px 0', ...icon('M8 16h7L8 10z', 'd1242f', 'f85149') }),
    hover: make({}),
    removed: window.createTextEditorDecorationType({
      after: { margin: '0 0 0 3ch', color: new ThemeColor('editorCodeLens.foreground') },
    }),
    ruler: make({
      overviewRulerColor: new ThemeColor('folio.review.overviewRulerForeground'),
      overviewRulerLane: OverviewRulerLane.Center,
    }),
  };
}
