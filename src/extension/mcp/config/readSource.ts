/* What of a server's configuration is only known when it starts. */

import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { messageOf } from '../../base/errors.ts';
import { expandInputs, mapTexts } from './expand.ts';
import type { ServerSource, Texts } from './serverConfig.ts';

/** Puts in the person's answers and the variables of `envFile`. Rejects with a sentence. */
export async function readSource(
  source: ServerSource,
  answers: ReadonlyMap<string, string>,
): Promise<ServerSource> {
  const full = (text: string) => expandInputs(text, answers);
  switch (source.kind) {
    case 'stdio': {
      const { envFile, env, args } = source;
      const ofFile = envFile === undefined ? {} : await readEnvFile(full(envFile));
      return {
        ...source,
        command: full(source.command),
        args: args.map(full),
        cwd: full(source.cwd),
        env: { ...ofFile, ...mapTexts(env, full) },
      };
    }
    case 'http':
    case 'sse':
      return { ...source, url: full(source.url), headers: mapTexts(source.headers, full) };
    case 'vscode':
      return source;
  }
}

async function readEnvFile(path: string): Promise<Texts> {
  try {
    const found = parseEnv(await readFile(path, 'utf8'));
    return Object.fromEntries(
      Object.entries(found).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  } catch (error) {
    throw new Error(`Its envFile ${path} cannot be read: ${messageOf(error)}`);
  }
}
