import { expect, test } from 'vitest';
import { settingRules } from '../../../src/extension/core/policy/settingRules.ts';

test.each([
  ['Bash', 'run_shell_command'],
  ['Write', 'write_file'],
  ['RipGrepTool', 'grep_search'],
  ['SmartEditTool', 'replace'],
  ['WriteTodosTool', 'write_todos'],
])('a setting that excludes %s is about %s', (name, tool) => {
  const rules = settingRules({ path: '/s.json', tier: 'user', exclude: [name] }, 's.json', undefined);
  expect(rules).toMatchObject([{ tools: [tool], decision: 'deny' }]);
});
