/* Converts a plugin in Claude Code's format to an extension: combines its manifest and its servers in one file. */

import { isRecord } from '../../base/record.ts';
import type { CustomFile } from '../../platform/customizations/customFiles.ts';

export const pluginManifest = '.claude-plugin/plugin.json';

/** Stands for the plugin's folder. Not replaced if a shell could misread the folder's name. */
const rootVariable = /\$\{CLAUDE_PLUGIN_ROOT\}/g;
const harmlessPath = /^[\w/\\.:~@%+, -]+$/;

/** @param files the plugin's files, with its manifest and its `.mcp.json`, which is of kind `servers` */
export function pluginAsExtension(files: readonly CustomFile[], folder: string): readonly CustomFile[] {
  const manifest = files.find(({ kind }) => kind === 'manifest');
  const servers = files.find(({ kind }) => kind === 'servers');
  if (!manifest || manifest.problem !== undefined) return manifest ? [manifest] : [];
  const { content: own } = manifest;
  const content = isRecord(own) ? asManifest(own, serversOf(servers)) : own;
  const others = files.filter(({ kind }) => kind !== 'manifest' && kind !== 'servers');
  const broken = servers?.problem === undefined ? [] : [servers];
  return [{ ...manifest, content }, ...broken, ...others.map(file => withFolder(file, folder))];
}

function withFolder(file: CustomFile, folder: string): CustomFile {
  if (!harmlessPath.test(folder)) return file;
  return { ...file, text: file.text.replace(rootVariable, () => folder) };
}

/** Accepts the list of servers with or without its key. */
function serversOf(file: CustomFile | undefined): Readonly<Record<string, unknown>> {
  if (!file || file.problem !== undefined) return {};
  const { content } = file;
  if (!isRecord(content)) return {};
  const { mcpServers = content } = content;
  return isRecord(mcpServers) ? mcpServers : {};
}

function asManifest(content: Readonly<Record<string, unknown>>, servers: Readonly<Record<string, unknown>>) {
  const { name, version, description, mcpServers } = content;
  const unread = Object.keys(content).filter(key => !known.has(key) && !isUsual(key, content[key]));
  return {
    name,
    version,
    description,
    mcpServers: { ...servers, ...(isRecord(mcpServers) ? mcpServers : {}) },
    contextFileName: [],
    /** Keys whose values have no effect. */
    unread,
  };
}

/** Keys that are supported, and keys that only describe the plugin. */
const known: ReadonlySet<string> = new Set([
  '$schema',
  'name',
  'version',
  'description',
  'displayName',
  'author',
  'homepage',
  'repository',
  'license',
  'keywords',
  'category',
  'tags',
  'strict',
]);

/** Default places of these parts. */
const usualPlaces: Readonly<Record<string, RegExp>> = {
  commands: /^(?:\.\/)?commands\/?$/,
  agents: /^(?:\.\/)?agents\/?$/,
  skills: /^(?:\.\/)?skills\/?$/,
  hooks: /^(?:\.\/)?hooks\/hooks\.json$/,
  mcpServers: /^(?:\.\/)?\.mcp\.json$/,
};

function isUsual(key: string, value: unknown): boolean {
  if (key === 'mcpServers' && isRecord(value)) return true;
  const place = Object.hasOwn(usualPlaces, key) ? usualPlaces[key] : undefined;
  const values = Array.isArray(value) ? value : [value];
  return place !== undefined && values.every(each => typeof each === 'string' && place.test(each));
}
