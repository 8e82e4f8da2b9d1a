import { expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { readOnlyTools } from '../../src/extension/tools/readOnlyTools.ts';
import { ManualClock } from '../support/manualClock.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';

test('the tools that VS Code is offered only read', () => {
  const files = new MemoryFileSystem();
  const paths = new WorkspacePaths(files, ['/project']);
  const ignoredFolders = () => [];
  const tools = readOnlyTools({
    files,
    paths,
    search: new NodeSearch(),
    clock: new ManualClock(),
    ignoredFolders,
  });
  expect(tools.length).toBeGreaterThan(0);
  expect(tools.filter(({ effect }) => effect !== 'read')).toEqual([]);
});
