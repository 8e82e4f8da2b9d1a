import { commands, Disposable } from 'vscode';
import type { ActiveSession } from '../activeSession.ts';
import { findCall } from '../findCall.ts';
import type { ModelConnection } from '../modelConnection.ts';

/** First actions of a user. The walkthrough completes its steps by context keys of these names. */
type Milestone = 'connected' | 'answered' | 'decided' | 'foldedChapter';

/** Completes a step of the walkthrough, which VS Code remembers across windows. */
export function completeMilestone(milestone: Milestone): void {
  void commands.executeCommand('setContext', `folio.${milestone}`, true);
}

/** Follows the milestones of session and connection. Others are reached where the user acts. */
export function followMilestones(
  session: Pick<ActiveSession, 'onEvent' | 'state'>,
  connection: Pick<ModelConnection, 'kind' | 'onDidChange'>,
): Disposable {
  return Disposable.from(
    connection.onDidChange(() => {
      if (connection.kind !== 'none') completeMilestone('connected');
    }),
    session.onEvent(event => {
      if (event.type === 'turn.ended' && event.end.kind === 'rested') completeMilestone('answered');
      if (event.type !== 'call.decided') return;
      if (findCall(session.state, event.callId)?.effect === 'edit') completeMilestone('decided');
    }),
  );
}
