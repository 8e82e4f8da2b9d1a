import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WorkingSessionCounter } from '../../src/extension/node/sessions/workingSessionCounter.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

it('counts what other windows report while they run, and leaves nothing behind', async () => {
  const home = await temporaryFolder('folio-places-');
  const folder = join(home, '.folio', 'places');
  const windows = new WorkingSessionCounter(home);
  expect(windows.count()).toBe(0);
  windows.report(3);
  expect(readdirSync(folder)).toEqual([String(process.pid)]);
  expect(windows.count()).toBe(0);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, String(process.ppid)), '2');
  // No process has this number.
  writeFileSync(join(folder, '4194999'), '5');
  writeFileSync(join(folder, 'notes'), '7');
  expect(windows.count()).toBe(2);
  windows.report(0);
  expect(readdirSync(folder)).not.toContain(String(process.pid));
});
