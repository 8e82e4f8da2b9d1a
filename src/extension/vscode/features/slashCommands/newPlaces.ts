import { window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PromptCommands } from './promptCommands.ts';

/** Moves new sessions to a worktree or container if `folio.worktree.default` says so. */
export class NewSessionPlacement {
  private readonly session: ActiveSession;
  private readonly slashCommands: Pick<PromptCommands, 'run'>;
  private placing: Promise<void> | undefined;
  private isReported = false;

  constructor(session: ActiveSession, slashCommands: Pick<PromptCommands, 'run'>) {
    this.session = session;
    this.slashCommands = slashCommands;
  }

  /**
   * Leaves sessions that have prompts, or whose place the user chose.
   * @param command moves the session
   */
  async place(command: string): Promise<void> {
    const { state, present, placedId } = this.session;
    const isElsewhere = state.worktree !== undefined || state.container !== undefined;
    const isPlaced = state.title !== '' || isElsewhere || (present && present.id === placedId);
    // A second prompt may arrive while the worktree of the first is being created.
    if (isPlaced) return;
    this.placing ??= this.isolate(command).finally(() => {
      this.placing = undefined;
    });
    await this.placing;
  }

  private async isolate(command: string): Promise<void> {
    const refusal = await this.slashCommands.run(command);
    if (refusal === undefined || this.isReported) return;
    this.isReported = true;
    void window.showWarningMessage(t('The session works in the workspace. {0}', refusal));
  }
}
