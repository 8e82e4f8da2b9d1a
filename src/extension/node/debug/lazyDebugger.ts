import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
  let made: Promise<{ readonly debugger: AdapterDebugger; readonly parse: ParseLaunchFile }> | undefined;
  const load = async () => {
    const { AdapterDebugger, parseLaunchFile } = await import('./adapterDebugger.ts');
    const place = { folder: folders[0]!, env, programs: new ProgramFinder(() => folders, env) };
    return { debugger: new AdapterDebugger(place), parse: parseLaunchFile };
  };
  const get = () => {
    made ??= load();
    return made;
  };
  return {
    isThere: () =>
      adapter() !== '' && isTrusted() && folders[0] !== undefined && existsSync(launchFile(folders[0])),
    configurations: async () => {
      const { parse } = await get();
      const { text } = await files.readText(launchFile(folders[0]!));
      return parse(text, folders[0]!);
    },
    start: async (request, report, signal) =>
      (await get()).debugger.start(adapter(), request, report, signal),
    close: async () => {
      const ending = made;
      made = undefined;
      await ending?.then(({ debugger: used }) => used.close());
    },
  };
}

type ParseLaunchFile = typeof import('./adapterDebugger.ts').parseLaunchFile;

function launchFile(folder: string): string {
  return join(folder, '.vscode', 'launch.json');
}
