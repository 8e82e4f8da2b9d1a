import type { Extension } from 'vscode';
import type { Attachment } from '../../../../protocol/events.ts';
import { isAbortError } from '../../../base/errors.ts';
import type { CommandFiles } from '../../../core/commands/commands.ts';
import type { CommandChoices } from '../../../core/commands/completeCommand.ts';
import type { PromptSource } from '../../../core/commands/prompts/promptSource.ts';
import type { ServerAccess } from '../../../core/commands/serverAccess.ts';
import type { CommandTable } from '../../../core/commands/table/commandTable.ts';
import type { MemoryPlace } from '../../../core/context/memory.ts';
import type { ExtensionFolders } from '../../../platform/customizations/extensionFolders.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { Connection } from '../../connection.ts';
import type { PanelView } from '../../panel/panelView.ts';
import type { SessionLibrary } from '../../sessionLibrary.ts';
import type { WindowTrust } from '../../windowTrust.ts';
import type { ApprovalModes } from '../approvalMode.ts';
import type { WindowAdditions } from '../customizations/windowAdditions.ts';
import type { ReadingTexts } from '../documents/readingTexts.ts';

export interface PromptCommandParts {
  readonly session: ActiveSession;
  readonly library: SessionLibrary;
  readonly connection: Connection;
  /** The id that a name of a model stands for. */
  readonly resolveModel: (name: string) => string;
  readonly panel: PanelView;
  readonly modes: ApprovalModes;
  readonly texts: ReadingTexts;
  readonly additions: Pick<WindowAdditions, 'get' | 'refresh'>;
  /** The person's home folder, absolute. */
  readonly home: string;
  readonly extensionFolders: () => Promise<ExtensionFolders>;
  readonly serverAccess: () => Promise<ServerAccess>;
  /** Prompts of servers; absent: there are none. */
  readonly prompts?: () => PromptSource;
  readonly files: CommandFiles;
  readonly place: () => MemoryPlace;
  readonly trust: Pick<WindowTrust, 'isTrusted'>;
  /** Folio, as VS Code knows it. */
  readonly extension: Pick<Extension<unknown>, 'packageJSON'>;
  readonly log: Log;
}

export interface PromptCommands {
  /**
   * Carries out a prompt that is a command, or says why it is none. What needs a model comes back while none is
   * connected. False: it is to be sent like any other.
   */
  take(text: string, attachments: readonly Attachment[]): Promise<boolean>;
  /** Carries out one that nobody typed; gives the sentence why it cannot be carried out. */
  run(text: string): Promise<string | undefined>;
  /** @param query what was typed behind the slash */
  complete(query: string): Promise<CommandChoices>;
}

/** Commands are carried out with what the window has; one that cannot be comes back to the composer. */
export function takePromptCommands(parts: PromptCommandParts): PromptCommands {
  const { panel, connection } = parts;
  const giveBack = (text: string, attachments: readonly Attachment[], hint?: string) =>
    panel.feed.deliver({ type: 'composer.filled', text, attachments, hint: hint || undefined });
  const keepFromNobody = (text: string, attachments: readonly Attachment[]) => {
    if (connection.kind !== 'none') return false;
    giveBack(text, attachments, withoutModel);
    return true;
  };
  return {
    take: async (text, attachments) => {
      if (!text.trimStart().startsWith('/')) return keepFromNobody(text, attachments);
      const { parseCommand, asksModel } = await import('../../../core/commands/table/parseCommand.ts');
      const table = await readTable(parts, 'anew');
      const parsed = parseCommand(text, table);
      if (asksModel(parsed) && keepFromNobody(text, attachments)) return true;
      if (parsed.kind === 'prompt') return false;
      if (parsed.kind === 'refused') {
        giveBack(text, attachments, parsed.sentence);
        return true;
      }
      let left = attachments;
      const takeAttachments = () => {
        left = [];
        return attachments;
      };
      const { windowSurface } = await import('./commandSurface.ts');
      const surface = windowSurface(parts, table, takeAttachments);
      try {
        const refusal = await parsed.command.run(surface, parsed.argument);
        if (refusal) giveBack(text, attachments, refusal.sentence);
        else if (left.length > 0) giveBack('', left);
      } catch (error) {
        if (left === attachments) giveBack(text, attachments, isAbortError(error) ? stopped : undefined);
        if (!isAbortError(error)) throw error;
      }
      return true;
    },
    run: async text => {
      const { parseCommand } = await import('../../../core/commands/table/parseCommand.ts');
      const table = await readTable(parts, 'anew');
      const parsed = parseCommand(text, table);
      if (parsed.kind !== 'command') return parsed.kind === 'refused' ? parsed.sentence : undefined;
      const { windowSurface } = await import('./commandSurface.ts');
      const refusal = await parsed.command.run(
        windowSurface(parts, table, () => []),
        parsed.argument,
      );
      return refusal?.sentence;
    },
    complete: async query => {
      const { completeCommand } = await import('../../../core/commands/completeCommand.ts');
      // While a name is typed on, the files stay as they were a moment ago.
      const table = await readTable(parts, query.length <= 1 ? 'anew' : 'known');
      return completeCommand(query, table.commands);
    },
  };
}

const advice = {
  trust: 'use “Workspaces: Manage Workspace Trust”',
  letCount: 'look at it with “Folio: Show Servers, Commands, Agents and Skills”, then send it again',
};
const withoutModel = 'Nothing can be sent before a model is connected. Choose one, or try the rehearsal.';
const stopped = 'You stopped it, so nothing was sent.';

async function readTable(
  { additions, prompts, trust }: PromptCommandParts,
  files: 'anew' | 'known',
): Promise<CommandTable> {
  const { tableOf } = await import('../../../core/commands/table/commandTable.ts');
  if (files === 'anew') await additions.refresh();
  return tableOf(await additions.get(), {
    trusted: trust.isTrusted,
    advice,
    prompts: prompts?.(),
  });
}
