import { basename } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import { plural, t } from '../../../protocol/language.ts';
import type { RestoredFile } from '../../../protocol/values.ts';

import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import { reportFailure } from '../features/report.ts';
import { proposalScheme } from './proposalUris.ts';
import type { RealPathMapper } from './realPathMapper.ts';
import type { VirtualFiles } from './virtualFiles.ts';

export interface RewindConflictPorts {
  readonly session: ActiveSession;
  readonly names: RealPathMapper;
  readonly files: VirtualFiles;
  readonly log: Log;
}

/** Files that a rewind left alone: the user compares both texts and chooses. */
export class RewindConflicts {
  private readonly parts: RewindConflictPorts;

  constructor(parts: RewindConflictPorts) {
    this.parts = parts;
  }

  /** Does not wait: the user may answer later. */
  notify(files: readonly RestoredFile[]): void {
    const left = files.filter(({ result }) => result === 'conflict').map(({ path }) => path);
    const lost = files.filter(({ result }) => result === 'lost').map(({ path }) => path);
    if (lost.length > 0)
      void window.showWarningMessage(
        lost.length === 1
          ? t('The earlier content of {0} is gone, so it was not restored.', lost[0]!)
          : plural(
              lost.length,
              'other: The earlier content of {0} files is gone, so they were not restored.',
            ),
      );
    if (left.length > 0)
      this.ask(left).catch(error =>
        reportFailure(this.parts.log, t('The difference cannot be shown'), error),
      );
  }

  private async ask(paths: readonly string[]): Promise<void> {
    const sentence =
      paths.length === 1
        ? t('Kept {0}: it conflicts with your edits.', paths[0]!)
        : plural(paths.length, 'other: Kept {0} files: they conflict with your edits.');
    const choice = await window.showWarningMessage(sentence, t('Show'));
    if (choice) for (const path of paths) await this.show(path);
  }

  private async show(shown: string): Promise<void> {
    const { session, names, files } = this.parts;
    const wanted = await session.present?.changes.restorer.readWanted(shown);
    if (!wanted) {
      void window.showInformationMessage(t('The earlier {0} is not text and cannot be shown.', shown));
      return;
    }
    const present = names.uriOf(wanted.path);
    const query = `${session.state.sessionId}/rewind`;
    const before = Uri.from({ scheme: proposalScheme, path: present.path, query });
    files.put(before, wanted.text, 'locked');
    // Opened explicitly as UTF-8, to ignore the user's encoding settings.
    await workspace.openTextDocument(before, { encoding: 'utf8' });
    const title = t('{0} (before ↔ now)', basename(wanted.path));
    await commands.executeCommand('vscode.diff', before, present, title, { preview: false });
  }
}
