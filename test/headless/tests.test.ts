import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, type RecordedRequest } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { mustHaveSandbox } from '../support/sandboxWorld.ts';

const world = eachTest(() => HeadlessWorld.make());

async function run(args: readonly string[]): Promise<string> {
  world.server.script([call('run_tests', {})], [text('One fails.')]);
  const { error, code } = await world.run(['--prompt', 'Do the tests pass?', ...args]);
  expect(code, error).toBe(0);
  return JSON.stringify(lastResults(world.server.requests.at(-1)!));
}

async function makeProject(): Promise<void> {
  await writeFile(join(world.workspace, 'package.json'), '{ "scripts": { "test": "node --test" } }');
  await writeFile(
    join(world.workspace, 'sums.test.js'),
    "const { test } = require('node:test');\ntest('adds', () => require('node:assert').equal(1 + 1, 3));\n",
  );
}

describe('the tests of a project', () => {
  it('run as a command that may run unasked, and what failed is told', async () => {
    await makeProject();
    const reported = await run(['--approval-mode', 'yolo']);
    expect(reported).toContain('1 failed.');
    expect(reported).toContain('adds (sums.test.js:2)');
    expect(reported).toContain('2 == 3');
  });

  it('do not run where nobody is there to allow the command', async () => {
    await makeProject();
    expect(await run([])).toContain('needs approval, but there is no user to ask');
  });

  it.skipIf(process.platform !== 'linux')(
    'run in the sandbox, which opens no more than the report',
    async () => {
      await mustHaveSandbox();
      await makeProject();
      const reported = await run(['--sandbox', 'on']);
      expect(reported).toContain('It ran in the sandbox.');
      expect(reported).toContain('adds (sums.test.js:2)');
    },
  );

  it('are no tool where there are none', async () => {
    world.server.script([text('None.')]);
    await world.run(['--prompt', 'Do the tests pass?']);
    expect(toolsOf(world.server.requests.at(-1)!)).not.toContain('run_tests');
    await makeProject();
    world.server.script([text('Some.')]);
    await world.run(['--prompt', 'Do the tests pass?']);
    expect(toolsOf(world.server.requests.at(-1)!)).toContain('run_tests');
  });
});

function toolsOf({ body }: RecordedRequest): readonly string[] {
  return (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => `${name}`),
  );
}
