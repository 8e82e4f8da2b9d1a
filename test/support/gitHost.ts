/*
 * A small process that runs git for a worker of the tests, which grows large: what a start of a program copies grows
 * with the process that starts it. Started by hostedGit.ts.
 */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { GitFiles } from '../../src/extension/node/git/gitFiles.ts';
import type { FromGitHost, GitRequest, ToGitHost } from './hostedGit.ts';

const run = promisify(execFile);
const running = new Map<number, AbortController>();
const files = new Map<number, GitFiles>();

process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToGitHost) => {
  if (message.kind === 'abort') running.get(message.id)?.abort();
  else void answer(message);
});

async function answer({ id, request }: Extract<ToGitHost, { kind: 'ask' }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const reply = await carryOut(request, controller.signal).then(
    (value): FromGitHost => ({ id, kind: 'done', value }),
    (error: unknown): FromGitHost => ({ id, kind: 'failed', error }),
  );
  running.delete(id);
  process.send?.(reply);
}

async function carryOut(request: GitRequest, signal: AbortSignal): Promise<unknown> {
  switch (request.kind) {
    case 'run':
      return (await run('git', request.args, { cwd: request.folder, env: request.env })).stdout;
    case 'changedFiles':
      return await filesOf(request.owner).changedFiles(request.folder, signal, request.since);
    case 'readCommitted':
      return await filesOf(request.owner).readCommitted(request.folder, request.committed, signal);
  }
}

/** Each keeps what it has seen for itself. */
function filesOf(owner: number): GitFiles {
  const found = files.get(owner) ?? new GitFiles();
  files.set(owner, found);
  return found;
}
