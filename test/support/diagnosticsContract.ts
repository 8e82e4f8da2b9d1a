import assert from 'node:assert/strict';
import type { Diagnostics } from '../../src/extension/platform/diagnostics.ts';

/** What a case needs of the environment that know problems of a file in JSON. */
export interface ProblemWorld {
  readonly diagnostics: Diagnostics;
  /** Makes the file, or edits it as a tool does; returns its absolute path, always the same. */
  write(text: string): Promise<string>;
}

export interface DiagnosticsCase {
  /** A sentence about behaviour. */
  readonly name: string;
  run(world: ProblemWorld): Promise<void>;
}

const whole = '{\n  "one": 1\n}\n';
const broken = '{\n  "one": 1,,\n}\n';

/** What holds wherever problems of files are known; also for runs inside an extension host, so without a test runner. */
export const diagnosticsContract: readonly DiagnosticsCase[] = [
  {
    name: 'the problem that an edit brings is known once it has settled, with its line, and gone with the next edit',
    async run({ diagnostics, write }) {
      const { signal } = new AbortController();
      const path = await write(broken);
      const brought = await untilKnown(diagnostics, path);
      assert.deepEqual(
        brought.map(({ severity, line, path: other }) => ({ severity, line, other })),
        [{ severity: 'error', line: 2, other: undefined }],
      );
      assert.ok(brought[0]!.message.length > 0);
      assert.deepEqual(await diagnostics.read(path, signal), brought);
      await write(whole);
      assert.deepEqual(await untilKnown(diagnostics, path), []);
      assert.deepEqual(await diagnostics.read(path, signal), []);
    },
  },
  {
    name: 'language tools that have nothing left to look at are calm',
    async run({ diagnostics, write }) {
      await untilKnown(diagnostics, await write(broken));
      assert.equal(await diagnostics.settleAll(new AbortController().signal), true);
    },
  },
  {
    name: 'who no longer wants to know gets the reason of that',
    async run({ diagnostics, write }) {
      const path = await write(broken);
      const reason = new Error('Stopped');
      const signal = AbortSignal.abort(reason);
      await assert.rejects(diagnostics.settle(path, signal), reason);
    },
  },
];

/** A slow machine makes tools slow, and then nothing can be said: it is asked again. */
async function untilKnown(diagnostics: Diagnostics, path: string) {
  for (let tries = 0; tries < 50; tries++) {
    const known = await diagnostics.settle(path, new AbortController().signal);
    if (known) return known;
  }
  throw new Error('The problems were never known.');
}
