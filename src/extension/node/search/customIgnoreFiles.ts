/* Ignore files that the user's settings name, beside `.gitignore` and `.geminiignore`. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import { realOf } from './gitConfig.ts';

export interface CustomIgnoreFile {
  /** Absolute. */
  readonly file: string;
  /** The workspace folder, absolute; what the rules are relative to. */
  readonly folder: string;
}

/** Lists the files as of now; one listed earlier goes before the ones after it. */
export type CustomIgnoreFiles = () => readonly CustomIgnoreFile[];

export interface CustomIgnorePorts {
  readonly settings: Pick<Settings, 'get'>;
  readonly folders: () => readonly string[];
  readonly log: Pick<Log, 'warn'>;
}

/** Logs each name that no workspace folder has a file of, once. */
export function customIgnoreFiles({ settings, folders, log }: CustomIgnorePorts): CustomIgnoreFiles {
  const reported = new Set<string>();
  return () => {
    // Searches begin at the folder as it is opened, or at where it really lies.
    const places = [...new Set(folders().flatMap(folder => [folder, realOf(folder)]))];
    return settings.get('ignoreFiles').flatMap(name => {
      const all = places.map(folder => ({ folder, file: resolve(folder, name) }));
      const found = all.filter(({ file }) => existsSync(file));
      if (found.length === 0 && places.length > 0 && !reported.has(name)) {
        reported.add(name);
        log.warn(`There is no ignore file ${name}, which the settings name. It leaves nothing out.`);
      }
      return found;
    });
  };
}
