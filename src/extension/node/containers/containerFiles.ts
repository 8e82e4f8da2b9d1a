/*
 * Reads the files that determine a container's content and access: all of `.devcontainer/`, which holds the local
 * features, and files that the configuration names, directly or indirectly.
 */

import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fieldsOf, isRecord } from '../../base/record.ts';

/** The parsed `devcontainer.json`, or the `devcontainer-feature.json` of a feature. */
export type Configuration = Readonly<Record<string, unknown>>;

/** `path` is absolute. The text of an unreadable file is empty. */
interface ContainerFile {
  readonly path: string;
  readonly text: string;
  /** Hash of its bytes. */
  readonly digest: string;
}

export interface ComposeFile extends ContainerFile {
  readonly content: Configuration;
}

export interface ContainerFiles {
  readonly dockerfiles: readonly ContainerFile[];
  readonly compose: readonly ComposeFile[];
  /** Features in the workspace, with their names in the configuration. */
  readonly features: readonly { readonly name: string; readonly content: Configuration }[];
  /** All files, including those above. */
  readonly all: readonly ContainerFile[];
}

/** @param folder the workspace. @param file the `devcontainer.json`; both absolute */
export async function readContainerFiles(
  configuration: Configuration,
  folder: string,
  file: string,
): Promise<ContainerFiles> {
  const beside = dirname(file);
  const compose = await readCompose(composePaths(configuration, folder, beside));
  const dockerfiles = await readAll([
    ...dockerfilesOf(configuration, beside),
    ...compose.flatMap(each => dockerfilesOfCompose(each)),
  ]);
  const others = await readAll([
    file,
    join(folder, '.devcontainer-lock.json'),
    ...compose.map(({ path }) => join(dirname(path), '.env')),
    ...(await filesBelow(join(folder, '.devcontainer'))),
  ]);
  const names = Object.keys(fieldsOf(configuration.features)).filter(name => /^\.{1,2}\//.test(name));
  const features = names.map(async name => {
    const { text } = await readOne(join(beside, name, 'devcontainer-feature.json'));
    return { name, content: await parseComments(text) };
  });
  return {
    dockerfiles,
    compose,
    features: await Promise.all(features),
    // Omits empty files, which say nothing and may be created by the configuration's commands.
    all: [...dockerfiles, ...compose, ...others].filter(({ text }) => text !== ''),
  };
}

function dockerfilesOf({ build, dockerFile }: Configuration, beside: string): readonly string[] {
  return textsOf([fieldsOf(build).dockerfile, dockerFile]).map(name => resolve(beside, name));
}

/** If none is configured, the CLI uses the Compose files that it finds in the workspace. */
function composePaths({ dockerComposeFile }: Configuration, folder: string, beside: string) {
  if (dockerComposeFile === undefined) return [];
  const named = textsOf([dockerComposeFile]).map(name => resolve(beside, name));
  if (named.length > 0) return named;
  return ['docker-compose.yml', 'docker-compose.override.yml'].map(name => join(folder, name));
}

async function readCompose(paths: readonly string[]): Promise<readonly ComposeFile[]> {
  const found = new Map<string, ComposeFile>();
  const waiting = [...paths];
  const { parseCompose } = await import('./parseCompose.ts');
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(path)) continue;
    const file = await readOne(path);
    const content = parseCompose(file.text);
    found.set(path, { ...file, content });
    const base = dirname(path);
    const included = [content.include].flat().flatMap(each => (isRecord(each) ? each.path : each));
    const extended = servicesOf(content).map(([, service]) => fieldsOf(service.extends).file);
    waiting.push(...textsOf([...included, ...extended]).map(name => resolve(base, name)));
  }
  return [...found.values()];
}

export function servicesOf({ services }: Configuration): readonly (readonly [string, Configuration])[] {
  return Object.entries(fieldsOf(services)).map(([name, service]) => [name, fieldsOf(service)]);
}

function dockerfilesOfCompose({ path, content }: ComposeFile): readonly string[] {
  return servicesOf(content).flatMap(([, { build }]) => {
    if (build === undefined) return [];
    const [context] = textsOf([isRecord(build) ? build.context : build]);
    const [name = 'Dockerfile'] = textsOf([fieldsOf(build).dockerfile]);
    return [resolve(dirname(path), context ?? '.', name)];
  });
}

async function parseComments(text: string): Promise<Configuration> {
  const { parse } = await import('jsonc-parser');
  return fieldsOf(parse(text, [], { allowTrailingComma: true }));
}

/** Follows links, because the target may be changed in its own place. */
async function filesBelow(folder: string, seen = new Set<string>()): Promise<readonly string[]> {
  try {
    const real = await realpath(folder);
    if (seen.has(real)) return [];
    seen.add(real);
    const found: string[] = [];
    for (const name of (await readdir(folder)).sort()) {
      const path = join(folder, name);
      const isFolder = (await stat(path).catch(() => undefined))?.isDirectory();
      found.push(...(isFolder ? await filesBelow(path, seen) : [path]));
    }
    return found;
  } catch {
    // The configuration is elsewhere.
    return [];
  }
}

function readAll(paths: readonly string[]): Promise<readonly ContainerFile[]> {
  return Promise.all([...new Set(paths)].map(readOne));
}

async function readOne(path: string): Promise<ContainerFile> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  return { path, text: bytes.toString('utf8'), digest: createHash('sha256').update(bytes).digest('hex') };
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.flat().filter(value => typeof value === 'string');
}
