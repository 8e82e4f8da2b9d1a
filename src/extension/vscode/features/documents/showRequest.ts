import { EventEmitter, Uri, window, workspace } from 'vscode';
import type { SessionEvent } from '../../../../protocol/events.ts';
import { t } from '../../../../protocol/language.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { SentAs } from '../../../core/context/describeRequest.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { registerCommands } from '../commands.ts';

const uri = Uri.from({ scheme: 'folio-request', path: '/What was sent.md' });
const nothing = () => t('Folio has sent nothing in this window yet. Send a prompt first.');

/** The newest request as a document to read, as it was when the command was called. */
export function registerShowRequest(session: ActiveSession, log: Log): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<Uri>());
  let sent: SentAs = {};
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
    // A document that is open already would show an older request.
    changed.fire(uri);
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
  };
  store.add(
    session.onEvent(event => {
      sent = follow(sent, event);
    }),
  );
  store.add(
    session.onDidSwitch(() => {
      sent = {};
    }),
  );
  const provider = { onDidChange: changed.event, provideTextDocumentContent };
  store.add(workspace.registerTextDocumentContentProvider(uri.scheme, provider));
  store.add(registerCommands(log, { 'folio.showRequest': show }));
  return store;
}

function follow(sent: SentAs, event: SessionEvent): SentAs {
  if (event.type === 'step.started') return { at: event.at };
  return event.type === 'step.ended' ? { ...sent, usage: event.usage } : sent;
}
