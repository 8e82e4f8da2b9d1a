import { describe, expect, it } from 'vitest';
import { commandRoot, hasRoot } from '../../../src/extension/core/policy/commandRoot.ts';
import { Policy, type PolicyQuery } from '../../../src/extension/core/policy/policy.ts';

const edit: PolicyQuery = {
  tool: 'replace',
  effect: 'edit',
  mode: 'default',
  target: { kind: 'path', path: '/w/a.ts' },
};
const command = (text: string): PolicyQuery => ({
  tool: 'run_shell_command',
  effect: 'run',
  mode: 'default',
  target: { kind: 'command', command: text },
});

function policy({ trusted = true, interactive = true } = {}): Policy {
  return new Policy(() => trusted, interactive);
}

describe('the policy', () => {
  it('lets reading and notes run', () => {
    expect(policy().judge({ ...edit, effect: 'read' }).kind).toBe('allow');
    expect(policy().judge({ ...edit, effect: 'note', mode: 'plan' }).kind).toBe('allow');
  });

  it('asks before edits, commands and the web', () => {
    for (const effect of ['edit', 'run', 'fetch'] as const) {
      expect(policy().judge({ ...edit, effect }).kind).toBe('ask');
    }
  });

  it('lets edits through in auto-edit mode and nothing more', () => {
    expect(policy().judge({ ...edit, mode: 'autoEdit' }).kind).toBe('allow');
    expect(policy().judge({ ...command('ls'), mode: 'autoEdit' }).kind).toBe('ask');
  });

  it('denies edits and commands in plan mode and in a restricted workspace, whatever else holds', () => {
    expect(policy().judge({ ...edit, mode: 'plan' }).kind).toBe('deny');
    expect(policy({ trusted: false }).judge({ ...command('ls'), mode: 'yolo' }).kind).toBe('deny');
  });

  it('denies what must be asked where nobody is there', () => {
    expect(policy({ interactive: false }).judge(edit)).toMatchObject({ kind: 'deny' });
  });

  it('remembers a permission as narrow as it was given', () => {
    const remembering = policy();
    const asked = remembering.judge(command('npm test'));
    if (asked.kind !== 'ask' || !asked.always) throw new Error('A rule should be offered.');
    expect(asked.always.label).toBe('Always npm test');
    remembering.remember(asked.always);
    expect(remembering.judge(command('npm test -- --watch')).kind).toBe('allow');
    for (const other of [
      'npm publish',
      'npm test && rm x',
      'npm testing',
      'npm test; ls',
      'npm test > f',
      'npm',
    ]) {
      expect(remembering.judge(command(other)).kind, other).toBe('ask');
    }
    expect(remembering.judge(edit).kind).toBe('ask');
  });

  it('remembers a path for that path alone', () => {
    const remembering = policy();
    const asked = remembering.judge(edit);
    if (asked.kind === 'ask' && asked.always) remembering.remember(asked.always);
    expect(remembering.judge(edit).kind).toBe('allow');
    expect(remembering.judge({ ...edit, target: { kind: 'path', path: '/w/b.ts' } }).kind).toBe('ask');
  });
});

describe('the root of a command', () => {
  it.each([
    ['ls -la', 'ls'],
    ['npm test', 'npm test'],
    ['npm run build -- --watch', 'npm run build'],
    ['git status --short', 'git status'],
    ['cargo test my_case', 'cargo test'],
  ])('of %s is %s', (line, root) => {
    expect(commandRoot(line)).toBe(root);
    expect(hasRoot(line, root)).toBe(true);
  });

  it.each([
    'bash -c ls',
    'sudo ls',
    'python x.py',
    'npx eslint',
    'FOO=1 npm test',
    'ls | wc',
    'ls\nrm x',
    'echo $(id)',
    'echo `id`',
    'git -c core.pager=x log',
    'npm run',
    "ls 'a b'",
    '',
  ])('is not offered for %s', line => {
    expect(commandRoot(line)).toBeUndefined();
  });
});
