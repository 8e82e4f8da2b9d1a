import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from '../run.ts';

/**
 * Copies the files of the package of the built extension into `folder`, and returns it. Links do not work: VS Code
 * identifies an extension by the real path of its code.
 */
export async function copyExtension(folder: string): Promise<string> {
  const files = await listFiles({ cwd: projectRoot, packageManager: PackageManager.None });
  for (const file of files) await cp(join(projectRoot, file), join(folder, file));
  return folder;
}
