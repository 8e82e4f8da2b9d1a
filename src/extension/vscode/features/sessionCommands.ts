import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Agent } from '../../core/agent.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { PanelView } from '../panel/panelView.ts';
import type { OutputLog } from '../ports/outputLog.ts';
import { registerCommands } from './commands.ts';

export interface SessionCommandParts {
  readonly session: ActiveSession;
  readonly panel: PanelView;
  readonly agent: () => Promise<Agent>;
  readonly log: OutputLog;
}

export function registerSessionCommands({ session, panel, agent, log }: SessionCommandParts): Disposable {
  return registerCommands(log, {
    'folio.newSession': async () => {
      if (await leaveSession(session)) await panel.focus();
    },
    'folio.focusPanel': () => panel.focus(),
    'folio.stop': () => session.present?.stop(),
    'folio.showHistory': async () => {
      await panel.show('history');
      panel.feed.deliver({ type: 'sessions.listed', sessions: await (await agent()).listSessions() });
    },
    'folio.showOutline': () => panel.show('outline'),
    'folio.openLog': () => log.show(),
  });
}

/** Starts a new session. False when the person would rather let the open one go on. */
export async function leaveSession(session: ActiveSession): Promise<boolean> {
  if (session.isBusy && !(await mayStop('Start a new session'))) return false;
  await session.startNew();
  return true;
}

/** Opens another session, unless the person would rather let the open one go on. */
export async function changeSession(session: ActiveSession, sessionId: string): Promise<void> {
  if (session.isBusy && !(await mayStop('Open the other session'))) return;
  await session.switchTo(sessionId);
}

async function mayStop(action: string): Promise<boolean> {
  const detail =
    'It is stopped first. What it has done so far stays, and you can go on with it from the history.';
  const question = 'Folio is still working in this session.';
  return (await window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}
