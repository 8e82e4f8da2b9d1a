import { join } from 'node:path';
import type { MemorySources } from '../core/context/memoryPlace.ts';
import type { LoadedCustomizations } from '../core/customizations/loadedCustomizations.ts';
import type { Settings } from '../platform/settings.ts';

/** Returns where to look for memory files, by the current settings. */
export function memorySources(
  home: string,
  { folders, trusted }: { readonly folders: readonly string[]; readonly trusted: () => boolean },
  settings: Settings,
  additions: LoadedCustomizations | undefined,
): MemorySources {
  return {
    home: join(home, '.gemini'),
    folders,
    trusted: trusted(),
    names: settings.get('contextFileNames'),
    extra: settings.get('memoryFolders'),
    single: additions?.extensions.memory ?? [],
  };
}
