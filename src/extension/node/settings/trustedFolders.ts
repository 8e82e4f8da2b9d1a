/*
 * Reads the file in which the user lists trusted folders, shared with other programs. Folio uses only its denials:
 * whether a folder is trusted is up to VS Code, or to the command line.
 */

import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { isMissing } from '../files/fileErrors.ts';
import { containsPath, realPathOrSame } from '../files/realPath.ts';
import { parseTolerantJson } from '../files/tolerantJson.ts';
import { type TrustPlaces, trustFileOf } from './trustFile.ts';

interface UntrustedReason {
  /** Message about the file's content and its effect. */
  readonly sentence: string;
  /** Absolute path. Omitted if an environment variable decides. */
  readonly file?: string;
}

/** Resolves to why one of the folders is untrusted, or `undefined`. Never rejects. */
export async function findUntrustedReason(
  folders: readonly string[],
  places: TrustPlaces,
): Promise<UntrustedReason | undefined> {
  const word = places.env.GEMINI_CLI_TRUST_WORKSPACE;
  if (word === 'true') return undefined;
  if (word === 'false')
    return { sentence: t('GEMINI_CLI_TRUST_WORKSPACE is false, so nothing is written or run.') };
  const file = trustFileOf(places);
  try {
    const content = await parseTolerantJson(await readFile(file, 'utf8'));
    if (!isRecord(content)) throw new LocalizedError(() => t('it contains no object'));
    const rules = await Promise.all(Object.entries(content).map(readRule));
    for (const folder of folders) {
      const against = classify(await realPathOrSame(folder), rules);
      if (against) return { sentence: describe(file, against), file };
    }
    return undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    const sentence = t(
      '{0} cannot be read ({1}), so no folder is trusted: nothing is written or run.',
      file,
      messageOf(error),
    );
    return { sentence, file };
  }
}

interface TrustRule {
  /** Absolute, with links resolved if it exists. */
  readonly folder: string;
  readonly level: unknown;
}

async function readRule([path, level]: readonly [string, unknown]): Promise<TrustRule> {
  const folder = level === 'TRUST_PARENT' ? dirname(path) : path;
  return { folder: isAbsolute(folder) ? await realPathOrSame(folder) : folder, level };
}

/** The rule of the nearest folder decides; of several for the same folder, the strictest. */
function classify(folder: string, rules: readonly TrustRule[]): TrustRule | undefined {
  const about = rules.filter(rule => isAbsolute(rule.folder) && containsPath(rule.folder, folder));
  const nearest = Math.max(...about.map(rule => rule.folder.length));
  return about.find(
    rule => rule.folder.length === nearest && rule.level !== 'TRUST_FOLDER' && rule.level !== 'TRUST_PARENT',
  );
}

function describe(file: string, { folder, level }: TrustRule): string {
  if (level === 'DO_NOT_TRUST')
    return t('{0} marks {1} as not trusted, so nothing is written or run.', file, folder);
  return t(
    '{0} sets {1} to {2}, which Folio does not support. Nothing is written or run.',
    file,
    folder,
    JSON.stringify(level),
  );
}
