/* What extensions of `~/.gemini/extensions` bring beside servers, commands, agents and skills. */

import type { Additions } from '../core/customizations/additions.ts';
import { withExcludedTools } from '../core/extensions/excludedTools.ts';
import { isPlugin } from '../core/extensions/plugin.ts';
import type { HookFilePlaces } from '../node/customizations/hookFiles.ts';
import { NodePolicyFiles, type PolicyPlaces } from '../node/settings/policyFiles.ts';
import type { PolicyFiles } from '../platform/customizations/policyFiles.ts';
import type { SettingsDocuments } from '../platform/settingsDocuments.ts';

/** Hooks are read before anything else of a prompt, so what is added is read anew for them. */
export function hookExtensions(
  additions: () => Promise<Additions>,
): Required<Pick<HookFilePlaces, 'extensions'>> {
  return {
    extensions: async () => {
      const known = await additions();
      await known.refresh();
      return known.extensions.list.map(({ manifest: { folder, isOfWorkspace, path }, env, secrets }) => {
        return { folder, isOfWorkspace, env, secrets, dialect: isPlugin(path) ? 'claude' : 'gemini' };
      });
    },
  };
}

export function policyFilesWith(
  additions: Additions,
  places: PolicyPlaces,
  documents: SettingsDocuments,
): PolicyFiles {
  const { extensions } = additions;
  const folders = () => extensions.list.map(({ manifest: { folder } }) => folder);
  const files = new NodePolicyFiles({ ...places, extensions: folders }, documents);
  return withExcludedTools(files, () => extensions.list);
}
