import { join } from 'node:path';
import type { MemoryPlace } from '../core/context/memoryPlace.ts';
import type { Additions } from '../core/customizations/additions.ts';
import type { Settings } from '../platform/settings.ts';

/** Where memory files are looked for, by the settings as they are now. */
export function memoryPlace(
  home: string,
  { folders, trusted }: { readonly folders: readonly string[]; readonly trusted: () => boolean },
  settings: Settings,
  additions: Additions | undefined,
): MemoryPlace {
  return {
    home: join(home, '.gemini'),
    folders,
    trusted: trusted(),
    names: settings.get('contextFileNames'),
    extra: settings.get('memoryFolders'),
    single: additions?.extensions.memory ?? [],
  };
}
