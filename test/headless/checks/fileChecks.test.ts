import { describe, test } from 'vitest';
import { fileChecks } from '../../../src/extension/headless/checks/fileChecks.ts';
import { syntaxCheck } from '../../../src/extension/node/checks/syntaxCheck.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { diagnosticsContract } from '../../support/diagnosticsContract.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { loadTestParser } from '../../support/shellParser.ts';

describe('checks of a run without a window', () => {
  for (const { name, run } of diagnosticsContract) {
    test(name, async () => {
      const files = new MemoryFileSystem({});
      const shellParser = loadTestParser;
      await run({
        diagnostics: fileChecks(files, [syntaxCheck({ files, grammars: shellParser })]),
        async write(text) {
          await files.writeText('/w/a.json', text, utf8Format);
          return '/w/a.json';
        },
      });
    });
  }
});
