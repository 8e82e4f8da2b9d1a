/* Preloaded into a contestant: leaves its peak memory, in bytes, in a file named after the process. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.on('exit', () => {
  const folder = process.env.FOLIO_BENCH_MEMORY;
  writeFileSync(join(folder, String(process.pid)), String(process.resourceUsage().maxRSS * 1024));
});
