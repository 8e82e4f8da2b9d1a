import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mcpWorld } from './support/mcpWorld.ts';

const program = join(import.meta.dirname, 'support', 'officeServer.ts');

test.each([
  { entry: {}, offered: 24 },
  { entry: { includeTools: ['list_issue', 'get_issue(id)'] }, offered: ['list_issue', 'get_issue'] },
  { entry: { excludeTools: ['list_issue'] }, offered: 23 },
  {
    entry: { includeTools: ['list_issue', 'get_issue'], excludeTools: ['get_issue'] },
    offered: ['list_issue'],
  },
  { entry: { includeTools: [] }, offered: [] },
  { entry: { includeTools: ['nothing'] }, offered: [] },
])(
  'of a server only the tools that count are offered, and the list shows the others as off: %j',
  async ({ entry, offered }) => {
    const world = await mcpWorld();
    onTestFinished(world.end);
    world.set({ tracker: { command: process.execPath, args: [program, 'tracker'], ...entry } });
    const { tools } = await world.until('tracker', 'ready');
    expect(tools).toHaveLength(24);
    const enabled = tools.filter(each => each.enabled).map(({ name }) => name);
    const declared = world
      .tools()
      .map(({ name }) => name)
      .filter(name => name.startsWith('mcp_'));
    expect(declared.sort()).toEqual(enabled.map(name => `mcp_tracker_${name}`).sort());
    if (typeof offered === 'number') expect(enabled).toHaveLength(offered);
    else expect(enabled.sort()).toEqual([...offered].sort());
  },
);
