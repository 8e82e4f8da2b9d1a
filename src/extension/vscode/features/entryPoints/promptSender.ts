import type { Attachment, Intention } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { ModelConnection } from '../../modelConnection.ts';
import type { PanelView } from '../../panel/panelView.ts';
import type { WindowTrust } from '../../windowTrust.ts';
import type { PromptCommands } from '../slashCommands/promptCommands.ts';

/** Sends every prompt of the user, wherever in VS Code it began. */
export class PromptSender {
  private readonly panel: Pick<PanelView, 'focus'> & { readonly feed: Pick<PanelView['feed'], 'deliver'> };
  private readonly session: Pick<ActiveSession, 'state' | 'submitPrompt' | 'runCommand' | 'getReady'>;
  private readonly commands: Pick<PromptCommands, 'carryOut'>;
  private readonly connection: Pick<ModelConnection, 'kind' | 'modelsAreListed' | 'refreshModels'>;
  private readonly prepare: () => Promise<void>;
  private readonly trust: Pick<WindowTrust, 'isTrusted'>;

  /** @param prepare finds the ways to reach a model */
  constructor(
    panel: PromptSender['panel'],
    session: PromptSender['session'],
    commands: PromptSender['commands'],
    connection: PromptSender['connection'],
    trust: Pick<WindowTrust, 'isTrusted'>,
    prepare: () => Promise<void>,
  ) {
    this.panel = panel;
    this.session = session;
    this.commands = commands;
    this.connection = connection;
    this.prepare = prepare;
    this.trust = trust;
  }

  /** Preloads what the next prompt needs while the user types. */
  async getReady(): Promise<void> {
    await this.prepare();
    if (this.connection.kind !== 'none' || this.session.state.driver) await this.session.getReady();
  }

  /** Resolves when the agent rests, or at once if the prompt is queued. */
  async send(
    text: string,
    attachments: readonly Attachment[],
    how: Intention<'prompt.send'>['how'],
  ): Promise<void> {
    await this.prepare();
    const driver = this.session.state.driver?.name;
    if (await this.commands.carryOut(text, attachments, driver)) return;
    const end = await this.session.submitPrompt(text, attachments, how);
    if (end && driver === undefined && !this.connection.modelsAreListed)
      await this.connection.refreshModels(AbortSignal.timeout(30_000));
  }

  /** Runs what the user typed after a `!`. In an untrusted workspace it returns to the composer. */
  async run(command: string, how: Intention<'prompt.send'>['how']): Promise<void> {
    if (!this.trust.isTrusted)
      return this.draft(
        `!${command}`,
        [],
        t('The workspace is restricted, so nothing runs. Trust it first.'),
      );
    await this.prepare();
    await this.session.runCommand(command, how);
  }

  /** Sends a request from outside of the panel, and focuses the panel. */
  async ask(text: string, attachments: readonly Attachment[] = []): Promise<void> {
    await this.panel.focus();
    await this.send(text, attachments, 'next');
  }

  /**
   * Fills the composer, where the user continues and sends.
   * @param hint a sentence above the composer
   */
  async draft(text: string, attachments: readonly Attachment[] = [], hint?: string): Promise<void> {
    this.panel.feed.deliver({ type: 'composer.filled', text, attachments, hint });
    await this.panel.focus();
  }

  /** Attaches to the prompt being written. */
  async attach(attachments: readonly Attachment[]): Promise<void> {
    for (const attachment of attachments) {
      this.panel.feed.deliver({ type: 'attachment.added', attachment });
    }
    await this.panel.focus();
  }
}
