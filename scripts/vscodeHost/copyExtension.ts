import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from '../run.ts';

/**
 * Copies what the package of the built extension would hold into `folder`, and returns it. VS Code resolves links and
 * knows an extension by the real path of its code, so that linked code would belong to no extension.
 */
export async function copyExtension(folder: string): Promise<string> {
  const files = await listFiles({ cwd: projectRoot, packageManager: PackageManager.None });
  for (const file of files) await cp(join(projectRoot, file), join(folder, file));
  return folder;
}
