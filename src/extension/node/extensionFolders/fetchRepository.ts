/* A state of a Git repository as plain files. No program that the repository or its attributes name takes part. */

import { join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { oneLine, tailOf } from '../../base/text.ts';
import type { Processes } from '../../platform/processes.ts';

interface RepositoryFetch {
  /** An address or an absolute path. */
  readonly address: string;
  /** A branch, a tag or a commit; absent: what the repository shows automatically. */
  readonly ref?: string;
  /** Absolute, exists and is empty; gets the files, and a `.git` that serves nobody afterwards. */
  readonly folder: string;
  /** Where Git is found, as a variable. */
  readonly path: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Gives the commit. Rejects with a sentence that holds what Git said. */
export async function fetchRepository(
  processes: Pick<Processes, 'start'>,
  { address, ref = 'HEAD', folder, path, signal }: RepositoryFetch,
): Promise<string> {
  const git = (args: string, more: Readonly<Record<string, string>> = {}) =>
    runLine(processes, {
      command: `git ${settings} ${args}`,
      folder,
      // The user's own words come to the shell as values of variables, which it does not read as commands.
      env: { ...environment(folder), ...path, FOLIO_ADDRESS: address, FOLIO_REF: ref, ...more },
      signal,
    });
  await git('init --quiet --template=');
  await git(
    `fetch --quiet --depth 1 --no-tags --no-recurse-submodules -- ${shellVariable('FOLIO_ADDRESS')} ${shellVariable('FOLIO_REF')}`,
  );
  const commit = (await git("rev-parse --verify 'FETCH_HEAD^{commit}'")).trim();
  if (!/^[0-9a-f]{40,64}$/.test(commit))
    throw new SpokenError(() => t('Git found no commit in {0}.', oneLine(address, 200)));
  // Filters stand in the user's settings and are chosen by the repository's attributes, so nobody's settings are read.
  await git('checkout --quiet --force FETCH_HEAD', withoutSettings);
  return commit;
}

const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=60',
]
  .map(setting => `-c ${setting}`)
  .join(' ');

const withoutSettings = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_LFS_SKIP_SMUDGE: '1',
};

/** Nobody is there to answer what Git asks, and a host that Git started itself must not lead to another repository. */
function environment(folder: string): Readonly<Record<string, string>> {
  return {
    GIT_DIR: join(folder, '.git'),
    GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: join(folder, '.git', 'index'),
    GIT_ALLOW_PROTOCOL: 'file:https:ssh',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: process.env.GIT_SSH_COMMAND ?? 'ssh -oBatchMode=yes',
  };
}

function shellVariable(variable: string): string {
  return process.platform === 'win32' ? `"$env:${variable}"` : `"$${variable}"`;
}

interface Line {
  readonly command: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const maxOutput = 8000;

async function runLine(
  processes: Pick<Processes, 'start'>,
  { command, folder, env, signal }: Line,
): Promise<string> {
  signal.throwIfAborted();
  const running = processes.start({ command, cwd: folder, env });
  let output = '';
  running.onDidWrite(text => {
    output = tailOf(output + text, maxOutput);
  });
  const stop = () => void running.stop();
  signal.addEventListener('abort', stop, { once: true });
  const { code, failure } = await running.exit;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (code === 0) return output;
  const said = (failure ?? oneLine(maskSecrets(output), 400)).replace(/\.$/, '');
  throw new SpokenError(() =>
    said === ''
      ? t(
          'Git could not fetch it. Check the address, and that Git can read it without asking for a password.',
        )
      : t(
          'Git could not fetch it: {0}. Check the address, and that Git can read it without asking for a password.',
          said,
        ),
  );
}
