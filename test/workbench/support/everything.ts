/* The server that exercises every part of the protocol, as a workspace or a user names it. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../../scripts/run.ts';

const program = join(
  projectRoot,
  'node_modules',
  '@modelcontextprotocol',
  'server-everything',
  'dist',
  'index.js',
);

/** @param starts a file that gets a line with the process's id whenever it starts */
export function everything(starts: string, ...args: readonly string[]) {
  const script = 'echo $$ >> "$0"; exec "$@"';
  return {
    command: 'bash',
    args: ['-c', script, starts, process.execPath, program, 'stdio', ...args],
    description: 'Everything that the protocol has',
  };
}

/** Ids of all processes that were started, oldest first. */
export async function startsOf(file: string): Promise<readonly number[]> {
  // Nothing was started as long as there is no file.
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
}

export async function writeServers(file: string, mcpServers: Readonly<Record<string, object>>) {
  await writeFile(file, JSON.stringify({ mcpServers }, null, 2));
}
