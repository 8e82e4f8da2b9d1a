import { fileSystemContract } from './fileSystemContract.ts';
import { MemoryFileSystem } from './memoryFileSystem.ts';

fileSystemContract('MemoryFileSystem', async () => {
  const files = new MemoryFileSystem();
  files.makeDirectory('/root');
  return {
    files,
    root: '/root',
    symlink: (target, path) => files.symlink(target, path),
    dispose: () => {},
  };
});
