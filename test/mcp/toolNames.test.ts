import { expect, test } from 'vitest';
import { toolNames } from '../../src/extension/mcp/tools/toolName.ts';
import { fc } from '../support/properties.ts';

test('a name says server and tool', () => {
  expect(toolNames([{ server: 'git hub', tool: 'list.issues' }])).toEqual(['mcp_git_hub_list_issues']);
});

test('a long name keeps both ends', () => {
  const [name] = toolNames([
    { server: 'a-server-with-a-long-name', tool: 'find_everything_that_was_ever_written_down' },
  ]);
  expect(name).toMatch(/^mcp_a-server-with-a-long.*_[0-9a-f]{8}_.*written_down$/);
});

test('names that would be the same are told apart, whichever comes first', () => {
  const tools = [
    { server: 'a', tool: 'b.c' },
    { server: 'a', tool: 'b c' },
    { server: 'a_b', tool: 'c' },
  ];
  const names = toolNames(tools);
  expect(new Set(names).size).toBe(3);
  expect(toolNames(tools.toReversed())).toEqual(names.toReversed());
});

test('a tool that is called like one that was told apart gets another name than that one', () => {
  const victims = [
    { server: 'a', tool: 'b.c' },
    { server: 'a', tool: 'b c' },
  ];
  const [reported = ''] = toolNames(victims);
  const tools = [...victims, { server: 'a', tool: reported.slice('mcp_a_'.length) }];
  expect(new Set(toolNames(tools)).size).toBe(3);
});

test('whatever servers call their tools, names are unique and ones that providers take', () => {
  const named = fc.record({
    server: fc.string({ minLength: 1 }),
    tool: fc.string({ minLength: 1, maxLength: 120 }),
  });
  const different = fc.uniqueArray(named, { selector: ({ server, tool }) => JSON.stringify([server, tool]) });
  void fc.assert(
    fc.property(different, tools => {
      const names = toolNames(tools);
      expect(new Set(names).size).toBe(tools.length);
      for (const name of names) expect(name).toMatch(/^[A-Za-z_][\w-]{0,62}$/);
    }),
  );
});
