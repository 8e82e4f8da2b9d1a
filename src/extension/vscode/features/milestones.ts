import { commands, Disposable } from 'vscode';
import type { ActiveSession } from '../activeSession.ts';
import type { Connection } from '../connection.ts';
import { findCall } from '../findCall.ts';

/** First deeds of a user. The walkthrough ticks its steps off by context keys of these names. */
type Milestone = 'connected' | 'answered' | 'decided' | 'foldedChapter';

/** VS Code remembers which steps are done, so that it need not be told in another window. */
export function reach(milestone: Milestone): void {
  void commands.executeCommand('setContext', `folio.${milestone}`, true);
}

/** Follows the milestones that the session and the connection tell; the others are reached where the user acts. */
export function followMilestones(
  session: Pick<ActiveSession, 'onEvent' | 'state'>,
  connection: Pick<Connection, 'kind' | 'onDidChange'>,
): Disposable {
  return Disposable.from(
    connection.onDidChange(() => {
      if (connection.kind !== 'none') reach('connected');
    }),
    session.onEvent(event => {
      if (event.type === 'turn.ended' && event.end.kind === 'rested') reach('answered');
      if (event.type !== 'call.decided') return;
      if (findCall(session.state, event.callId)?.effect === 'edit') reach('decided');
    }),
  );
}
