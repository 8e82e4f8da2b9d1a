import { window } from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { once } from '../../../base/once.ts';
import type { Log } from '../../../platform/log.ts';
import type { WritableSettings } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { registerCommands } from '../commands.ts';
import type { PromptCommands } from './promptCommands.ts';

/** Move a new session to the place that the settings ask for. */
const placeCommands: Readonly<Record<string, string>> = {
  worktree: '/isolate',
  container: '/isolate --container',
};

/** Commands for the place of a new session, and for its agent. Slash commands do the work, so both report the same. */
export function registerWorktreeCommands(
  session: ActiveSession,
  panel: PanelView,
  slashCommands: Pick<PromptCommands, 'run'>,
  { settings, log }: { readonly settings: Pick<WritableSettings, 'get' | 'change'>; readonly log: Log },
): Disposable {
  const run = async (command: string) => {
    await session.restore();
    const refusal = await slashCommands.run(command);
    if (refusal !== undefined) void window.showWarningMessage(refusal);
  };
  const startIn = async (command: string) => {
    await session.startNew();
    await run(command);
    await panel.focus();
  };
  const places = once(
    async () => new (await import('./newPlaces.ts')).NewSessionPlacement(session, slashCommands),
  );
  const agents = once(
    async () => new (await import('../sessions/agentPicker.ts')).AgentPicker(session, panel, settings),
  );
  session.placeNew = async () => {
    const command = placeCommands[settings.get('worktree.default')];
    if (command) await (await places()).place(command);
  };
  return registerCommands(log, {
    'folio.newInWorktree': () => startIn('/isolate'),
    'folio.newInContainer': () => startIn(placeCommands.container!),
    'folio.bringHome': () => run('/worktree apply'),
    'folio.updateWorktree': () => run('/worktree update'),
    'folio.removeWorktree': () => run('/worktree remove'),
    'folio.leaveContainer': () => run('/worktree leave'),
    'folio.addAgent': async () => (await agents()).start('add'),
    'folio.newSessionWithAgent': async () => (await agents()).start('choose'),
  });
}
