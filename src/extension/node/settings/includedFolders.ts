import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { t } from '../../../protocol/language.ts';

interface IncludedPlace {
  /** Base of relative paths. If `undefined`, they are ignored. */
  readonly base: string | undefined;
  readonly home: string;
  /** Called with a message for each missing folder. */
  readonly warn: (sentence: string) => void;
}

/** Absolute paths of the existing folders. @param named as in the settings */
export async function findIncludedFolders(
  named: readonly string[],
  { base, home, warn }: IncludedPlace,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of named) {
    const own = path.replace(/^~(?=\/|$)/, () => home);
    const folder = resolve(base ?? home, own);
    if ((await stat(folder).catch(() => undefined))?.isDirectory()) found.push(folder);
    else warn(t('context.includeDirectories: there is no folder {0}.', folder));
  }
  return found;
}
