import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, it, onTestFinished } from 'vitest';
import { lazyDebugger } from '../../../src/extension/node/debug/lazyDebugger.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { contractLaunchFile, debuggerContract } from '../../support/debuggerContract.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

describe('the debugger by an adapter', () => {
  for (const { name, run } of debuggerContract)
    it(name, async () => {
      const folder = await temporaryFolder('debugger-');
      await mkdir(join(folder, '.vscode'));
      await writeFile(join(folder, '.vscode', 'launch.json'), contractLaunchFile('$' + '{workspaceFolder}'));
      const made = lazyDebugger({
        folders: [folder],
        files: new NodeFileSystem(),
        env: process.env,
        isTrusted: () => true,
        adapter: () => `"${process.execPath}" "${resolve('test/support/fakeDebugAdapter.ts')}"`,
      });
      onTestFinished(() => made.close());
      const write = async (file: string, text: string) => {
        await writeFile(join(folder, file), text);
        return join(folder, file);
      };
      await run({ debugger: made, write });
    });
});
