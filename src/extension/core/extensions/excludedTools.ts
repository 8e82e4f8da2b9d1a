import type { PolicyFiles } from '../../platform/customizations/policyFiles.ts';
import type { Extension } from './extensions.ts';

/** The same files, and the tools that extensions switch off: a user who installs one wants it so. */
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
