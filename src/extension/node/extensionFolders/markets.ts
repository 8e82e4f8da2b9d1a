/* The user's marketplaces, by name: `~/.folio/markets.json`. */

import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import type { Marketplace } from '../../platform/customizations/extensionFolders.ts';
import { writeAtomically } from '../files/atomicWrite.ts';
import { isMissing } from '../files/fileErrors.ts';
import { readBounded } from '../files/readBounded.ts';

const maxBytes = 1024 * 1024;

/** In the order in which they were added. Rejects if the file cannot be read. */
export async function readMarkets(home: string): Promise<readonly Marketplace[]> {
  const path = fileIn(home);
  try {
    const content: unknown = JSON.parse(await readBounded(path, maxBytes));
    return Array.isArray(content) ? content.flatMap(parseMarket) : [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw new LocalizedError(() =>
      t('{0} cannot be used ({1}). Mend or delete it.', path, messageOf(error).replace(/\.$/, '')),
    );
  }
}

export async function writeMarkets(home: string, markets: readonly Marketplace[]): Promise<void> {
  const path = fileIn(home);
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, new TextEncoder().encode(`${JSON.stringify(markets, null, 2)}\n`));
}

function fileIn(home: string): string {
  return join(home, '.folio', 'markets.json');
}

function parseMarket(entry: unknown): readonly Marketplace[] {
  if (!isRecord(entry)) return [];
  const { name, source, ref } = entry;
  if (typeof name !== 'string' || typeof source !== 'string') return [];
  return [{ name, source, ref: typeof ref === 'string' ? ref : undefined }];
}
