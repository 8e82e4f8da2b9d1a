import { type TextEditor, window, workspace } from 'vscode';
import type { Attachment } from '../../../protocol/intentions.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { PanelView } from '../panel/panelView.ts';
import { registerCommands } from './commands.ts';

const selectionLimit = 16_384;

/** Attaches what is selected in the editor to the next prompt; with nothing selected, the whole file. */
export function registerAddSelection(panel: PanelView, log: Log): Disposable {
  return registerCommands(log, {
    'folio.addSelection': async () => {
      const editor = window.activeTextEditor;
      if (!editor) {
        void window.showInformationMessage('Open a file and select what Folio should look at.');
        return;
      }
      panel.feed.deliver({ type: 'attachment.added', attachment: attachmentOf(editor) });
      await panel.focus();
    },
  });
}

function attachmentOf({ document, selection }: TextEditor): Attachment {
  const path = workspace.asRelativePath(document.uri, false);
  if (selection.isEmpty && document.uri.scheme === 'file') return { kind: 'file', path };
  // A selection that ends at the start of a line does not hold that line.
  const { start, end } = selection;
  const endLine = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  const text = document.getText(selection.isEmpty ? undefined : selection).slice(0, selectionLimit);
  return { kind: 'selection', path, startLine: start.line + 1, endLine, text };
}
