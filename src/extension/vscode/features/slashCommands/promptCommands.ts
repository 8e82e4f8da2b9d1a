import type { Attachment } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import type { CompletionList } from '../../../../protocol/mentions.ts';
import { isAbortError } from '../../../base/errors.ts';
import type { Command, CommandContext } from '../../../core/commands/commands.ts';
import type { ServerPrompts } from '../../../core/commands/prompts/promptSource.ts';
import type { CommandTable } from '../../../core/commands/table/commandTable.ts';
import type { ModelConnection } from '../../modelConnection.ts';
import type { PanelFeed } from '../../panel/panelFeed.ts';
import type { WindowTrust } from '../../windowTrust.ts';
import type { WindowCustomizations } from '../customizations/windowCustomizations.ts';

/** Reads the table of commands, with their files read again or recently cached. */
type ReadTable = (files: 'fresh' | 'known') => Promise<CommandTable>;

/** @param takeAttachments returns attachments for a prompt that a command sends */
type MakeSurface = (
  table: CommandTable,
  takeAttachments: () => readonly Attachment[],
) => Promise<CommandContext>;

/** Runs slash commands with the window's state. Those that cannot run return to the composer. */
export class PromptCommands {
  private readonly panel: { readonly feed: Pick<PanelFeed, 'deliver'> };
  private readonly connection: Pick<ModelConnection, 'kind' | 'models'>;
  private readonly readTable: ReadTable;
  private readonly makeSurface: MakeSurface;

  constructor(
    panel: { readonly feed: Pick<PanelFeed, 'deliver'> },
    connection: Pick<ModelConnection, 'kind' | 'models'>,
    readTable: ReadTable,
    makeSurface: MakeSurface,
  ) {
    this.panel = panel;
    this.connection = connection;
    this.readTable = readTable;
    this.makeSurface = makeSurface;
  }

  /**
   * Runs a prompt that is a slash command, or says why it cannot. A prompt that needs a model returns to the composer
   * while none is connected. Resolves with false if it must be sent like any other.
   * @param driver the third-party agent that answers with its own model; absent for Folio's
   */
  async carryOut(text: string, attachments: readonly Attachment[], driver?: string): Promise<boolean> {
    const isKept = () => driver === undefined && this.keepFromNobody(text, attachments);
    if (!text.trimStart().startsWith('/')) return isKept();
    const { parseCommand, asksModel } = await import('../../../core/commands/table/parseCommand.ts');
    const table = await this.readTable('fresh');
    const parsed = parseCommand(text, table);
    if (asksModel(parsed) && isKept()) return true;
    if (parsed.kind === 'prompt') return false;
    if (parsed.kind === 'refused') this.giveBack(text, attachments, parsed.sentence);
    else await this.runTyped({ text, attachments, ...parsed }, table);
    return true;
  }

  /** Runs a command that nobody typed. Returns a sentence on why it cannot. */
  async run(text: string): Promise<string | undefined> {
    const { parseCommand, runCommand } = await import('../../../core/commands/table/parseCommand.ts');
    const table = await this.readTable('fresh');
    const parsed = parseCommand(text, table);
    if (parsed.kind !== 'command') return parsed.kind === 'refused' ? parsed.sentence : undefined;
    return runCommand(parsed.command, await this.makeSurface(table, () => []), parsed.argument, 'dialog');
  }

  /** @param query text after the slash */
  async complete(query: string): Promise<CompletionList> {
    const { completeCommand } = await import('../../../core/commands/completeCommand.ts');
    // While a name is being typed, cached files are used.
    const { commands } = await this.readTable(query.length <= 1 ? 'fresh' : 'known');
    return completeCommand(query, commands, this.connection.models);
  }

  /** Returns attachments that the command does not use to the user. */
  private async runTyped(typed: TypedCommand, table: CommandTable): Promise<void> {
    const { text, attachments, command, argument } = typed;
    const { runCommand } = await import('../../../core/commands/table/parseCommand.ts');
    let left = attachments;
    const surface = await this.makeSurface(table, () => {
      left = [];
      return attachments;
    });
    try {
      const refusal = await runCommand(command, surface, argument);
      if (refusal !== undefined) this.giveBack(text, attachments, refusal);
      else if (left.length > 0) this.giveBack('', left);
    } catch (error) {
      if (left === attachments) this.giveBack(text, attachments, isAbortError(error) ? stopped() : undefined);
      if (!isAbortError(error)) throw error;
    }
  }

  private keepFromNobody(text: string, attachments: readonly Attachment[]): boolean {
    if (this.connection.kind !== 'none') return false;
    this.giveBack(text, attachments, withoutModel());
    return true;
  }

  private giveBack(text: string, attachments: readonly Attachment[], hint?: string): void {
    this.panel.feed.deliver({ type: 'composer.filled', text, attachments, hint: hint || undefined });
  }
}

interface TypedCommand {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly command: Command;
  readonly argument: string;
}

const advice = () => ({
  trust: t('use “Workspaces: Manage Workspace Trust”'),
  letCount: t('review it with “Folio: Show Servers, Commands, Agents and Skills”, then send it again'),
});
const withoutModel = () => t('Connect a model before you send a prompt. Choose one, or try the rehearsal.');
const stopped = () => t('You stopped it, so nothing was sent.');

/** Commands of Folio, of files and of servers. */
export function windowCommandTable(
  additions: Pick<WindowCustomizations, 'get' | 'refresh'>,
  trust: Pick<WindowTrust, 'isTrusted'>,
  prompts?: ServerPrompts,
): ReadTable {
  return async files => {
    const { currentTable } = await import('../../../core/commands/table/commandTable.ts');
    if (files === 'fresh') await additions.refresh();
    return currentTable(await additions.get(), { trusted: trust.isTrusted, advice: advice(), prompts });
  };
}
