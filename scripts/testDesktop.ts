/* Runs the extension tests in a desktop VS Code, if available. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { packClient } from '../test/workbench/support/packExtensions.ts';
import { requireBanner } from './requireBanner.ts';
import { projectRoot, runOrFail } from './run.ts';
import { desktopArgs, downloadDesktop, findNamedDesktop, hasDesktop } from './vscodeHost/desktop.ts';

const { values } = parseArgs({ options: { optional: { type: 'boolean', default: false } } });

// Not "code" on PATH, which returns before the tests have run.
const program = findNamedDesktop() ?? (hasDesktop() ? await downloadDesktop() : undefined);
if (program === undefined) {
  console.error(
    'No desktop VS Code can be run here, so these tests did not run. ' +
      'Run this where there is a desktop, with network or with VSCODE_PATH set to the program of VS Code.',
  );
  process.exitCode = values.optional ? 0 : 1;
} else {
  await runIn(program);
}

async function runIn(vscodeExecutablePath: string): Promise<void> {
  await runOrFail('node', ['esbuild.mjs'], 'The extension could not be built');
  const scratch = await mkdtemp(join(tmpdir(), 'folio-desktop-'));
  try {
    const extensionTestsPath = join(scratch, 'tests.mjs');
    await build({
      entryPoints: [join(projectRoot, 'test', 'api', 'runAll.ts')],
      outfile: extensionTestsPath,
      bundle: true,
      format: 'esm',
      platform: 'node',
      external: ['vscode'],
      banner: { js: requireBanner },
    });
    const clientExtension = await packClient(scratch);
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: [projectRoot, clientExtension.folder],
      extensionTestsPath,
      launchArgs: [scratch, '--disable-workspace-trust', ...desktopArgs(join(scratch, 'data'))],
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
