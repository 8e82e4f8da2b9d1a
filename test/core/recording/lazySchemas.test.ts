import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../support/sourceFiles.ts';

const script = `
  import { queryObjects } from 'node:v8';
  import * as z from 'zod';
  import { maskEvent } from './src/extension/core/recording/maskEvent.ts';
  const told = text => {
    const masked = maskEvent({ type: 'text.appended', stepId: 'step-1', text, seq: 1, at: 1 });
    return [masked.text, queryObjects(z.ZodLiteral, { format: 'count' })];
  };
  console.log(JSON.stringify([told('Two files read.'), told('password=hunter2hunter2')]));
`;

// In a process of its own, where nobody has asked for a schema before.
test('a session begins without the schemas of all events: they are made when a secret must be told from an id', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--input-type=module', '-e', script],
    { cwd: repositoryRoot },
  );
  const [[text, before], [masked, after]] = JSON.parse(stdout);
  expect([text, before]).toEqual(['Two files read.', 0]);
  expect(masked).toBe('password=[masked]');
  expect(after).toBeGreaterThan(50);
});
