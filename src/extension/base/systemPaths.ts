/* Absolute POSIX paths that are no ordinary files. */

/** Returns true for folders of the kernel: devices, processes and their memory. */
export function isSystemPath(path: string): boolean {
  return /^\/(?:proc|sys)(?:\/|$)/.test(path) || isDevicePath(path);
}

/** Returns false for `/dev/shm`, which holds ordinary files in memory, but true for a way out of it. */
export function isDevicePath(path: string): boolean {
  const isInMemory = /^\/dev\/shm(?:\/|$)/.test(path) && !/\/\.\.(?:\/|$)/.test(path);
  return /^\/dev(?:\/|$)/.test(path) && !isInMemory;
}
