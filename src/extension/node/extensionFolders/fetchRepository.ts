/*
 * Downloads a revision of a Git repository as plain files. Runs no program that the repository or its attributes name.
 */

import { join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { oneLine, tailOf } from '../../base/text.ts';
import type { Processes } from '../../platform/processes.ts';

interface RepositoryFetch {
  /** A URL or an absolute path. */
  readonly address: string;
  /** A branch, a tag or a commit. Defaults to the repository's HEAD. */
  readonly ref?: string;
  /** Absolute path of an existing empty folder. Gets the files, and a `.git` that is useless afterwards. */
  readonly folder: string;
  /** The PATH variable with which Git is found. */
  readonly path: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Resolves with the commit. Rejects with a user-facing message that contains Git's output. */
export async function fetchRepository(
  processes: Pick<Processes, 'start'>,
  { address, ref = 'HEAD', folder, path, signal }: RepositoryFetch,
): Promise<string> {
  const git = (args: string, more: Readonly<Record<string, string>> = {}) =>
    runLine(processes, {
      command: `git ${settings} ${args}`,
      folder,
      // The user's input is passed in variables, which the shell does not parse as commands.
      env: { ...environment(folder), ...path, FOLIO_ADDRESS: address, FOLIO_REF: ref, ...more },
      signal,
    });
  await git('init --quiet --template=');
  await git(
    `fetch --quiet --depth 1 --no-tags --no-recurse-submodules -- ${shellVariable('FOLIO_ADDRESS')} ${shellVariable('FOLIO_REF')}`,
  );
  const commit = (await git("rev-parse --verify 'FETCH_HEAD^{commit}'")).trim();
  if (!/^[0-9a-f]{40,64}$/.test(commit))
    throw new LocalizedError(() => t('Git found no commit in {0}.', oneLine(address, 200)));
  // The repository's attributes can select filters from the user's Git settings, so no settings are read.
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

/** Disables Git's prompts, and Git variables of the host that would lead to another repository. */
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
  throw new LocalizedError(() =>
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
