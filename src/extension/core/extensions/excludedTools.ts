import type { PolicyFiles } from '../../platform/customizations/policyFiles.ts';
import type { Extension } from './extensions.ts';

/** Adds the tools that extensions exclude, as users expect when they install one. */
export function withExcludedTools(files: PolicyFiles, extensions: () => readonly Extension[]): PolicyFiles {
  return {
    alwaysFile: files.alwaysFile,
    change: turn => files.change(turn),
    read: async trusted => {
      const sources = await files.read(trusted);
      const excluding = extensions().filter(({ manifest }) => manifest.excludeTools.length > 0);
      const settings = excluding.map(({ manifest: { path, name, excludeTools } }) => ({
        path,
        tier: 'user' as const,
        extension: name,
        exclude: excludeTools,
      }));
      return { ...sources, settings: [...sources.settings, ...settings] };
    },
  };
}
