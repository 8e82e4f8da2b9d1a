/* Detects package managers by lock files. A new checkout lacks their folders until they have run. */

import { join } from 'node:path';
import type { FileSystem } from '../../platform/fileSystem.ts';

export interface PackageManager {
  readonly lockFile: string;
  /** Folder that it fills in the project; absent: it uses a global cache. */
  readonly folder?: string;
  /** Installs what the lock file lists. */
  readonly install: string;
}

const managers: readonly PackageManager[] = [
  { lockFile: 'package-lock.json', folder: 'node_modules', install: 'npm ci' },
  { lockFile: 'pnpm-lock.yaml', folder: 'node_modules', install: 'pnpm install --frozen-lockfile' },
  { lockFile: 'yarn.lock', folder: 'node_modules', install: 'yarn install --frozen-lockfile' },
  { lockFile: 'bun.lock', folder: 'node_modules', install: 'bun install --frozen-lockfile' },
  { lockFile: 'uv.lock', folder: '.venv', install: 'uv sync' },
  { lockFile: 'poetry.lock', folder: '.venv', install: 'poetry install' },
  { lockFile: 'Cargo.lock', folder: 'target', install: 'cargo fetch' },
  { lockFile: 'go.sum', install: 'go mod download' },
  { lockFile: 'Gemfile.lock', folder: 'vendor/bundle', install: 'bundle install' },
  { lockFile: 'composer.lock', folder: 'vendor', install: 'composer install' },
];

/** @param project absolute */
export async function findPackageManagers(
  project: string,
  files: Pick<FileSystem, 'stat'>,
): Promise<readonly PackageManager[]> {
  const stats = await Promise.all(managers.map(({ lockFile }) => files.stat(join(project, lockFile))));
  return managers.filter((_, at) => stats[at]?.kind === 'file');
}

/** Returns one command line that installs everything; may be empty. */
export function installLine(found: readonly PackageManager[]): string {
  return found.map(({ install }) => install).join(' && ');
}
