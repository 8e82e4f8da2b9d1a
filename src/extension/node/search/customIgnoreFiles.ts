/* Ignore files named in the user's settings, besides `.gitignore` and `.geminiignore`. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import { realPathOrSameSync } from './gitConfig.ts';

export interface CustomIgnoreFile {
  /** Absolute path. */
  readonly file: string;
  /** Absolute path of the workspace folder to which the rules are relative. */
  readonly folder: string;
}

/** Returns the current files. Earlier ones take precedence. */
export type CustomIgnoreFiles = () => readonly CustomIgnoreFile[];

export interface CustomIgnorePorts {
  readonly settings: Pick<Settings, 'get'>;
  readonly folders: () => readonly string[];
  readonly log: Pick<Log, 'warn'>;
}

/** Logs once each name that exists in no workspace folder. */
export function customIgnoreFiles({ settings, folders, log }: CustomIgnorePorts): CustomIgnoreFiles {
  const reported = new Set<string>();
  return () => {
    // A search may start at the folder as opened, or at its resolved path.
    const places = [...new Set(folders().flatMap(folder => [folder, realPathOrSameSync(folder)]))];
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
