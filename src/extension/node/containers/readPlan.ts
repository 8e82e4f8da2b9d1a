/*
 * Reads what a `devcontainer.json` would have done. The CLI parses it, with its comments and variables; the fingerprint is over
 * the files as they are, since values of variables come and go.
 */

import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import type { ContainerFact, ContainerPlan } from '../../platform/containers.ts';
import { digestScripts } from '../customizations/scriptDigest.ts';
import type { Programs } from '../processes/programs.ts';
import type { Environment } from '../processes/shell.ts';
import { type ContainerTools, runTool } from './containerTools.ts';
import { readResult } from './readResult.ts';

/** It may fetch a list of features. */
const readMs = 60_000;

/** Throws `SpokenError`. */
export async function readPlan(
  folder: string,
  { cli, engine }: ContainerTools,
  programs: Programs,
  env: Environment,
  signal: AbortSignal,
): Promise<ContainerPlan> {
  const args = ['read-configuration', '--workspace-folder', folder, '--docker-path', engine];
  const { stdout, output } = await runTool(cli, args, programs, env, signal, readMs);
  const { configuration, workspace } = readResult(stdout) ?? {};
  const file =
    isRecord(configuration) && isRecord(configuration.configFilePath)
      ? configuration.configFilePath.fsPath
      : undefined;
  const inside = isRecord(workspace) ? workspace.workspaceFolder : undefined;
  if (!isRecord(configuration) || typeof file !== 'string' || typeof inside !== 'string')
    throw new SpokenError(() => describeUnread(output));
  const text = await readFile(file, 'utf8');
  const named = namedFiles(configuration, dirname(file));
  const whole = [file, text, ...(await Promise.all(named.map(readNamed)))];
  // It runs on this machine, with whatever the workspace's scripts hold by then.
  const scripts = await digestScripts(commandText(configuration.initializeCommand), [folder]);
  return {
    inside,
    file,
    facts: factsOf(configuration, text, named),
    whole: JSON.stringify([...whole, scripts]),
  };
}

function describeUnread(output: string): string {
  if (/Dev container config .* not found/.test(output))
    return t('The workspace has no .devcontainer/devcontainer.json, which describes the container. Add one.');
  return t('The devcontainer.json cannot be read. {0}', output.trim().split('\n').at(-1) ?? '');
}

/** Files beside it of which the container is made, absolute. */
function namedFiles(configuration: Readonly<Record<string, unknown>>, folder: string): readonly string[] {
  const { build, dockerFile, dockerComposeFile } = configuration;
  const names = [isRecord(build) ? build.dockerfile : undefined, dockerFile, dockerComposeFile];
  const texts = names.flat().filter(name => typeof name === 'string');
  return texts.map(name => (isAbsolute(name) ? name : resolve(folder, name)));
}

async function readNamed(path: string): Promise<readonly [string, string]> {
  return [path, await readFile(path, 'utf8').catch(() => '')];
}

const lifecycle = [
  'onCreateCommand',
  'updateContentCommand',
  'postCreateCommand',
  'postStartCommand',
  'postAttachCommand',
] as const;

function factsOf(
  configuration: Readonly<Record<string, unknown>>,
  text: string,
  named: readonly string[],
): readonly ContainerFact[] {
  const { image, features, initializeCommand, mounts, workspaceMount, privileged } = configuration;
  const facts = (kind: ContainerFact['kind'], texts: readonly string[]): readonly ContainerFact[] =>
    texts.map(each => ({ kind, text: each }));
  const lists = (['capAdd', 'securityOpt', 'runArgs'] as const).flatMap(name => {
    const list = listOf(configuration[name]);
    return list.length === 0 ? [] : [`${name}: ${list.join(' ')}`];
  });
  return [
    ...facts('image', [...(typeof image === 'string' ? [image] : []), ...named]),
    ...facts('feature', isRecord(features) ? Object.keys(features) : []),
    ...facts('onHost', commandsOf(initializeCommand)),
    ...facts(
      'command',
      lifecycle.flatMap(name => commandsOf(configuration[name])),
    ),
    ...facts('mount', [...listOf(mounts), ...listOf(workspaceMount === undefined ? [] : [workspaceMount])]),
    ...facts('privilege', [...(privileged === true ? ['privileged'] : []), ...lists]),
    ...facts('variable', [...new Set([...text.matchAll(localVariable)].map(([, name = '']) => name))]),
  ];
}

/** `${env:…}` is its old name. */
const localVariable = /\$\{(?:localEnv|env):([^:}]+)/g;

/** A line, a program with its arguments, or several of both by name. */
function commandsOf(command: unknown): readonly string[] {
  if (isRecord(command)) return Object.values(command).flatMap(commandsOf);
  const text = commandText(command);
  return text === '' ? [] : [text];
}

function commandText(command: unknown): string {
  if (typeof command === 'string') return command;
  if (isRecord(command)) return Object.values(command).map(commandText).join('\n');
  return listOf(command).join(' ');
}

function listOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map(each => (typeof each === 'string' ? each : JSON.stringify(each)));
}
