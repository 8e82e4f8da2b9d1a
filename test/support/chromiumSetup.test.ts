import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { projectRoot, toolEnvironment } from '../../scripts/run.ts';

test.for([
  ['that is not there', '/nowhere/chromium', 'CHROMIUM_PATH names /nowhere/chromium, which is not there.'],
  ['that is no browser', process.execPath, 'does not start as a browser: install Chromium or Chrome'],
])('a program %s ends the panel’s tests with one sentence', async ([_, path, sentence]) => {
  const { code, said } = await runPanelTests({ CHROMIUM_PATH: path });
  expect(code).toBe(1);
  expect(said).toContain(sentence);
  expect(said.trim().split('\n')).toHaveLength(1);
});

async function runPanelTests(env: NodeJS.ProcessEnv): Promise<{ code: unknown; said: string }> {
  const args = ['run', '--config', 'vitest.panel.config.ts', 'moves'];
  return await new Promise(resolve => {
    const options = { cwd: projectRoot, env: toolEnvironment(env), shell: process.platform === 'win32' };
    execFile('vitest', args, options, (error, _, said) => resolve({ code: error?.code, said }));
  });
}
