import { commands } from 'vscode';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../panelView.ts';
import type { SomeHandlers } from './panelHandlers.ts';

export function handleContext(session: ActiveSession, panel: PanelView) {
  return {
    'context.compress': () => commands.executeCommand('folio.compressContext'),
    'context.describe': async () => {
      const breakdown = await (await session.open()).breakdown();
      panel.feed.tell({ type: 'context.described', breakdown });
    },
    'compression.apply': ({ compressionId }) => session.present?.compressions.apply(compressionId),
    'compression.edit': ({ compressionId }) => commands.executeCommand('folio.editSummary', compressionId),
    'compression.discard': ({ compressionId }) => session.present?.compressions.discard(compressionId),
    'compression.undo': ({ compressionId }) => session.present?.compressions.undo(compressionId),
    'pin.set': ({ id, pinned }) => session.present?.setPin(id, pinned),
    'request.show': () => commands.executeCommand('folio.showRequest'),
  } satisfies SomeHandlers;
}
