/*
 * Reads what a `devcontainer.json` would do. The CLI parses it, including comments and variables. The fingerprint
 * covers the raw files, since values of variables change.
 */

import { dirname } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import type { ContainerPlan } from '../../platform/containers.ts';
import { digestScripts } from '../customizations/scriptDigest.ts';
import type { ProgramFinder } from '../processes/programs.ts';
import type { EnvironmentVariables } from '../processes/shell.ts';
import { commandText, findContainerEffects } from './containerFacts.ts';
import { readContainerFiles } from './containerFiles.ts';
import { type ContainerTools, runTool } from './containerTools.ts';
import { parseCliResult } from './readResult.ts';

/** The CLI may download a list of features. */
const readMs = 60_000;

/** Throws `LocalizedError`. */
export async function readContainerPlan(
  folder: string,
  { cli, engine }: ContainerTools,
  programs: ProgramFinder,
  env: EnvironmentVariables,
  signal: AbortSignal,
): Promise<ContainerPlan> {
  const args = ['read-configuration', '--workspace-folder', folder, '--docker-path', engine];
  const { stdout, output } = await runTool(cli, args, programs, env, signal, readMs);
  const { configuration, workspace } = parseCliResult(stdout) ?? {};
  const file =
    isRecord(configuration) && isRecord(configuration.configFilePath)
      ? configuration.configFilePath.fsPath
      : undefined;
  const inside = isRecord(workspace) ? workspace.workspaceFolder : undefined;
  if (!isRecord(configuration) || typeof file !== 'string' || typeof inside !== 'string')
    throw new LocalizedError(() => describeUnread(output));
  const files = await readContainerFiles(configuration, folder, file);
  // This command runs on this machine, including the workspace's scripts as they are by then.
  const scripts = await digestScripts(commandText(configuration.initializeCommand), [folder]);
  return {
    inside,
    file,
    facts: findContainerEffects(configuration, files, folder, dirname(file)),
    whole: JSON.stringify([file, files.all.map(({ path, digest }) => [path, digest]), scripts]),
  };
}

function describeUnread(output: string): string {
  if (/Dev container config .* not found/.test(output))
    return t('The workspace has no .devcontainer/devcontainer.json, which describes the container. Add one.');
  return t('The devcontainer.json cannot be read. {0}', output.trim().split('\n').at(-1) ?? '');
}
