import { type ChatRequestHandler, chat, ThemeIcon, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import { registerCommands } from '../features/commands.ts';
import type { PromptDoor } from '../features/waysIn/promptDoor.ts';
import type { PanelView } from '../panel/panelView.ts';
import type { SessionPlace } from './chatPage.ts';

/** `@folio` in VS Code's own chat, as long as the chat is on. Everything else is loaded with the first prompt there. */
export function registerChat(
  door: Pick<PromptDoor, 'send'>,
  session: Pick<ActiveSession, 'opened' | 'switchTo'>,
  panel: Pick<PanelView, 'focus' | 'showPlace'>,
  log: Log,
): Disposable {
  const store = new DisposableStore();
  let participant: Disposable | undefined;
  const answer: ChatRequestHandler = async (request, _context, stream, token) => {
    const { answerChat } = await import('./chatAnswer.ts');
    return answerChat(request, stream, token, door, session.opened);
  };
  const follow = () => {
    if (workspace.getConfiguration('chat').get('disableAIFeatures')) {
      participant?.dispose();
      participant = undefined;
    } else
      participant ??= Object.assign(chat.createChatParticipant('folio.chat', answer), {
        iconPath: new ThemeIcon('book'),
      });
  };
  follow();
  store.add({ dispose: () => participant?.dispose() });
  store.add(workspace.onDidChangeConfiguration(follow));
  const showPlace = async ({ sessionId, place }: SessionPlace) => {
    if (sessionId !== undefined) await session.switchTo(sessionId);
    if (place) await panel.showPlace(place);
    else await panel.focus();
  };
  store.add(registerCommands(log, { 'folio.showPlace': showPlace }));
  return store;
}
