import { type ChatRequestHandler, chat, Disposable, ThemeIcon, workspace } from 'vscode';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import { registerCommands } from '../features/commands.ts';
import type { PromptSender } from '../features/entryPoints/promptSender.ts';
import type { PanelView } from '../panel/panelView.ts';
import type { SessionLink } from './chatAnswerWriter.ts';

/** `@folio` in VS Code's own chat, and its links into the panel. */
export function registerChat(
  door: Pick<PromptSender, 'send'>,
  session: Pick<ActiveSession, 'opened' | 'switchTo'>,
  panel: Pick<PanelView, 'focus' | 'showPlace'>,
  log: Log,
): Disposable {
  const showPlace = async ({ sessionId, place }: SessionLink) => {
    if (sessionId !== undefined) await session.switchTo(sessionId);
    await (place ? panel.showPlace(place) : panel.focus());
  };
  return Disposable.from(
    offerParticipant(async (request, _context, stream, token) => {
      const { answerChat } = await import('./chatAnswer.ts');
      return answerChat(request, stream, token, door, session.opened);
    }),
    registerCommands(log, { 'folio.showPlace': showPlace }),
  );
}

/** Registered while the chat is enabled. The handler's code is loaded with the first prompt. */
function offerParticipant(answer: ChatRequestHandler): Disposable {
  let participant: Disposable | undefined;
  const end = () => {
    participant?.dispose();
    participant = undefined;
  };
  const follow = () => {
    if (workspace.getConfiguration('chat').get('disableAIFeatures')) end();
    else participant ??= makeParticipant(answer);
  };
  follow();
  return Disposable.from({ dispose: end }, workspace.onDidChangeConfiguration(follow));
}

function makeParticipant(answer: ChatRequestHandler): Disposable {
  const participant = chat.createChatParticipant('folio.chat', answer);
  participant.iconPath = new ThemeIcon('book');
  return participant;
}
