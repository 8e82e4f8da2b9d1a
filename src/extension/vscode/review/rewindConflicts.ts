import { basename } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import type { RestoredFile } from '../../../protocol/values.ts';
import { plural } from '../../base/text.ts';
import type { Log } from '../../platform/log.ts';
import { decodeText } from '../../platform/textBytes.ts';
import type { ActiveSession } from '../activeSession.ts';
import { report } from '../features/report.ts';
import type { FileNames } from './fileNames.ts';
import { proposalScheme } from './proposalUris.ts';
import type { VirtualFiles } from './virtualFiles.ts';

interface RewindConflictParts {
  readonly session: ActiveSession;
  readonly names: FileNames;
  readonly files: VirtualFiles;
  readonly log: Log;
}

/** Files that a rewind left alone: the person sees both texts and chooses. */
export class RewindConflicts {
  private readonly parts: RewindConflictParts;

  constructor(parts: RewindConflictParts) {
    this.parts = parts;
  }

  /** Returns at once: the person answers when they like. */
  tell(files: readonly RestoredFile[]): void {
    const left = files.filter(({ result }) => result === 'conflict').map(({ path }) => path);
    const lost = files.filter(({ result }) => result === 'lost').map(({ path }) => path);
    if (lost.length > 0)
      void window.showWarningMessage(
        `What ${listed(lost)} held is no longer kept, so ${lost.length === 1 ? 'it stays as it is' : 'they stay as they are'}.`,
      );
    if (left.length > 0)
      this.ask(left).catch(error => report(this.parts.log, 'The difference cannot be shown', error));
  }

  private async ask(paths: readonly string[]): Promise<void> {
    const stays = paths.length === 1 ? 'it stays as it is' : 'they stay as they are';
    const sentence = `You wrote where ${listed(paths)} would have been put back, so ${stays}.`;
    const choice = await window.showWarningMessage(sentence, 'Show');
    if (choice) for (const path of paths) await this.show(path);
  }

  private async show(shown: string): Promise<void> {
    const { session, names, files } = this.parts;
    const wanted = await session.present?.changes.readWanted(shown);
    const text = wanted?.bytes === null ? '' : wanted && decodeText(wanted.bytes)?.text;
    if (!wanted || text === undefined) {
      void window.showInformationMessage(`What ${shown} held is no text that could be shown.`);
      return;
    }
    const present = names.uriOf(wanted.path);
    const query = `${session.state.sessionId}/rewind`;
    const before = Uri.from({ scheme: proposalScheme, path: present.path, query });
    files.put(before, text, 'locked');
    // Opened beforehand, so that the encoding that the person has set for files does not count.
    await workspace.openTextDocument(before, { encoding: 'utf8' });
    const title = `${basename(wanted.path)} (before ↔ now)`;
    await commands.executeCommand('vscode.diff', before, present, title, { preview: false });
  }
}

function listed(paths: readonly string[]): string {
  return paths.length === 1 ? paths[0]! : plural(paths.length, 'file');
}
