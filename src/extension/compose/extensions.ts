/* Hooks and rules of extensions in `~/.gemini/extensions`. */

import { join } from 'node:path';
import type { LoadedCustomizations } from '../core/customizations/loadedCustomizations.ts';
import { withExcludedTools } from '../core/extensions/excludedTools.ts';
import { isPlugin } from '../core/extensions/plugin.ts';
import { NodeHookFiles } from '../node/customizations/hookFiles.ts';
import { NodePolicyFiles, type PolicyLocations } from '../node/settings/policyFiles.ts';
import type { HookFiles } from '../platform/customizations/hooks.ts';
import type { PolicyFiles } from '../platform/customizations/policyFiles.ts';
import type { SettingsDocuments } from '../platform/settingsDocuments.ts';

interface HookPlaces {
  /** The user's home folder, absolute. */
  readonly home: string;
  /** Absolute. */
  readonly folders: () => readonly string[];
  /** A further settings file of the user, which comes first. */
  readonly settingsFile?: string;
}

/** Reads the additions again, since hooks are the first thing read for a prompt. */
export function hookFilesWith(
  additions: () => Promise<LoadedCustomizations>,
  { home, folders, settingsFile }: HookPlaces,
  documents: SettingsDocuments,
): HookFiles {
  const own = ['.gemini', '.claude'].map(name => join(home, name, 'settings.json'));
  const user = settingsFile === undefined ? own : [settingsFile, ...own];
  const extensions = async () => {
    const known = await additions();
    await known.refresh();
    return known.extensions.list.map(({ manifest: { folder, isOfWorkspace, path }, env, secrets }) => {
      return { folder, isOfWorkspace, env, secrets, dialect: isPlugin(path) ? 'claude' : 'gemini' } as const;
    });
  };
  return new NodeHookFiles({ user, folders, extensions }, documents);
}

export function policyFilesWith(
  additions: LoadedCustomizations,
  places: PolicyLocations,
  documents: SettingsDocuments,
): PolicyFiles {
  const { extensions } = additions;
  const folders = () => extensions.list.map(({ manifest: { folder } }) => folder);
  const files = new NodePolicyFiles({ ...places, extensions: folders }, documents);
  return withExcludedTools(files, () => extensions.list);
}
