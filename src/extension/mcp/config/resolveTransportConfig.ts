/* Resolves the parts of a server's configuration that are known only at its start. */

import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { t } from '../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { expandInputs, mapStrings } from './expand.ts';
import type { StringRecord, TransportConfig } from './serverConfig.ts';

/** Inserts the user's answers and the variables of `envFile`. Rejects with a user-facing message. */
export async function resolveTransportConfig(
  source: TransportConfig,
  answers: ReadonlyMap<string, string>,
): Promise<TransportConfig> {
  const full = (text: string) => expandInputs(text, answers);
  switch (source.kind) {
    case 'stdio': {
      const { envFile, env, args, sandbox } = source;
      const ofFile = envFile === undefined ? {} : await readEnvFile(full(envFile));
      return {
        ...source,
        command: full(source.command),
        args: args.map(full),
        cwd: full(source.cwd),
        env: { ...ofFile, ...mapStrings(env, full) },
        sandbox: sandbox && {
          hosts: sandbox.hosts,
          write: sandbox.write.map(full),
          read: sandbox.read.map(full),
        },
      };
    }
    case 'http':
    case 'sse':
      return {
        ...source,
        url: full(source.url),
        headers: mapStrings(source.headers, (text, key) => headerText(full(text), key)),
      };
    case 'vscode':
      return source;
  }
}

/**
 * Rejects an invalid header here, because fetch would quote it and it may be a secret. Variables often end with a line
 * break.
 */
function headerText(text: string, name: string): string {
  const plain = text.trim();
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(plain)) return plain;
  throw new LocalizedError(() =>
    t(
      'Its header {0} contains characters that are not allowed in a header. Correct its entry, or the variable that it uses.',
      name,
    ),
  );
}

async function readEnvFile(path: string): Promise<StringRecord> {
  try {
    const found = parseEnv(await readFile(path, 'utf8'));
    return Object.fromEntries(
      Object.entries(found).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  } catch (error) {
    throw new LocalizedError(() => t('Its envFile {0} cannot be read: {1}', path, messageOf(error)));
  }
}
