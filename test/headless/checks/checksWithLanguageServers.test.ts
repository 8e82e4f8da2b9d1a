import { describe, expect, it } from 'vitest';
import { ChecksWithLanguageServers } from '../../../src/extension/headless/checks/checksWithLanguageServers.ts';
import { fileChecks } from '../../../src/extension/headless/checks/fileChecks.ts';
import { syntaxCheck } from '../../../src/extension/node/checks/syntaxCheck.ts';
import type { Diagnostic } from '../../../src/extension/platform/diagnostics.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { loadTestParser } from '../../support/shellParser.ts';

const ofServer: Diagnostic = { severity: 'error', line: 1, message: 'Expression expected.', source: 'ts' };
const { signal } = new AbortController();

/** @param after of the server, once the file is written: `undefined`, it has not reported */
async function problemsAfter(before: readonly Diagnostic[] | undefined, after?: readonly Diagnostic[]) {
  const files = new MemoryFileSystem({ '/w/a.ts': 'const a = 1;\n' });
  const checks = new ChecksWithLanguageServers(
    fileChecks(files, []),
    syntaxCheck({ files, grammars: loadTestParser }),
    {
      problemsBefore: async () => before,
      problems: { settle: async () => after, settleAll: async () => true },
    },
  );
  await checks.read('/w/a.ts', signal);
  await files.writeText('/w/a.ts', 'const a = ;\n', utf8Format);
  return await checks.settle('/w/a.ts', signal);
}

describe('the grammar beside a language server', () => {
  it('says nothing of what the server has reported', async () => {
    expect(await problemsAfter([], [ofServer])).toEqual([ofServer]);
  });

  it('leaves the last word to a server that finds nothing wrong', async () => {
    expect(await problemsAfter([], [])).toEqual([]);
  });

  it.each([
    ['has not reported in time', [] as const],
    ['does not know the file', undefined],
  ])('counts where the server %s', async (_why, before) => {
    expect(await problemsAfter(before)).toMatchObject([{ severity: 'error', line: 1 }]);
  });
});
