/* What the policy makes of a command when a sandbox is wanted; test/headless/sandbox.test.ts runs commands in one. */

import { afterEach, describe, expect, test } from 'vitest';
import type { Verdict } from '../../../src/extension/core/policy/verdict.ts';
import type { CommandNeeds } from '../../../src/extension/platform/sandbox.ts';
import { PolicyWorld, reasonOf } from '../../support/policyWorld.ts';

let world: PolicyWorld;
afterEach(() => world.dispose());

interface Options {
  readonly isOn?: boolean;
  readonly missing?: string;
  readonly interactive?: boolean;
  readonly files?: Readonly<Record<string, string>>;
}

async function open({ isOn = true, missing, ...options }: Options = {}): Promise<PolicyWorld> {
  const why = missing === undefined ? undefined : () => missing;
  const sandbox = { isOn: () => isOn, whyMissing: async () => why, grants: { write: [], hosts: [] } };
  world = await PolicyWorld.make({ ...options, sandbox });
  return world;
}

function needs(more: Partial<CommandNeeds>): CommandNeeds {
  return { write: [], hosts: [], outside: false, ...more };
}

/** `allow up`: it runs unasked inside the sandbox. */
function held(verdict: Verdict): string {
  return verdict.kind === 'deny' ? 'deny' : `${verdict.kind} ${verdict.sandboxed?.kind ?? 'free'}`;
}

function rule(name: 'home' | 'workspace', lines: string): Readonly<Record<string, string>> {
  const folder = name === 'home' ? 'home/.folio' : 'workspace/.folio';
  return { [`${folder}/policies/rules.toml`]: `[[rule]]\npriority = 100\n${lines}\n` };
}

describe('with the sandbox on', () => {
  test.each(['default', 'autoEdit'] as const)('what is sandboxed runs unasked in the mode %s', async mode => {
    await open();
    for (const line of [
      'npm test',
      'make && ./run > out.txt',
      'python3 x.py &',
      'cat *',
      'for f in *; do sh $f; done',
    ])
      expect(held(await world.run(line, mode)), line).toBe('allow up');
  });

  test.each(['rm -rf src', 'git reset --hard', 'sudo ls', 'echo "a\u202eb"'])('%s still asks', async line => {
    await open();
    expect(held(await world.run(line))).toBe('ask up');
  });

  test('what a written rule asks about still asks, and what it denies is denied', async () => {
    await open({
      files: {
        'home/.folio/policies/a.toml':
          '[[rule]]\ncommandPrefix = "npm publish"\ndecision = "ask"\npriority = 9\n[[rule]]\ncommandPrefix = "npm login"\ndecision = "deny"\npriority = 9\n',
      },
    });
    expect(held(await world.run('npm publish'))).toBe('ask up');
    expect(held(await world.run('npm login'))).toBe('deny');
    expect(held(await world.run('npm test'))).toBe('allow up');
  });

  test('plan mode still lets nothing run but what reads, which runs sandboxed', async () => {
    await open();
    expect(held(await world.run('npm test', 'plan'))).toBe('deny');
    expect(held(await world.run('ls', 'plan'))).toBe('allow up');
  });

  test('the mode that allows all runs inside the sandbox, too, and does not open them automatically', async () => {
    await open();
    expect(held(await world.run('npm test', 'yolo'))).toBe('allow up');
    expect(held(await world.run('npm test', 'yolo', needs({ outside: true })))).toBe('ask free');
    expect(held(await world.run('npm i', 'yolo', needs({ hosts: ['registry.npmjs.org'] })))).toBe('ask up');
  });

  test('a secret that the sandbox hides asks, and is read outside when the user says so', async () => {
    await open({ files: { 'workspace/.env': 'KEY=1' } });
    const verdict = await world.run('cat .env');
    expect([held(verdict), reasonOf(verdict)]).toEqual([
      'ask free',
      expect.stringContaining('outside the sandbox'),
    ]);
  });

  test('a command that nobody holds, such as one of a custom command, is classified as without a sandbox', async () => {
    await open();
    const classify = () => {
      const target = { kind: 'command', command: 'npm test', cwd: world.workspace } as const;
      return world.policy.classify({
        tool: 'run_shell_command',
        effect: 'run',
        args: {},
        target,
        mode: 'default',
      });
    };
    expect(held(await classify())).toBe('ask free');
    await world.write(rule('home', 'toolName = "run_shell_command"\ndecision = "allow"\nsandbox = "deny"'));
    await world.policy.refresh();
    expect(held(await classify())).toBe('deny');
  });

  test('off, nothing changes', async () => {
    await open({ isOn: false });
    expect(held(await world.run('npm test'))).toBe('ask free');
    expect(held(await world.run('ls'))).toBe('allow free');
  });
});

describe('a sandbox that cannot be used', () => {
  const missing = 'The program bubblewrap is missing. Install it.';

  test('is told of in the ask, once to the user and in the list, and the command asks as without it', async () => {
    await open({ missing });
    const verdict = await world.run('npm test');
    expect(held(verdict)).toBe('ask missing');
    expect(reasonOf(verdict)).toContain(missing);
    await world.run('npm test');
    expect(world.reported).toEqual([expect.stringContaining(missing)]);
    expect((await world.policy.list())[0]).toMatchObject({
      decision: 'ask',
      subject: expect.stringContaining(missing),
    });
  });

  test('leaves what only reads as it was, and says so to the tool', async () => {
    await open({ missing });
    const verdict = await world.run('ls');
    expect(verdict).toMatchObject({ kind: 'allow', sandboxed: { kind: 'missing' } });
    expect('sandboxed' in verdict && verdict.sandboxed?.kind === 'missing' && verdict.sandboxed.why()).toBe(
      missing,
    );
  });

  test('makes the mode that allows all ask', async () => {
    await open({ missing });
    expect(held(await world.run('npm test', 'yolo'))).toBe('ask missing');
  });

  test('is a denial where no user can be asked, whatever mode or rule would allow it', async () => {
    await open({
      missing,
      interactive: false,
      files: rule('home', 'commandPrefix = "npm test"\ndecision = "allow"'),
    });
    for (const mode of ['default', 'yolo'] as const) {
      const verdict = await world.run('npm test', mode);
      expect([held(verdict), reasonOf(verdict)], mode).toEqual(['deny', expect.stringContaining(missing)]);
    }
  });
});

describe('a grant', () => {
  test('is asked for with its name, holds for the session once given, is listed, and can be undone', async () => {
    await open();
    const intent = needs({ write: [`${world.home}/.cache/pip`], hosts: ['pypi.org'] });
    const verdict = await world.run('pip install x', 'default', intent);
    expect(reasonOf(verdict)).toContain(`write to ${world.home}/.cache/pip and connect to pypi.org`);
    if (verdict.kind !== 'ask') throw new Error('It did not ask.');
    expect(verdict.always.map(({ id }) => id)).toEqual(['session', 'workspace', 'user', 'outside']);
    await world.policy.remember(verdict.always[0]!);
    expect(await world.run('pip install x', 'default', intent)).toMatchObject({ kind: 'allow' });
    // Every command of the sandbox has it, whether it says so or not.
    expect(await world.run('npm test')).toMatchObject({
      sandboxed: { grants: { write: intent.write, hosts: intent.hosts } },
    });
    const rows = (await world.policy.list()).filter(({ removable }) => removable);
    expect(rows.map(({ subject }) => subject)).toEqual([
      `Commands in the sandbox write to ${world.home}/.cache/pip`,
      'Commands in the sandbox connect to pypi.org',
    ]);
    for (const { id } of rows) expect(await world.policy.forget(id)).toBe(true);
    expect(held(await world.run('pip install x', 'default', intent))).toBe('ask up');
  });

  test('that was given always outlasts the session', async () => {
    await open();
    const verdict = await world.run('pip install x', 'default', needs({ hosts: ['pypi.org'] }));
    if (verdict.kind !== 'ask') throw new Error('It did not ask.');
    await world.policy.remember(verdict.always.find(({ scope }) => scope === 'user')!);
    world.policy = world.newSession();
    expect(held(await world.run('pip install x', 'default', needs({ hosts: ['pypi.org'] })))).toBe(
      'allow up',
    );
  });

  test('is not given for what is too much, and never for longer than once for what is secret', async () => {
    await open();
    for (const path of ['/', world.home, '/proc/sys', '/dev', '/dev/shm', world.root])
      expect(held(await world.run('x', 'default', needs({ write: [path] }))), path).toBe('deny');
    const verdict = await world.run('x', 'default', needs({ write: [`${world.home}/.ssh`] }));
    expect(verdict.kind === 'ask' && verdict.always.map(({ id }) => id)).toEqual(['outside']);
  });

  test('is denied where no user can be asked', async () => {
    await open({ interactive: false });
    expect(held(await world.run('npm test'))).toBe('allow up');
    expect(held(await world.run('npm i', 'default', needs({ hosts: ['x.org'] })))).toBe('deny');
    expect(held(await world.run('npm i', 'default', needs({ outside: true })))).toBe('deny');
  });
});

describe('a rule that names the sandbox', () => {
  test('lets a command out of it, which asks or runs as the rule decides', async () => {
    await open({ files: rule('home', 'commandPrefix = "docker"\ndecision = "ask"\nsandbox = "off"') });
    expect(held(await world.run('docker ps'))).toBe('ask free');
    expect(held(await world.run('docker ps && npm test')), 'what stands beside it stays inside').toBe(
      'ask up',
    );
    expect(held(await world.run('npm test'))).toBe('allow up');
  });

  test('puts one command into it where the setting asks', async () => {
    await open({
      isOn: false,
      files: rule('home', 'commandPrefix = "npm"\ndecision = "allow"\nsandbox = "on"'),
    });
    expect(held(await world.run('npm test'))).toBe('allow up');
    expect(held(await world.run('make'))).toBe('ask free');
  });

  test('with "deny" gives no command more than the sandbox has', async () => {
    await open({
      files: rule('home', 'toolName = "run_shell_command"\ndecision = "allow"\nsandbox = "deny"'),
    });
    expect(held(await world.run('npm test'))).toBe('allow up');
    expect(held(await world.run('npm i', 'default', needs({ hosts: ['x.org'] })))).toBe('deny');
    expect(held(await world.run('npm i', 'default', needs({ outside: true })))).toBe('deny');
  });

  test('with "deny" denies where there is no sandbox', async () => {
    await open({
      missing: 'It is missing.',
      files: rule('home', 'toolName = "run_shell_command"\ndecision = "allow"\nsandbox = "deny"'),
    });
    expect(held(await world.run('npm test'))).toBe('deny');
  });

  test('of a workspace makes things stricter and never looser', async () => {
    await open({ files: rule('workspace', 'commandPrefix = "npm"\ndecision = "ask"\nsandbox = "off"') });
    expect(held(await world.run('npm test')), 'it does not let out').toBe('ask up');
    await world.dispose();
    await open({
      isOn: false,
      files: rule('workspace', 'toolName = "run_shell_command"\ndecision = "ask"\nsandbox = "on"'),
    });
    expect(held(await world.run('npm test')), 'sandboxes take no ask away').toBe('ask up');
  });
});
