import { expect, test } from 'vitest';
import { isDevicePath, isSystemPath } from '../../src/extension/platform/fileSystem.ts';

test.each([
  ['/dev', 'device'],
  ['/dev/sda', 'device'],
  ['/dev/tty', 'device'],
  ['/dev/shmem', 'device'],
  ['/dev/shm/../sda', 'device'],
  ['/dev/shm/a/../..', 'device'],
  ['/dev/shm', 'file'],
  ['/dev/shm/work/src/a..b.ts', 'file'],
  ['/proc/self/environ', 'system'],
  ['/sys', 'system'],
  ['/system/a', 'file'],
  ['/devices/a', 'file'],
  ['/home/dev/shm', 'file'],
])('%s is a %s', (path, kind) => {
  expect([isDevicePath(path), isSystemPath(path)]).toEqual([kind === 'device', kind !== 'file']);
});
