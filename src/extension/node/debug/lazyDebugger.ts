import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../../base/once.ts';
import type { Debugger } from '../../platform/debug/debugger.ts';
import type { FileReader } from '../../platform/fileSystem.ts';
import { ProgramFinder } from '../processes/programs.ts';
import type { AdapterDebugger } from './adapterDebugger.ts';

interface DebuggerSource {
  /** Current absolute paths. The first contains the launch configurations. */
  readonly folders: readonly string[];
  readonly files: Pick<FileReader, 'readText'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTrusted: () => boolean;
  /** The configured command of the adapter. Empty if unset. */
  readonly adapter: () => string;
}

/** Debugs with an adapter that the user configured. Loads nothing until a program is started. */
export function lazyDebugger({ folders, files, env, isTrusted, adapter }: DebuggerSource): Debugger {
  const code = once(() => import('./adapterDebugger.ts'));
  const make = async () => {
    const { AdapterDebugger } = await code();
    const place = { folder: folders[0]!, env, programs: new ProgramFinder(() => folders, env) };
    return new AdapterDebugger(place);
  };
  let used: (() => Promise<AdapterDebugger>) | undefined;
  return {
    isAvailable: () =>
      adapter() !== '' && isTrusted() && folders[0] !== undefined && existsSync(launchFile(folders[0])),
    configurations: async () => {
      const { parseLaunchFile } = await code();
      const { text } = await files.readText(launchFile(folders[0]!));
      return parseLaunchFile(text, folders[0]!);
    },
    start: async (request, report, signal) => {
      used ??= once(make);
      return await (await used()).start(adapter(), request, report, signal);
    },
    close: async () => {
      const ending = used;
      used = undefined;
      await (await ending?.())?.close();
    },
  };
}

function launchFile(folder: string): string {
  return join(folder, '.vscode', 'launch.json');
}
