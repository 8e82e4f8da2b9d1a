import { env, type QuickPickItem, Uri, window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { Chapter, SessionState } from '../../../../protocol/state.ts';
import { sanitiseLine } from '../../../base/text.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { type SessionLibrary, sessionTitleLimit } from '../../sessionLibrary.ts';

/** Exports chapters and sessions as documents. Asks for the chapter if no id is given. */
export class SessionExporter {
  private readonly session: ActiveSession;
  private readonly library: SessionLibrary;

  constructor(session: ActiveSession, library: SessionLibrary) {
    this.session = session;
    this.library = library;
  }

  async copyChapter(chapterId: unknown): Promise<void> {
    const chapter = await pickChapter(this.session, t('Copy chapter'), chapterId);
    if (chapter) await copyChapter(this.session.state, chapter);
  }

  async exportChapter(chapterId: unknown): Promise<void> {
    const chapter = await pickChapter(this.session, t('Export chapter'), chapterId);
    if (chapter) await exportChapter(this.session.state, chapter);
  }

  async exportSession(sessionId: unknown): Promise<void> {
    const { session, library } = this;
    await session.restore();
    const id = typeof sessionId === 'string' ? sessionId : session.present?.id;
    await exportSession(async () => (id === undefined ? session.state : library.read(id)));
  }

  async renameChapter(chapterId: unknown): Promise<void> {
    const chapter = await pickChapter(this.session, t('Rename chapter'), chapterId, titled);
    if (chapter) await renameChapter(this.session, chapter);
  }
}

/** Only titled chapters can be renamed. The opening has no title. */
const titled = ({ number }: Chapter) => number > 0;
const notEmpty = ({ number, items }: Chapter) => number > 0 || items.length > 0;

async function pickChapter(
  session: ActiveSession,
  title: string,
  chapterId: unknown,
  offered: (chapter: Chapter) => boolean = notEmpty,
): Promise<Chapter | undefined> {
  await session.restore();
  const chapters = session.state.chapters.filter(offered);
  if (typeof chapterId === 'string') return chapters.find(({ id }) => id === chapterId);
  if (chapters.length === 0) {
    const why =
      offered === titled && hasBegun(session.state)
        ? t('No chapter has a title yet. The agent names one when the work enters a new phase.')
        : nothingYet();
    void window.showInformationMessage(why);
    return undefined;
  }
  const { describeTotals } = await import('../../../core/export/workTotals.ts');
  const choices = chapters.map((chapter): QuickPickItem & { chapter: Chapter } => ({
    label: chapter.number === 0 ? t('Opening') : `${chapter.number}. ${chapter.title}`,
    description: describeTotals(chapter),
    detail: chapter.summary,
    chapter,
  }));
  const picked = await window.showQuickPick(choices, { title, placeHolder: t('Which chapter?') });
  return picked?.chapter;
}

const nothingYet = () => t('This session is empty.');

function hasBegun({ title }: SessionState): boolean {
  return title !== '';
}

async function copyChapter(state: SessionState, chapter: Chapter): Promise<void> {
  await env.clipboard.writeText(await chapterDocument(state, chapter));
  window.setStatusBarMessage(t('The chapter is on the clipboard as Markdown.'), 5_000);
}

async function exportChapter(state: SessionState, chapter: Chapter): Promise<void> {
  const text = await chapterDocument(state, chapter);
  await saveDocument(t('Export chapter'), chapter.title || state.title, 'md', text);
}

async function chapterDocument(state: SessionState, chapter: Chapter): Promise<string> {
  const { chapterMarkdown } = await import('../../../core/export/chapterMarkdown.ts');
  return chapterMarkdown(chapter, state);
}

/** @param read returns the current session, which may continue while the user chooses */
async function exportSession(read: () => Promise<SessionState>): Promise<void> {
  if (!hasBegun(await read())) {
    void window.showInformationMessage(nothingYet());
    return;
  }
  const formats = [
    { label: 'Markdown', description: t('For reading, as on GitHub'), extension: 'md' as const },
    { label: 'JSON', description: t('For other programs'), extension: 'json' as const },
  ];
  const format = await window.showQuickPick(formats, { title: t('Export session') });
  if (!format) return;
  const state = await read();
  const text = await sessionDocument(state, format.extension);
  await saveDocument(t('Export session'), state.title, format.extension, text);
}

async function sessionDocument(state: SessionState, extension: 'md' | 'json'): Promise<string> {
  if (extension === 'md') {
    const { sessionMarkdown } = await import('../../../core/export/sessionMarkdown.ts');
    return sessionMarkdown(state);
  }
  const { sessionJson } = await import('../../../core/export/sessionJson.ts');
  return sessionJson(state);
}

async function saveDocument(
  title: string,
  name: string,
  extension: 'md' | 'json',
  text: string,
): Promise<void> {
  const { exportFileName } = await import('../../../core/export/fileName.ts');
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const file = exportFileName(name, extension);
  const uri = await window.showSaveDialog({
    title,
    defaultUri: folder ? Uri.joinPath(folder, file) : undefined,
    filters: extension === 'md' ? { Markdown: ['md'] } : { JSON: ['json'] },
  });
  if (!uri) return;
  await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
}

async function renameChapter(session: ActiveSession, { id, title }: Chapter): Promise<void> {
  const typed = await window.showInputBox({
    title: t('Rename chapter'),
    value: title,
    validateInput: text =>
      sanitiseLine(text, sessionTitleLimit) === '' ? t('Type a title, or press Escape to leave.') : undefined,
  });
  const renamed = sanitiseLine(typed ?? '', sessionTitleLimit);
  if (renamed !== '') session.present?.renameChapter(id, renamed);
}
