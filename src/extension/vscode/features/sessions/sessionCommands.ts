import { window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { oneLine, sanitiseLine } from '../../../base/text.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import type { OutputLog } from '../../ports/outputLog.ts';
import { type SessionLibrary, sessionTitleLimit } from '../../sessionLibrary.ts';
import { registerCommands } from '../commands.ts';

const openThings = () => import('../openThings.ts');

/** Commands that take a session id use the shown session by default. */
export function registerSessionCommands(
  session: ActiveSession,
  library: SessionLibrary,
  panel: PanelView,
  log: OutputLog,
): Disposable {
  const idOf = async (sessionId: unknown) => {
    await session.restore();
    return typeof sessionId === 'string' ? sessionId : askedId(session);
  };
  return registerCommands(log, {
    'folio.newSession': async () => {
      await panel.startNew();
      await panel.focus();
    },
    'folio.focusPanel': () => panel.focus(),
    'folio.stop': () => session.present?.stop(),
    'folio.accept': () => panel.move('accept'),
    'folio.deny': () => panel.move('deny'),
    'folio.acceptAlways': () => panel.move('always'),
    'folio.runInTerminal': () => panel.move('terminal'),
    'folio.nextCard': () => panel.move('nextCard'),
    'folio.previousCard': () => panel.move('previousCard'),
    'folio.showHistory': async () => {
      await panel.show('history');
      panel.feed.deliver({ type: 'sessions.listed', query: '', ...(await library.list('')) });
    },
    'folio.renameSession': async (sessionId?: unknown) => {
      const id = await idOf(sessionId);
      if (id !== undefined) await renameSession(library, id);
    },
    'folio.deleteSession': async (sessionId?: unknown) => {
      const id = await idOf(sessionId);
      if (id !== undefined) await deleteWithUndo(session, library, id);
    },
    'folio.showOutline': () => panel.show('outline'),
    'folio.showStatistics': () => panel.show('statistics'),
    'folio.openLog': () => log.show(),
    'folio.openSettings': async () => (await openThings()).openSettings(),
    'folio.openKeybindings': async () => (await openThings()).openKeybindings(),
    'folio.openWalkthrough': async () => (await openThings()).openWalkthrough(),
  });
}

/** Shows a sentence if there is no session with a prompt. */
function askedId({ state, present }: ActiveSession): string | undefined {
  if (present && state.title !== '') return present.id;
  void window.showInformationMessage(t('This session is empty.'));
  return undefined;
}

async function renameSession(library: SessionLibrary, sessionId: string): Promise<void> {
  const { title } = await library.read(sessionId);
  const typed = await window.showInputBox({
    title: t('Rename session'),
    value: title,
    validateInput: text =>
      sanitiseLine(text, sessionTitleLimit) === '' ? t('Type a title, or press Escape to leave.') : undefined,
  });
  if (sanitiseLine(typed ?? '', sessionTitleLimit) !== '') await library.rename(sessionId, typed!);
}

/**
 * Asks first if the session is working; returns false if the user keeps it. Callers that offer undo call `bringBack`.
 */
export async function deleteSession(
  session: ActiveSession,
  library: SessionLibrary,
  sessionId: string,
): Promise<boolean> {
  if (session.opened.find(sessionId)?.busy && !(await confirmStop())) return false;
  await library.remove(sessionId);
  return true;
}

/** Undo restores the previous view. */
async function deleteWithUndo(
  session: ActiveSession,
  library: SessionLibrary,
  sessionId: string,
): Promise<void> {
  const { title } = await library.read(sessionId);
  const wasShown = session.present?.id === sessionId;
  if (!(await deleteSession(session, library, sessionId))) return;
  const undo = t('Undo');
  const sentence = t('“{0}” was deleted. It stays in the trash for a week.', oneLine(title, 60));
  if ((await window.showInformationMessage(sentence, undo)) !== undo) return;
  await library.bringBack(sessionId);
  if (wasShown && !session.present) await session.switchTo(sessionId);
}

async function confirmStop(): Promise<boolean> {
  const action = t('Stop and delete');
  const detail = t('It is stopped first. What it has done to files stays.');
  const question = t('Folio is still working in this session.');
  return (await window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}
