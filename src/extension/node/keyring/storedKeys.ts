/*
 * Keys that `--sign-in` stored in the system's keyring. A file lists their names, so that runs of users who never
 * signed in do not access the keyring, which may need to be unlocked.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';
import type { ApiKeyName, ApiKeys, StoredSecrets } from '../../platform/secrets.ts';
import { keyVariable } from '../environmentKeys.ts';
import { writeAtomically } from '../files/atomicWrite.ts';

export class StoredKeys implements ApiKeys {
  private readonly path: string;
  private readonly openKeyring: () => Promise<StoredSecrets | undefined>;

  /** @param home absolute path */
  constructor(home: string, openKeyring: () => Promise<StoredSecrets | undefined>) {
    this.path = join(home, '.folio', 'keys.json');
    this.openKeyring = openKeyring;
  }

  /** Rejects with a user-facing message if a stored key is unavailable. */
  async read(name: ApiKeyName): Promise<string | undefined> {
    if (!(await this.names()).includes(name)) return undefined;
    try {
      const keyring = await this.openKeyring();
      return await keyring?.find(entryOf(name));
    } catch (error) {
      throw new LocalizedError(() =>
        t(
          'The keyring of this system gave no key ({0}). Unlock it, or set the variable {1}, then retry.',
          messageOf(error),
          keyVariable(name),
        ),
      );
    }
  }

  /** Rejects with the keyring's error. */
  async keep(keyring: StoredSecrets, name: ApiKeyName, key: string): Promise<void> {
    await keyring.keep(entryOf(name), key);
    await this.write([...new Set([...(await this.names()), name])]);
  }

  /** Returns the names of the removed keys. */
  async dropAll(keyring: StoredSecrets): Promise<readonly string[]> {
    const names = await this.names();
    for (const name of names) await keyring.drop(entryOf(name));
    if (names.length > 0) await this.write([]);
    return names;
  }

  private async names(): Promise<readonly string[]> {
    const content = tryParseJson(await readFile(this.path, 'utf8').catch(() => ''));
    const stored = isRecord(content) ? content.stored : undefined;
    return Array.isArray(stored) ? stored.filter(each => typeof each === 'string') : [];
  }

  private async write(stored: readonly string[]): Promise<void> {
    await writeAtomically(this.path, Buffer.from(`${JSON.stringify({ stored })}\n`), { mode: 0o600 });
  }
}

function entryOf(name: string): string {
  return `key.${name}`;
}

export function storedKeysOf({
  home,
  platform,
}: {
  readonly home: string;
  readonly platform: string;
}): StoredKeys {
  return new StoredKeys(home, () => openKeyring(platform));
}

/** Resolves to `undefined` if Folio supports no keyring on this system. Loads the keyring's code. */
export async function openKeyring(platform: string): Promise<StoredSecrets | undefined> {
  const { SystemKeyring } = await import('./systemKeyring.ts');
  return SystemKeyring.open(platform);
}
