import type { Attachment } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import type { CompletionList } from '../../../../protocol/mentions.ts';
import { isAbortError } from '../../../base/errors.ts';
import type { Command, CommandSurface } from '../../../core/commands/commands.ts';
import type { PromptSource } from '../../../core/commands/prompts/promptSource.ts';
import type { CommandTable } from '../../../core/commands/table/commandTable.ts';
import type { Connection } from '../../connection.ts';
import type { PanelFeed } from '../../panel/panelFeed.ts';
import type { WindowTrust } from '../../windowTrust.ts';
import type { WindowAdditions } from '../customizations/windowAdditions.ts';

/** Reads which commands there are, their files again or as they were known a moment ago. */
type ReadTable = (files: 'fresh' | 'known') => Promise<CommandTable>;

/** @param takeAttachments gives what goes along with a prompt that a command sends */
type MakeSurface = (
  table: CommandTable,
  takeAttachments: () => readonly Attachment[],
) => Promise<CommandSurface>;

/** Commands are carried out with what the window has; one that cannot be comes back to the composer. */
export class PromptCommands {
  private readonly panel: { readonly feed: Pick<PanelFeed, 'deliver'> };
  private readonly connection: Pick<Connection, 'kind' | 'models'>;
  private readonly readTable: ReadTable;
  private readonly makeSurface: MakeSurface;

  constructor(
    panel: { readonly feed: Pick<PanelFeed, 'deliver'> },
    connection: Pick<Connection, 'kind' | 'models'>,
    readTable: ReadTable,
    makeSurface: MakeSurface,
  ) {
    this.panel = panel;
    this.connection = connection;
    this.readTable = readTable;
    this.makeSurface = makeSurface;
  }

  /**
   * Carries out a prompt that is a command, or says why it is none. A prompt that needs a model comes back while none
   * is connected. False: it is to be sent like any other.
   * @param driver the agent of another maker that answers with a model of its own; absent: Folio's
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

  /** Carries out one that nobody typed; gives the sentence why it cannot be carried out. */
  async run(text: string): Promise<string | undefined> {
    const { parseCommand, runCommand } = await import('../../../core/commands/table/parseCommand.ts');
    const table = await this.readTable('fresh');
    const parsed = parseCommand(text, table);
    if (parsed.kind !== 'command') return parsed.kind === 'refused' ? parsed.sentence : undefined;
    return runCommand(parsed.command, await this.makeSurface(table, () => []), parsed.argument);
  }

  /** @param query what was typed behind the slash */
  async complete(query: string): Promise<CompletionList> {
    const { completeCommand } = await import('../../../core/commands/completeCommand.ts');
    // While a name is typed on, the files stay as they were a moment ago.
    const { commands } = await this.readTable(query.length <= 1 ? 'fresh' : 'known');
    return completeCommand(query, commands, this.connection.models);
  }

  /** Attachments that the command does not take come back to the user. */
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

/** The commands of Folio, of files and of servers. */
export function windowTable(
  additions: Pick<WindowAdditions, 'get' | 'refresh'>,
  trust: Pick<WindowTrust, 'isTrusted'>,
  prompts?: PromptSource,
): ReadTable {
  return async files => {
    const { tableOf } = await import('../../../core/commands/table/commandTable.ts');
    if (files === 'fresh') await additions.refresh();
    return tableOf(await additions.get(), { trusted: trust.isTrusted, advice: advice(), prompts });
  };
}
