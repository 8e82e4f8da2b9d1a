import assert from 'node:assert/strict';
import type { DiagnosticReader } from '../../src/extension/platform/diagnostics.ts';

/** Environment of a case, which reports problems of a JSON file. */
export interface ProblemWorld {
  readonly diagnostics: DiagnosticReader;
  /** Creates or edits the file like a tool. Returns its absolute path, always the same. */
  write(text: string): Promise<string>;
}

export interface DiagnosticsCase {
  /** A sentence about behaviour. */
  readonly name: string;
  run(world: ProblemWorld): Promise<void>;
}

const whole = '{\n  "one": 1\n}\n';
const broken = '{\n  "one": 1,,\n}\n';

/** Contract of diagnostics. It uses no test runner, since it also runs in an extension host. */
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

/** Asks until problems are known, which may take several attempts on a slow machine. */
async function untilKnown(diagnostics: DiagnosticReader, path: string) {
  for (let tries = 0; tries < 50; tries++) {
    const known = await diagnostics.settle(path, new AbortController().signal);
    if (known) return known;
  }
  throw new Error('The problems were never known.');
}
