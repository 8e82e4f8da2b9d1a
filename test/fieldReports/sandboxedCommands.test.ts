import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PolicyWorld } from '../support/policyWorld.ts';
import type { WorldCase } from './report.ts';

/** The title is the command line; the sandbox holds it. */
const cases: readonly (WorldCase & { readonly kind: 'ask' | 'allow' })[] = [
  { title: "trap 'rm -f a.tmp' EXIT; npm test", source: 'trial', kind: 'allow' },
  { title: "alias ll='ls -l'; ll", source: 'trial', kind: 'allow' },
  { title: "eval 'npm test'", source: 'trial', kind: 'allow' },
  { title: 'eval "$LINE"', source: 'trial', kind: 'allow' },
  { title: 'echo x > /dev/shm/lock', source: 'trial', kind: 'allow' },
  { title: 'echo x > /dev/shm/../sda', source: 'trial', kind: 'ask' },
  { title: 'eval "$(ssh-agent)"', source: 'report', kind: 'allow' },
  { title: 'eval "$(direnv hook bash)"', source: 'report', kind: 'allow' },
  { title: 'eval "$(cat x)"', source: 'trial', kind: 'allow' },
  { title: 'eval `cat x`', source: 'trial', kind: 'allow' },
  { title: 'bash -c \'eval "$(cat x)"\'', source: 'trial', kind: 'allow' },
  { title: 'cat .git/config', source: 'report', kind: 'allow' },
  { title: 'grep url < .git/config', source: 'trial', kind: 'allow' },
  { title: 'eval "$(git reset --hard)"', source: 'trial', kind: 'ask' },
  { title: 'cat .git/credentials', source: 'trial', kind: 'ask' },
  { title: 'cat .env', source: 'trial', kind: 'ask' },
  { title: "trap 'rm -rf src' EXIT", source: 'trial', kind: 'ask' },
  { title: "eval 'git reset --hard'", source: 'trial', kind: 'ask' },
  { title: 'echo x > /dev/sda', source: 'trial', kind: 'ask' },
];

let sandboxed: PolicyWorld;
let open: PolicyWorld;
beforeAll(async () => {
  sandboxed = await PolicyWorld.make({
    sandbox: { isOn: () => true, whyMissing: async () => undefined, grants: { write: [], hosts: [] } },
  });
  open = await PolicyWorld.make();
});
afterAll(() => Promise.all([sandboxed, open].map(each => each.dispose())));

describe('what the sandbox contains does not ask', () => {
  it.each(cases)('$kind: $title', async ({ title, kind }) => {
    expect(await sandboxed.run(title)).toMatchObject({ kind });
  });

  it.each(['eval "$(ssh-agent)"', 'eval `cat x`', 'eval "$(direnv hook bash)"'])(
    'with a rule that denies commands, it asks: %s',
    async title => {
      const rule =
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "curl"\ndecision = "deny"\npriority = 9\n';
      await sandboxed.write({ 'home/.folio/policies/mine.toml': rule });
      await sandboxed.policy.refresh();
      expect(await sandboxed.run(title)).toMatchObject({ kind: 'ask' });
      await sandboxed.write({ 'home/.folio/policies/mine.toml': '' });
      await sandboxed.policy.refresh();
    },
  );

  it.each(['eval "$(cat x)"', 'eval `cat x`'])(
    'without it, it asks in the mode that allows all: %s',
    async title => {
      expect(await open.run(title, 'yolo')).toMatchObject({ kind: 'ask' });
    },
  );

  it('settings of a repository may hold keys, which ask where the sandbox connects', async () => {
    const command = 'cat .git/config';
    const needs = { write: [], hosts: ['example.org'], outside: false };
    expect(await sandboxed.run(command, 'default', needs)).toMatchObject({
      kind: 'ask',
      reason: expect.toSatisfy((say: () => string) => say().includes('may hold keys')),
    });
  });

  it.each(cases)('without it, it asks: $title', async ({ title }) => {
    expect(await open.run(title)).toMatchObject({ kind: 'ask' });
  });
});
