/* Parses `gemini-extension.json` except for its servers. Invalid parts are omitted and reported. */

import { isAbsolute, join, normalize, sep } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { isRecord } from '../../base/record.ts';
import { extensionOf } from '../../platform/customizations/customFiles.ts';
import type { Customization } from '../customizations/files/customization.ts';
import { describeUnsupportedKeys, isPlugin } from './plugin.ts';

export interface Manifest {
  /** The folder's name, under which the extension is disabled. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** Absolute folder with its `.env`. A linked extension has another one. */
  readonly home: string;
  /** Linked to a folder of the workspace, so its things need consent like the workspace's. */
  readonly isOfWorkspace: boolean;
  /** Absolute path of the manifest itself. */
  readonly path: string;
  readonly contextFiles: readonly ContextFile[];
  /** In the format of settings: `web_fetch`, `run_shell_command(git push)`. */
  readonly excludeTools: readonly string[];
  readonly settings: readonly ExtensionSetting[];
}

interface ContextFile {
  /** Absolute. */
  readonly path: string;
  /** The manifest names it, so its absence is reported. */
  readonly isNamed: boolean;
}

/** A value that the extension needs from the user. */
export interface ExtensionSetting {
  /** For the user. */
  readonly name: string;
  readonly description: string;
  /** The environment variable for its servers and hooks. */
  readonly envVar: string;
  /** Must not be stored in a file. */
  readonly sensitive: boolean;
}

interface ParsedManifest {
  /** Absent: not an extension. */
  readonly manifest?: Manifest;
  /** One sentence for each part that cannot be used. */
  readonly problems: readonly string[];
}

type Complain = (sentence: string) => void;

/** @param item of kind `extension` */
export function parseManifest({ origin, path, value }: Customization): ParsedManifest {
  const place = extensionOf(origin);
  if (!place || !isRecord(value)) return { problems: [] };
  const problems: string[] = [];
  const complain = (sentence: string) => void problems.push(`${path}: ${sentence}`);
  const { name, folder, linkedFrom: home = folder } = place;
  for (const key of ['name', 'version', 'description']) {
    if (value[key] !== undefined && typeof value[key] !== 'string')
      complain(t('"{0}" must be a string. It is ignored.', key));
  }
  const manifest = {
    name,
    folder,
    home,
    path,
    isOfWorkspace: origin.kind === 'workspace',
    contextFiles: contextFilesOf(value.contextFileName, folder, complain),
    excludeTools: toolsOf(value.excludeTools, complain),
    settings: settingsOf(value.settings, complain),
  };
  if (isPlugin(path)) describeUnsupportedKeys(value.unread).forEach(complain);
  return { manifest, problems };
}

const usualContextFile = 'GEMINI.md';

function contextFilesOf(value: unknown, folder: string, complain: Complain): readonly ContextFile[] {
  if (value === undefined) return [{ path: join(folder, usualContextFile), isNamed: false }];
  const names = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(names)) {
    complain(t('"contextFileName" must be a string or a list of strings. No context file is read.'));
    return [];
  }
  return names.flatMap(name => {
    if (typeof name === 'string' && staysInside(name)) return { path: join(folder, name), isNamed: true };
    complain(t('"contextFileName" names {0}, which is not a file in its folder.', JSON.stringify(name)));
    return [];
  });
}

function staysInside(name: string): boolean {
  const plain = normalize(name.trim());
  return name.trim() !== '' && plain !== '.' && !isAbsolute(plain) && plain.split(sep)[0] !== '..';
}

function toolsOf(value: unknown, complain: Complain): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') {
    complain(t('"excludeTools" is a string. Folio reads it as a list with this one name.'));
    return toolsOf([value], complain);
  }
  if (!Array.isArray(value)) {
    complain(t('"excludeTools" must be a list of strings. It is ignored, and no tool is disabled.'));
    return [];
  }
  return value.filter((tool): tool is string => {
    const isTool = typeof tool === 'string' && tool.trim() !== '';
    if (!isTool) complain(t('"excludeTools" names {0}, which is not a tool.', JSON.stringify(tool)));
    return isTool;
  });
}

function settingsOf(value: unknown, complain: Complain): readonly ExtensionSetting[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    complain(t('"settings" must be a list. Until then you cannot set anything for this extension.'));
    return [];
  }
  const found = new Map<string, ExtensionSetting>();
  value.forEach((entry: unknown, index) => {
    const setting = settingOf(entry);
    if (typeof setting === 'string') complain(t('settings[{0}] {1}. It is ignored.', index, setting));
    else if (found.has(setting.envVar))
      complain(t('settings[{0}] sets {1} a second time. It is ignored.', index, setting.envVar));
    else found.set(setting.envVar, setting);
  });
  return [...found.values()];
}

/** Returns a string as the reason if it cannot be used. */
function settingOf(entry: unknown): ExtensionSetting | string {
  if (!isRecord(entry)) return t('is not an object');
  const { name, description = '', envVar, sensitive = false } = entry;
  if (typeof envVar !== 'string') return t('has no "envVar"');
  if (!/^[A-Za-z_]\w*$/.test(envVar))
    return t('has "envVar" {0}, which is not a variable name', JSON.stringify(envVar));
  if (typeof description !== 'string') return t('has a "description" that is not a string');
  if (name !== undefined && typeof name !== 'string') return t('has a "name" that is not a string');
  // Treating it as false would store a secret in a file.
  if (typeof sensitive !== 'boolean') return t('has a "sensitive" that is neither true nor false');
  return { name: name?.trim() || envVar, description, envVar, sensitive };
}
