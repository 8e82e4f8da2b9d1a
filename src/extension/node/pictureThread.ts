import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Runs the thread for one picture. Resolves to `undefined` if it made no copy. Never rejects. */
export async function runPictureThread<Copy>(task: object): Promise<Copy | undefined> {
  const worker = new Worker(threadFile(), { workerData: task });
  try {
    return await new Promise(resolve => {
      worker.once('message', resolve);
      worker.once('error', () => resolve(undefined));
      worker.once('exit', () => resolve(undefined));
    });
  } finally {
    await worker.terminate();
  }
}

/**
 * In the bundle it is next to the WebAssembly, as described in `grammarFiles.ts`; otherwise the sources run directly.
 */
function threadFile(): URL {
  const bundled = ['./wasm/', '../wasm/'].map(folder => new URL(`${folder}scaleThread.js`, import.meta.url));
  return bundled.find(existsSync) ?? new URL('../scaleThread.ts', import.meta.url);
}
