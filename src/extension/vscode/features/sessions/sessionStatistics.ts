/* Statistics of all sessions, for the page and as a file. Read on demand and never sent. */

import { Uri, window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { ToWebview } from '../../../../protocol/panel/messages.ts';
import { messageOf } from '../../../base/errors.ts';
import { type LoadedStatistics, readStatistics } from '../../../core/statistics/statisticsIndex.ts';
import { dayOf, daysUpTo, statisticsCsv, summariseStatistics } from '../../../core/statistics/summarise.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { SessionStore } from '../../../platform/storage.ts';

export class SessionStatistics {
  private readonly stores: () => Promise<readonly SessionStore[]>;
  private readonly clock: Pick<Clock, 'now'>;
  private readonly log: Log;

  constructor(stores: () => Promise<readonly SessionStore[]>, clock: Pick<Clock, 'now'>, log: Log) {
    this.stores = stores;
    this.clock = clock;
    this.log = log;
  }

  /** Never rejects: the page shows the error. */
  async describe(days: number): Promise<Extract<ToWebview, { type: 'statistics.told' }>> {
    try {
      const statistics = summariseStatistics(await this.read(), daysUpTo(this.today, days));
      return { type: 'statistics.told', days, statistics };
    } catch (error) {
      this.log.error('The statistics could not be read', error);
      return { type: 'statistics.told', days, problem: messageOf(error) };
    }
  }

  async save(days: number): Promise<void> {
    const csv = statisticsCsv(await this.read(), daysUpTo(this.today, days));
    const folder = workspace.workspaceFolders?.[0]?.uri;
    const uri = await window.showSaveDialog({
      title: t('Save statistics'),
      defaultUri: folder && Uri.joinPath(folder, `folio-statistics-${this.today}.csv`),
      filters: { CSV: ['csv'] },
    });
    if (uri) await workspace.fs.writeFile(uri, new TextEncoder().encode(csv));
  }

  private get today(): string {
    return dayOf(this.clock.now());
  }

  private async read(): Promise<LoadedStatistics> {
    const all: LoadedStatistics[] = [];
    // Sequential, to go easy on slow file systems with many workspaces.
    for (const store of await this.stores()) all.push(await readStatistics({ store, log: this.log, dayOf }));
    return {
      sessions: all.flatMap(({ sessions }) => sessions),
      unreadable: all.reduce((sum, { unreadable }) => sum + unreadable, 0),
    };
  }
}
