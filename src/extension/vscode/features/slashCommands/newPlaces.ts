import { window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PromptCommands } from './promptCommands.ts';

/** Gives new sessions worktrees where the settings want it. */
export class NewPlaces {
  private readonly session: ActiveSession;
  private readonly slashCommands: Pick<PromptCommands, 'run'>;
  private placing: Promise<void> | undefined;
  private isReported = false;

  constructor(session: ActiveSession, slashCommands: Pick<PromptCommands, 'run'>) {
    this.session = session;
    this.slashCommands = slashCommands;
  }

  /** A session that has prompts, or whose place the user chose, stays where it is. */
  async place(): Promise<void> {
    const { state, present, placedId } = this.session;
    const isPlaced = state.title !== '' || state.worktree || (present && present.id === placedId);
    // A second prompt may come while the worktree of the first is made.
    if (isPlaced) return;
    this.placing ??= this.isolate().finally(() => {
      this.placing = undefined;
    });
    await this.placing;
  }

  private async isolate(): Promise<void> {
    const refusal = await this.slashCommands.run('/isolate');
    if (refusal === undefined || this.isReported) return;
    this.isReported = true;
    void window.showWarningMessage(t('The session works in the workspace. {0}', refusal));
  }
}
