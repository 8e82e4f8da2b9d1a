import { describe, expect, test } from 'vitest';
import type { ApprovalMode } from '../../../src/protocol/intentions.ts';
import { allTests } from '../../support/eachTest.ts';
import { PolicyWorld, reasonOf } from '../../support/policyWorld.ts';

const rules = `
[[rule]]
toolName = "run_shell_command"
commandPrefix = "make"
decision = "deny"
priority = 100
denyMessage = "Making is for people."

[[rule]]
toolName = "run_shell_command"
commandPrefix = "node --test"
decision = "allow"
priority = 100
`;
const askAboutTests = `
[[rule]]
toolName = "run_tests"
decision = "ask"
priority = 100
`;

describe('a tool that puts its line of shell together automatically', () => {
  const world = allTests(() => PolicyWorld.make({ files: { 'home/.folio/policies/own.toml': rules } }));
  const strict = allTests(() =>
    PolicyWorld.make({ files: { 'home/.folio/policies/own.toml': rules + askAboutTests } }),
  );

  function runTests(command: string, mode: ApprovalMode = 'default', on = world) {
    const target = { kind: 'command', command, cwd: on.workspace, canBeHeld: true } as const;
    return on.call('run_tests', 'run', {}, target, mode);
  }

  test('is held to the rules for lines in every mode', async () => {
    for (const mode of ['default', 'autoEdit', 'yolo'] as const) {
      expect(reasonOf(await runTests('make test', mode))).toContain('Making is for people.');
      expect((await runTests('node --test a.js', mode)).kind).toBe('allow');
      const other = 'npx vitest run';
      expect((await runTests(other, mode)).kind).toBe((await world.run(other, mode)).kind);
    }
    expect((await runTests('npx vitest run', 'plan')).kind).toBe('deny');
  });

  test('is asked about where a rule names it, even if its line may run', async () => {
    expect((await runTests('node --test a.js', 'default', strict)).kind).toBe('ask');
    expect((await strict.run('node --test a.js', 'default')).kind).toBe('allow');
  });
});
