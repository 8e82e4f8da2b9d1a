/* Preloaded into a contestant: leaves its peak memory, in bytes, in a file named after the process. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.on('exit', () => {
  const folder = process.env.FOLIO_BENCH_MEMORY;
  writeFileSync(join(folder, String(process.pid)), String(readPeak() * 1024));
});

/** Kilobytes. On Linux the peak that a process is notified of may be that of the one which started it. */
function readPeak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}
