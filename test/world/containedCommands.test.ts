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
  { title: "trap 'rm -rf src' EXIT", source: 'trial', kind: 'ask' },
  { title: "eval 'git reset --hard'", source: 'trial', kind: 'ask' },
  { title: 'echo x > /dev/sda', source: 'trial', kind: 'ask' },
];

let contained: PolicyWorld;
let open: PolicyWorld;
beforeAll(async () => {
  contained = await PolicyWorld.make({
    sandbox: { isOn: () => true, whyMissing: async () => undefined, grants: { write: [], hosts: [] } },
  });
  open = await PolicyWorld.make();
});
afterAll(() => Promise.all([contained, open].map(each => each.dispose())));

describe('what the sandbox contains does not ask', () => {
  it.each(cases)('$kind: $title', async ({ title, kind }) => {
    expect(await contained.run(title)).toMatchObject({ kind });
  });

  it.each(cases)('without it, it asks: $title', async ({ title }) => {
    expect(await open.run(title)).toMatchObject({ kind: 'ask' });
  });
});
