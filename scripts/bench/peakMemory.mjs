/* Preloaded into a contestant: writes its peak memory in bytes into a file named after the process. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.on('exit', () => {
  const folder = process.env.FOLIO_BENCH_MEMORY;
  writeFileSync(join(folder, String(process.pid)), String(readPeak() * 1024));
});

/** Returns kilobytes. Reads /proc on Linux, where `resourceUsage` may report the peak of the parent process. */
function readPeak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}
