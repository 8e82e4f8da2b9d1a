import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ProgramFinder } from '../processes/programs.ts';

/**
 * Finds a ripgrep that runs here and supports our options: on PATH, else the first suitable one of `candidates`
 * (absolute paths).
 */
export async function findRipgrep(
  candidates: readonly string[] = [],
  programs = new ProgramFinder(() => []),
): Promise<string | undefined> {
  const onPath = programs.find(programName);
  for (const program of onPath === undefined ? candidates : [onPath, ...candidates]) {
    if (await isUsable(program)) return program;
  }
  return undefined;
}

/** Paths of VS Code's own ripgrep, newest layout first. */
export function ripgrepsOf(appRoot: string): readonly string[] {
  const platform = `${process.platform}-${process.arch}`;
  return ['node_modules', 'node_modules.asar.unpacked'].flatMap(folder => [
    join(appRoot, folder, '@vscode', 'ripgrep-universal', 'bin', platform, programName),
    join(appRoot, folder, '@vscode', 'ripgrep', 'bin', programName),
  ]);
}

/** The ripgrep in the package `@vscode/ripgrep` for this platform, for use without VS Code. */
export function packagedRipgrep(): readonly string[] {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${programName}`;
  try {
    return [createRequire(import.meta.url).resolve(name)];
  } catch {
    // The package does not support this platform, or optional dependencies were not installed.
    return [];
  }
}

const programName = process.platform === 'win32' ? 'rg.exe' : 'rg';

function isUsable(program: string): Promise<boolean> {
  const args = ['--no-config', '--no-require-git', '--engine=auto', '--version'];
  return new Promise(resolve => {
    execFile(program, args, { timeout: 10_000, windowsHide: true }, (error, stdout) => {
      resolve(error === null && stdout.startsWith('ripgrep'));
    });
  });
}
