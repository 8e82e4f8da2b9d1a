import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { declareTool } from '../../src/extension/core/calls/declarations.ts';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { NodeSearch } from '../../src/extension/node/nodeSearch.ts';
import { readingTools } from '../../src/extension/tools/readingTools.ts';
import { ManualClock } from '../support/manualClock.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';

test('VS Code is told of the tools that read as the model is', async () => {
  const files = new MemoryFileSystem();
  const paths = new WorkspacePaths(files, ['/project']);
  const tools = readingTools({ files, paths, search: new NodeSearch(), clock: new ManualClock() });
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const offered: readonly Record<string, unknown>[] = manifest.contributes.languageModelTools;
  expect(
    offered.map(({ name, modelDescription, inputSchema }) => ({ name, modelDescription, inputSchema })),
  ).toEqual(
    tools.map(declareTool).map(({ name, description, parameters }) => ({
      ...{ name: `folio_${name}`, modelDescription: description, inputSchema: parameters },
    })),
  );
  expect(tools.every(({ effect }) => effect === 'read')).toBe(true);
});
