/* The facts shown to a user before a container starts: everything through which it may affect its host. */

import { isAbsolute, relative, resolve } from 'node:path';
import { fieldsOf, isRecord } from '../../base/record.ts';
import type { ContainerEffect } from '../../platform/containers.ts';
import { type ComposeFile, type Configuration, type ContainerFiles, servicesOf } from './containerFiles.ts';

/** @param folder the workspace. @param beside folder of the configuration; both absolute */
export function findContainerEffects(
  configuration: Configuration,
  files: ContainerFiles,
  folder: string,
  beside: string,
): readonly ContainerEffect[] {
  const { image, features, initializeCommand } = configuration;
  const made = [...files.dockerfiles, ...files.compose].map(({ path }) => path);
  const sources = [configuration, ...files.features.map(({ content }) => content)];
  return [
    ...facts('image', [...(typeof image === 'string' ? [image] : []), ...made]),
    ...facts('feature', Object.keys(fieldsOf(features))),
    ...facts('onHost', commandsOf(initializeCommand)),
    ...sources.flatMap(commandFacts),
    ...sources.flatMap(rightsOf),
    ...buildFacts(configuration, folder, beside),
    ...files.compose.flatMap(composeFacts),
    ...facts(
      'privilege',
      files.dockerfiles.flatMap(({ text }) => text.match(/^.*devcontainer\.metadata.*$/gm) ?? []),
    ),
    ...facts('variable', variablesIn(files, commandText(initializeCommand))),
  ];
}

function facts(kind: ContainerEffect['kind'], texts: readonly string[]): readonly ContainerEffect[] {
  return texts.map(text => ({ kind, text }));
}

const lifecycle = [
  'onCreateCommand',
  'updateContentCommand',
  'postCreateCommand',
  'postStartCommand',
  'postAttachCommand',
] as const;

function commandFacts(source: Configuration): readonly ContainerEffect[] {
  return facts(
    'command',
    lifecycle.flatMap(name => commandsOf(source[name])),
  );
}

/** Permissions requested by the configuration or by a feature; both use the same keys. */
function rightsOf(source: Configuration): readonly ContainerEffect[] {
  const { mounts, workspaceMount, privileged } = source;
  const lists = ['capAdd', 'securityOpt', 'runArgs'].flatMap(name => named(name, listOf(source[name])));
  return [
    ...facts('mount', [...listOf(mounts), ...listOf(workspaceMount === undefined ? [] : [workspaceMount])]),
    ...facts('privilege', [...(privileged === true ? ['privileged'] : []), ...lists]),
  ];
}

function named(name: string, list: readonly string[]): readonly string[] {
  return list.length === 0 ? [] : [`${name}: ${list.join(' ')}`];
}

/** A build may copy files of its context, and its options may grant more access. */
function buildFacts(
  { build, context }: Configuration,
  folder: string,
  beside: string,
): readonly ContainerEffect[] {
  const { context: inner = context, options } = fieldsOf(build);
  const list = listOf(options);
  const path = resolve(beside, typeof inner === 'string' ? inner : '.');
  const way = relative(folder, path);
  const isOutside = way.startsWith('..') || isAbsolute(way);
  return [...facts('mount', isOutside ? [path] : []), ...facts('privilege', named('build', list))];
}

/** Compose keys that stay within the container and its network, or are shown elsewhere. */
const plainTop = new Set(['include', 'name', 'networks', 'services', 'version']);
const plainBuild = new Set(['args', 'context', 'dockerfile', 'target']);
const plainService = new Set(
  'build,command,container_name,depends_on,entrypoint,environment,expose,extends,healthcheck,hostname,image,init,labels,networks,platform,ports,profiles,restart,shm_size,stdin_open,stop_grace_period,stop_signal,tmpfs,tty,ulimits,user,volumes,working_dir'.split(
    ',',
  ),
);

/** Compose has many keys, so every key that is not known to be harmless is shown. */
function composeFacts({ content }: ComposeFile): readonly ContainerEffect[] {
  const services = servicesOf(content).flatMap(([name, service]) => {
    const build = Object.entries(fieldsOf(service.build)).filter(([key]) => !plainBuild.has(key));
    const others = Object.entries(service).filter(([key]) => !plainService.has(key));
    return [
      ...facts('mount', listOf(service.volumes)),
      ...facts('privilege', entriesOf(others, `${name}.`)),
      ...facts('privilege', entriesOf(build, `${name}.build.`)),
    ];
  });
  const whole = Object.entries(content).filter(([key, value]) => !plainTop.has(key) && hasContent(value));
  return [...services, ...facts('privilege', entriesOf(whole, ''))];
}

function entriesOf(entries: readonly (readonly [string, unknown])[], before: string): readonly string[] {
  return entries.map(([key, value]) => `${before}${key}: ${JSON.stringify(value)}`);
}

/** `volumes: { data: }` only names a volume of the engine. */
function hasContent(value: unknown): boolean {
  return isRecord(value) ? Object.values(value).some(hasContent) : value !== null && value !== undefined;
}

/**
 * Finds variables of the host. `${env:…}` is the old syntax. Compose and shells use `${NAME}`, and Compose passes on a
 * variable that is only named.
 */
function variablesIn({ all, compose }: ContainerFiles, onHost: string): readonly string[] {
  const named = all.flatMap(({ text }) => [...text.matchAll(/\$\{(?:localEnv|env):([^:}]+)/g)]);
  const texts = [...compose.map(({ text }) => text), onHost];
  const plain = texts.flatMap(text => [...text.matchAll(/(?<!\$)\$\{?([A-Za-z_]\w*)/g)]);
  const passed = compose.flatMap(({ content }) =>
    servicesOf(content).flatMap(([, { environment }]) =>
      isRecord(environment)
        ? Object.entries(environment).flatMap(([name, value]) => (value === null ? [name] : []))
        : listOf(environment).filter(each => !each.includes('=')),
    ),
  );
  return [...new Set([...[...named, ...plain].map(([, name = '']) => name), ...passed])];
}

/** A command is a string, a list of arguments, or an object of several such commands. */
function commandsOf(command: unknown): readonly string[] {
  if (isRecord(command)) return Object.values(command).flatMap(commandsOf);
  const text = commandText(command);
  return text === '' ? [] : [text];
}

export function commandText(command: unknown): string {
  if (typeof command === 'string') return command;
  if (isRecord(command)) return Object.values(command).map(commandText).join('\n');
  return listOf(command).join(' ');
}

function listOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map(each => (typeof each === 'string' ? each : JSON.stringify(each)));
}
