import { type QuickPickItem, window } from 'vscode';
import type { ApprovalMode } from '../../../protocol/events.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import { registerCommands } from './commands.ts';

export function registerApprovalMode(session: ActiveSession, log: Log): Disposable {
  return registerCommands(log, {
    'folio.setApprovalMode': async () => {
      const items = modes.map(({ mode, label, detail }): QuickPickItem & { readonly mode: ApprovalMode } => ({
        mode,
        detail,
        label: mode === session.state.mode ? `$(check) ${label}` : label,
      }));
      const picked = await window.showQuickPick(items, { title: 'Set approval mode' });
      if (picked) await changeMode(session, picked.mode);
    },
  });
}

/** The only way into a mode: the one that asks for nothing is confirmed first. */
export async function changeMode(session: ActiveSession, mode: ApprovalMode): Promise<void> {
  if (mode === 'yolo' && session.state.mode !== 'yolo' && !(await confirmed())) return;
  await session.setMode(mode);
}

const modes: readonly { readonly mode: ApprovalMode; readonly label: string; readonly detail: string }[] = [
  { mode: 'default', label: 'Ask', detail: 'Asks before every edit and every command.' },
  { mode: 'autoEdit', label: 'Auto-edit', detail: 'Edits files without asking; commands still ask.' },
  { mode: 'plan', label: 'Plan', detail: 'Reads and plans; neither edits nor runs anything.' },
  { mode: 'yolo', label: 'Allow all', detail: 'Edits files and runs commands without asking.' },
];

async function confirmed(): Promise<boolean> {
  const yes = 'Allow all';
  const detail =
    'Every command that the model writes is then run with your rights, until you choose another mode. ' +
    'This holds for the open session only.';
  const question = 'Run commands and edit files without asking?';
  return (await window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
