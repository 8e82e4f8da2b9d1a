import { commands, window } from 'vscode';
import type { Attachment } from '../../../protocol/events.ts';
import type { Command, CommandSurface } from '../../core/commands/commands.ts';
import type { MemoryPlace } from '../../core/context/memory.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { PanelView } from '../panel/panelView.ts';

export interface PromptCommandParts {
  readonly session: ActiveSession;
  readonly panel: PanelView;
  readonly files: Pick<FileSystem, 'stat'>;
  readonly place: () => MemoryPlace;
}

export interface PromptCommands {
  /** Carries out a prompt that is a command, or says why it is none. False: it is to be sent like any other. */
  take(text: string, attachments: readonly Attachment[]): Promise<boolean>;
}

/** Commands are carried out with what the window has; one that cannot be comes back to the composer. */
export function takePromptCommands(parts: PromptCommandParts): PromptCommands {
  const { panel } = parts;
  const giveBack = (text: string, attachments: readonly Attachment[], hint?: string) =>
    panel.feed.deliver({ type: 'composer.filled', text, attachments, ...(hint && { hint }) });
  return {
    take: async (text, attachments) => {
      if (!text.startsWith('/')) return false;
      const { parseCommand } = await import('../../core/commands/parseCommand.ts');
      const parsed = parseCommand(text);
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
      const refusal = await parsed.command.run(surfaceOf(parts, takeAttachments), parsed.argument);
      if (refusal) giveBack(text, attachments, refusal.sentence);
      else if (left.length > 0) giveBack('', left);
      return true;
    },
  };
}

/** @param takeAttachments what goes along with a prompt that a command sends */
function surfaceOf(
  { session, panel, files, place }: PromptCommandParts,
  takeAttachments: () => readonly Attachment[],
): CommandSurface {
  return {
    files,
    place,
    mode: () => session.state.mode,
    compress: async () => commands.executeCommand('folio.compressContext'),
    startNewSession: () => session.startNew(),
    showMemory: async () => commands.executeCommand('folio.showMemory'),
    showCommands: list => pickCommand(list, panel),
    send: (shown, wording) => session.send(shown, takeAttachments(), wording),
  };
}

/** The one that is picked stands in the composer, to be sent or gone on with. */
async function pickCommand(list: readonly Command[], panel: PanelView): Promise<void> {
  const items = list.map(({ name, description, argument }) => ({
    label: `/${name}${argument ? ` [${argument}]` : ''}`,
    description,
    name,
  }));
  const picked = await window.showQuickPick(items, {
    title: 'Commands of the prompt',
    placeHolder: 'Type / in the prompt to get here faster',
  });
  if (!picked) return;
  panel.feed.deliver({ type: 'composer.filled', text: `/${picked.name} `, attachments: [] });
  await panel.focus();
}
