import { Disposable, EventEmitter, Uri, window, workspace } from 'vscode';
import type { SessionEvent } from '../../../../protocol/events.ts';
import { t } from '../../../../protocol/language.ts';
import type { RequestMetadata } from '../../../core/context/describeRequest.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { registerCommands } from '../commands.ts';

const uri = Uri.from({ scheme: 'folio-request', path: '/What was sent.md' });
const nothing = () => t('Folio has sent nothing in this window yet. Send a prompt first.');

/** Shows the newest request at the time of the command as a document. */
export function registerShowRequest(session: ActiveSession, log: Log): Disposable {
  const changed = new EventEmitter<Uri>();
  let sent: RequestMetadata = {};
  const provideTextDocumentContent = async () => {
    const request = session.present?.lastRequest;
    if (!request) return `${nothing()}\n`;
    const { describeRequest } = await import('../../../core/context/describeRequest.ts');
    return describeRequest(request, sent);
  };
  const show = async () => {
    if (!session.present?.lastRequest) {
      void window.showInformationMessage(nothing());
      return;
    }
    // Refreshes a document that is already open.
    changed.fire(uri);
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
  };
  const provider = { onDidChange: changed.event, provideTextDocumentContent };
  return Disposable.from(
    changed,
    session.onEvent(event => {
      sent = follow(sent, event);
    }),
    session.onDidSwitch(() => {
      sent = {};
    }),
    workspace.registerTextDocumentContentProvider(uri.scheme, provider),
    registerCommands(log, { 'folio.showRequest': show }),
  );
}

function follow(sent: RequestMetadata, event: SessionEvent): RequestMetadata {
  if (event.type === 'step.started') return { at: event.at };
  return event.type === 'step.ended' ? { ...sent, usage: event.usage } : sent;
}
