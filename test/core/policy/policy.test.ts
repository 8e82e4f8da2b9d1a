import { describe, expect, it, onTestFinished } from 'vitest';
import type { PermissionOffer } from '../../../src/extension/core/policy/offers.ts';
import type { Verdict } from '../../../src/extension/core/policy/verdict.ts';
import { type PolicyOptions, PolicyWorld, reasonOf } from '../../support/policyWorld.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

async function make(options: PolicyOptions = {}): Promise<PolicyWorld> {
  const world = await PolicyWorld.make(options);
  onTestFinished(() => world.dispose());
  return world;
}

/** A user's rules in a file. */
function rules(...tables: readonly string[]): string {
  return tables.map(table => `[[rule]]\n${table}\n`).join('\n');
}

async function withRules(...tables: readonly string[]): Promise<PolicyWorld> {
  return make({ files: { 'home/.folio/policies/mine.toml': rules(...tables) } });
}

describe('without any rules of its own, the policy', () => {
  it('lets reading and notes run', async () => {
    const world = await make();
    expect(await world.read('src/a.ts')).toEqual({ kind: 'allow' });
    expect(await world.call('write_todos', 'note', {}, undefined, 'plan')).toEqual({ kind: 'allow' });
  });

  it('asks before edits, commands, servers and the web', async () => {
    const world = await make();
    expect((await world.edit('a.ts')).kind).toBe('ask');
    expect((await world.run('npm test')).kind).toBe('ask');
    expect((await world.mcp('github', 'list')).kind).toBe('ask');
    expect((await world.fetch('https://example.com')).kind).toBe('ask');
  });

  it('asks before the model answers a command, as before a command, and lets it read on', async () => {
    const world = await make();
    const send = (args: object, mode?: 'autoEdit' | 'plan') =>
      world.call('send_input', 'run', args, undefined, mode);
    expect(await send({ id: 12, text: 'yes' })).toMatchObject({ kind: 'ask', always: [] });
    expect((await send({ id: 12, text: '' }, 'autoEdit')).kind).toBe('ask');
    expect(reasonOf(await send({ id: 12, text: 'yes' }, 'plan'))).toContain('Plan mode is on');
    expect((await send({ id: 12 })).kind).toBe('allow');
  });

  it('lets a rule name the text that answers a command', async () => {
    const world = await withRules(
      'toolName = "send_input"\nargsPattern = \'"text":"y"\'\ndecision = "allow"\npriority = 100',
    );
    expect((await world.call('send_input', 'run', { id: 12, text: 'y' })).kind).toBe('allow');
    expect((await world.call('send_input', 'run', { id: 12, text: 'n' })).kind).toBe('ask');
  });

  it('lets edits through in auto-edit mode and nothing more', async () => {
    const world = await make();
    expect((await world.edit('a.ts', 'autoEdit')).kind).toBe('allow');
    expect((await world.run('npm test', 'autoEdit')).kind).toBe('ask');
    expect((await world.fetch('https://example.com', 'autoEdit')).kind).toBe('ask');
  });

  it('denies edits in plan mode and lets everything run in yolo mode', async () => {
    const world = await make();
    expect(reasonOf(await world.edit('a.ts', 'plan'))).toContain('Plan mode is on');
    expect((await world.mcp('github', 'list', 'plan')).kind).toBe('deny');
    for (const verdict of [
      world.edit('a.ts', 'yolo'),
      world.run('npm test', 'yolo'),
      world.mcp('a', 'b', 'yolo'),
    ])
      expect((await verdict).kind).toBe('allow');
  });

  it('asks in every mode where the answer is the point of the call', async () => {
    const { policy } = await make();
    for (const mode of ['default', 'autoEdit', 'plan', 'yolo'] as const) {
      const query = { tool: 'ask_user', effect: 'note', args: {}, mustAsk: true, mode } as const;
      expect((await policy.classify(query)).kind).toBe('ask');
    }
  });

  it('denies what must be asked where nobody is there, and says what for', async () => {
    const world = await make({ interactive: false });
    expect(reasonOf(await world.edit('a.ts'))).toMatch(
      /write_file needs approval, but there is no user to ask.*Edits need/,
    );
    expect((await world.read('.env', 'yolo')).kind).toBe('deny');
  });

  it.each(['default', 'autoEdit', 'yolo'] as const)('asks for protected paths in the mode %s', async mode => {
    const world = await make();
    for (const path of [
      '.env',
      'config/.env.local',
      'id_rsa',
      'a/b/server.KEY',
      '.ssh/config',
      '.env.',
      '.env::$DATA',
    ])
      expect(await world.read(path, mode), path).toMatchObject({ kind: 'ask', always: [] });
    for (const path of [
      '.env',
      '.gemini/settings.json',
      '.claude/settings.local.json',
      '.folio/policies/a.toml',
      '.vscode/tasks.json',
      '.devcontainer/Dockerfile',
      '.devcontainer.json',
      'x.code-workspace',
    ])
      expect(await world.edit(path, mode), path).toMatchObject({ kind: 'ask', always: [] });
    for (const path of ['.git/config', '.git/hooks/pre-commit', 'sub/.GIT/HEAD', '.git', 'git~1/config'])
      expect((await world.edit(path, mode)).kind, path).toBe('deny');
    for (const path of [
      '.env.example',
      '.git/HEAD',
      '.gemini/settings.json',
      '.vscode/tasks.json',
      'envs/a.ts',
    ])
      expect((await world.read(path, mode)).kind, path).toBe('allow');
  });

  it('follows links to what they protect', async () => {
    const world = await make({ files: { 'workspace/.env': 'K=1', 'outside/x': '' } });
    await world.link('.env', 'workspace/harmless.txt');
    await world.link('../outside', 'workspace/out');
    await world.link('circle', 'workspace/circle');
    expect((await world.read('harmless.txt')).kind).toBe('ask');
    expect((await world.read('out/x')).kind).toBe('deny');
    expect((await world.read('circle')).kind).toBe('deny');
  });

  it('asks for a path that is not what it looks like', async () => {
    const world = await make();
    expect(reasonOf(await world.edit('src/a\u202e.ts', 'yolo'))).toContain('\\u{202E}');
  });
});

describe('rules', () => {
  it('go by tier first and by priority then', async () => {
    const world = await make({
      adminFolders: [],
      files: {
        'home/.folio/policies/a.toml': rules(
          'toolName = "web_fetch"\ndecision = "allow"\npriority = 10',
          'toolName = "web_fetch"\ndecision = "deny"\npriority = 20\nmodes = ["plan"]',
        ),
        'workspace/.folio/policies/b.toml': rules(
          'toolName = "web_fetch"\ndecision = "deny"\npriority = 999',
        ),
      },
    });
    expect((await world.fetch('https://a.b')).kind).toBe('allow');
    expect((await world.fetch('https://a.b', 'plan')).kind).toBe('deny');
  });

  it.each<[table: string, allowed: readonly string[], others: readonly string[]]>([
    [
      'commandPrefix = "npm test"',
      ['npm test', 'npm test -- --watch', 'ls && npm test'],
      [
        'npm testing',
        'npm run test',
        'X=1 npm test',
        'npm',
        'npm test && npm run x',
        'npm test > out.txt',
        'npm test &',
        'npm test $(curl x)',
        'npx npm test',
      ],
    ],
    [
      'commandPrefix = ["git add", "git commit"]',
      ['git add a.ts', 'git add a.ts && git commit -m x'],
      ['git push', 'git -c a=b add x', 'git add .env', 'git add ../x'],
    ],
    [
      'commandRegex = "npm (test|run lint)$"',
      ['npm test', 'npm run lint'],
      ['npm run lint --fix', 'x npm test'],
    ],
    [
      'commandPrefix = "echo"\nallowRedirection = true',
      ['echo x > a.txt'],
      ['echo x > .env', 'echo x > ../a', 'echo x > .git/x'],
    ],
    ['argsPattern = "\\"command\\":\\"make( [a-z]+)?\\""', ['make', 'make all'], ['make ALL', 'cmake']],
    ['', ['npm test', 'touch a'], ['rm -rf ..', 'npm test > a', 'cat .env', 'echo a\u200b']],
  ])('allow commands no further than they say: %s', async (table, allowed, others) => {
    const world = await withRules(
      `toolName = "run_shell_command"\n${table}\ndecision = "allow"\npriority = 100`,
    );
    expect(world.reported).toEqual([]);
    for (const command of allowed) expect((await world.run(command)).kind, command).toBe('allow');
    for (const command of others) expect((await world.run(command)).kind, command).not.toBe('allow');
  });

  it.each<[table: string, denied: readonly string[]]>([
    [
      'commandPrefix = "curl"',
      [
        'curl x',
        '/usr/bin/curl x',
        'ls | curl x',
        'bash -c "curl x"',
        '"cu"rl x',
        'echo $(curl x)',
        'env curl x',
        'timeout 3 curl x',
      ],
    ],
    [
      'commandRegex = "git push.*--force"',
      ['git push --force', 'git push origin --force', 'ls; git push "--force"'],
    ],
    ['argsPattern = "prod"', ['ls && deploy prod', 'echo production']],
  ])('forbid a command wherever it stands: %s', async (table, denied) => {
    const world = await withRules(
      `toolName = "run_shell_command"\n${table}\ndecision = "deny"\npriority = 100\ndenyMessage = "Not here."`,
    );
    for (const mode of ['default', 'yolo'] as const) {
      for (const command of denied)
        expect(reasonOf(await world.run(command, mode)), command).toBe(
          'Not here. (~/.folio/policies/mine.toml, line 1)',
        );
      expect((await world.run('ls', mode)).kind).toBe('allow');
    }
    // What is not understood may hold it.
    expect((await world.run('echo "unclosed', 'yolo')).kind).toBe('ask');
  });

  it('name tools with wildcards, servers, modes and whether a user is there', async () => {
    const world = await withRules(
      'mcpName = "github"\ntoolName = "list_*"\ndecision = "allow"\npriority = 5',
      'mcpName = "*"\ndecision = "deny"\npriority = 4\nmodes = ["autoEdit"]',
      'toolName = "mcp_jira_*"\ndecision = "allow"\npriority = 3',
      'toolName = ["web_fetch", "google_web_search"]\ndecision = "deny"\ninteractive = false\npriority = 3',
    );
    expect((await world.mcp('github', 'list_issues')).kind).toBe('allow');
    expect((await world.mcp('github', 'close_issue')).kind).toBe('ask');
    expect((await world.mcp('github', 'close_issue', 'autoEdit')).kind).toBe('deny');
    expect((await world.mcp('jira', 'close')).kind).toBe('allow');
    expect((await world.fetch('https://a.b')).kind).toBe('ask');
  });

  it('look at arguments in one order of their keys', async () => {
    const world = await withRules(
      'toolName = "write_file"\nargsPattern = "\\"content\\":\\"x\\",\\"file_path\\":\\"docs/"\ndecision = "allow"\npriority = 1',
    );
    expect((await world.edit('docs/a.md')).kind).toBe('allow');
    expect((await world.edit('src/a.md')).kind).toBe('ask');
  });

  it('never open what is protected or outside', async () => {
    const world = await withRules('toolName = "*"\ndecision = "allow"\npriority = 999');
    expect((await world.read('.env')).kind).toBe('ask');
    expect((await world.edit('.git/hooks/x')).kind).toBe('deny');
    expect((await world.read('../x')).kind).toBe('deny');
    expect((await world.run('rm -rf /')).kind).toBe('ask');
    expect((await world.edit('a.ts')).kind).toBe('allow');
  });

  it('that ask are named, and nothing lasting is offered against them', async () => {
    const world = await withRules('toolName = "write_file"\ndecision = "ask_user"\npriority = 1');
    expect(await world.edit('a.ts', 'yolo')).toMatchObject({
      kind: 'ask',
      always: [],
      rule: 'A rule asks: ~/.folio/policies/mine.toml, line 1.',
    });
  });

  it('are read from the folders of both names, and again when a turn begins', async () => {
    const world = await make({
      files: {
        'home/.gemini/policies/x.toml': rules('toolName = "write_file"\ndecision = "deny"\npriority = 1'),
      },
    });
    expect((await world.edit('a.ts')).kind).toBe('deny');
    await world.write({ 'home/.gemini/policies/x.toml': '' });
    expect((await world.edit('a.ts')).kind).toBe('deny');
    await world.policy.refresh();
    expect((await world.edit('a.ts')).kind).toBe('ask');
  });

  it('hold the agent; a command of the user asks nothing, and only an administrator forbids it', async () => {
    const deny = rules(
      'toolName = "run_shell_command"\ncommandPrefix = "curl"\ndecision = "deny"\npriority = 1',
    );
    const own = { files: { 'home/.folio/policies/a.toml': deny } };
    const world = await make({ ...own, interactive: false });
    for (const command of ['curl https://a.b', 'rm -rf build', 'cat ~/.ssh/config'])
      for (const mode of ['default', 'plan', 'yolo'] as const)
        expect(await world.runOwn(command, mode)).toEqual({ kind: 'allow' });
    expect((await world.run('curl https://a.b', 'yolo')).kind).toBe('deny');
    const restricted = await make({ ...own, trusted: false });
    expect(reasonOf(await restricted.runOwn('echo'))).toContain('restricted');
    const held = await make({
      around: files => ({
        ...files,
        read: async () => ({
          files: [{ path: '/etc/x.toml', tier: 'admin', text: deny }],
          settings: [],
          problems: [],
        }),
      }),
    });
    expect(reasonOf(await held.runOwn('echo && curl https://a.b'))).toContain('/etc/x.toml');
    expect((await held.runOwn('echo')).kind).toBe('allow');
  });

  it('of an administrator go before all', async () => {
    const world = await make({
      files: { 'home/.folio/policies/a.toml': rules('decision = "allow"\npriority = 999') },
    });
    const admin = rules('toolName = "write_file"\ndecision = "deny"\npriority = 0');
    const policies = world.policyFiles;
    const read = policies.read.bind(policies);
    Object.assign(policies, {
      read: async (trusted: boolean) => {
        const sources = await read(trusted);
        return { ...sources, files: [...sources.files, { path: '/etc/x.toml', tier: 'admin', text: admin }] };
      },
    });
    expect(reasonOf(await world.edit('a.ts', 'yolo'))).toContain('/etc/x.toml, line 1');
    expect((await world.fetch('https://a.b')).kind).toBe('allow');
  });
});

describe('a file that is not as it must be', () => {
  it.each<[name: string, table: string, reported: string, edit: Verdict['kind']]>([
    [
      'a slip in what would allow',
      'toolName = "write_file"\ndecision = "allow"\npriority = "high"',
      '"priority" is missing',
      'ask',
    ],
    [
      'a slip in what would forbid',
      'toolName = "write_file"\ndecision = "deny"\npriority = 5000',
      '"priority" is missing',
      'ask',
    ],
    ['no decision', 'toolName = "write_file"\npriority = 1', '"decision" is missing', 'ask'],
    [
      'an unknown key',
      'toolName = "write_file"\ndecision = "allow"\npriority = 1\npath = "x"',
      '"path" is not a key',
      'ask',
    ],
    [
      'a pattern that may never finish',
      'toolName = "write_file"\ndecision = "deny"\npriority = 1\nargsPattern = "(a+)+$"',
      'may never finish',
      'ask',
    ],
    [
      'a pattern that is none',
      'toolName = "write_file"\ndecision = "deny"\npriority = 1\nargsPattern = "("',
      'not a valid regular expression',
      'ask',
    ],
    [
      'a pattern that is too long',
      `toolName = "write_file"\ndecision = "allow"\npriority = 1\nargsPattern = "${'a'.repeat(2049)}"`,
      '2049 characters',
      'ask',
    ],
  ])('is told with its line, and never allows more: %s', async (_name, table, reported, kind) => {
    const world = await withRules('toolName = "web_fetch"\ndecision = "allow"\npriority = 1', table);
    expect((await world.edit('a.ts', 'autoEdit')).kind).toBe(table.includes('"allow"') ? 'allow' : kind);
    expect((await world.edit('a.ts')).kind).toBe(kind);
    expect((await world.fetch('https://a.b')).kind).toBe('allow');
    expect(world.reported).toEqual([expect.stringMatching(/^~\/\.folio\/policies\/mine\.toml, line 6: /)]);
    expect(world.reported[0]).toContain(reported);
    await world.policy.refresh();
    expect(world.reported).toHaveLength(1);
  });

  it('asks for everything that acts when it is no TOML, and the other files still count', async () => {
    const world = await make({
      files: {
        'home/.folio/policies/a.toml': '[[rule]]\ntoolName = "write_file\n',
        'home/.folio/policies/b.toml': rules('toolName = "web_fetch"\ndecision = "deny"\npriority = 999'),
      },
    });
    expect((await world.edit('a.ts', 'yolo')).kind).toBe('ask');
    expect((await world.run('npm test', 'yolo')).kind).toBe('ask');
    expect((await world.fetch('https://a.b')).kind).toBe('deny');
    expect((await world.read('a.ts')).kind).toBe('allow');
    expect(world.reported).toEqual([expect.stringMatching(/a\.toml, line 2: it is not valid TOML\./)]);
  });
});

describe('the settings about tools', () => {
  const settings = (tools: object) => ({ 'home/.gemini/settings.json': JSON.stringify({ tools }) });

  it('switch tools off, ask and allow', async () => {
    const world = await make({
      files: settings({
        exclude: ['web_fetch', 'run_shell_command(git push)'],
        confirmationRequired: ['replace'],
        allowed: ['run_shell_command(npm test)', 'write_file', 'web_fetch'],
      }),
    });
    expect(reasonOf(await world.fetch('https://a.b'))).toContain('tools.exclude');
    expect((await world.run('git push -f', 'yolo')).kind).toBe('deny');
    expect((await world.run('npm test -- x')).kind).toBe('allow');
    expect((await world.run('npm run x')).kind).toBe('ask');
    expect((await world.edit('a.ts')).kind).toBe('allow');
    expect(await world.call('replace', 'edit', {}, undefined, 'yolo')).toMatchObject({
      kind: 'ask',
      always: [],
    });
  });

  it('allow only some tools, and allow none by that', async () => {
    const world = await make({ files: settings({ core: ['read_file', 'run_shell_command(git)'] }) });
    expect((await world.read('a.ts')).kind).toBe('allow');
    expect((await world.edit('a.ts', 'yolo')).kind).toBe('deny');
    expect((await world.run('git status')).kind).toBe('allow');
    expect((await world.run('git push')).kind).toBe('ask');
    const refused = await world.run('npm test', 'yolo');
    expect(refused.kind === 'deny' && refused.reason()).toContain('allow only some commands');
    expect((await world.call('write_todos', 'note', {})).kind).toBe('allow');
  });
});

describe('the rules of a workspace', () => {
  const file = 'workspace/.gemini/policies/team.toml';
  const allow = rules('toolName = "write_file"\ndecision = "allow"\npriority = 1');

  it('may always be stricter', async () => {
    const world = await make({
      files: { [file]: rules('toolName = "write_file"\ndecision = "deny"\npriority = 1') },
    });
    expect(reasonOf(await world.edit('a.ts', 'yolo'))).toContain('.gemini/policies/team.toml, line 1');
  });

  it('loosen an ask only once the user has been shown them, and again after a change', async () => {
    const world = await make({ files: { [file]: allow } });
    expect((await world.edit('a.ts')).kind).toBe('ask');
    const unseen = await world.policy.findUnseen();
    expect(unseen?.permissions).toMatchObject([{ decision: 'allow', subject: 'Tool write_file' }]);
    await world.policy.accept(unseen!);
    expect((await world.edit('a.ts')).kind).toBe('allow');
    expect(await world.policy.findUnseen()).toBeUndefined();
    world.policy = world.newSession();
    expect((await world.edit('a.ts')).kind).toBe('allow');
    await world.write({ [file]: `${allow}\n` });
    await world.policy.refresh();
    expect((await world.edit('a.ts')).kind).toBe('ask');
  });

  it('never loosen a deny, seen or not', async () => {
    const world = await make({ files: { [file]: rules('decision = "allow"\npriority = 999') } });
    const unseen = await world.policy.findUnseen();
    await world.policy.accept(unseen!);
    expect((await world.edit('a.ts', 'plan')).kind).toBe('deny');
    expect((await world.run('npm test', 'plan')).kind).toBe('deny');
    expect((await world.edit('.git/x')).kind).toBe('deny');
    expect((await world.edit('a.ts')).kind).toBe('allow');
  });

  it('do not count in a restricted workspace', async () => {
    const world = await make({
      trusted: false,
      files: { [file]: rules('toolName = "read_file"\ndecision = "deny"\npriority = 1') },
    });
    expect((await world.read('a.ts')).kind).toBe('allow');
  });

  it('never make anything allowed that was denied, whatever they are', async () => {
    const decision = fc.constantFrom('allow', 'deny', 'ask_user');
    const rule = fc.record({
      tool: fc.constantFrom('*', 'write_file', 'run_shell_command', 'web_fetch', 'mcp_a_*'),
      decision,
      priority: fc.nat(999),
      extra: fc.constantFrom(
        '',
        'modes = ["plan", "yolo"]',
        'commandPrefix = "git"',
        'interactive = true',
        'allowRedirection = true',
      ),
    });
    const write = (all: readonly { tool: string; decision: string; priority: number; extra: string }[]) =>
      rules(
        ...all.map(
          each =>
            `toolName = "${each.tool}"\ndecision = "${each.decision}"\npriority = ${each.priority}\n${each.extra}`,
        ),
      );
    const world = await make();
    const classifyAll = async () => {
      const verdicts: string[] = [];
      for (const mode of ['default', 'autoEdit', 'plan', 'yolo'] as const) {
        for (const verdict of [
          world.edit('a.ts', mode),
          world.edit('.git/x', mode),
          world.run('git push', mode),
          world.run('ls && git add a > b', mode),
          world.fetch('https://a.b', mode),
          world.mcp('a', 'b', mode),
        ])
          verdicts.push((await verdict).kind);
      }
      return verdicts;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 3 }),
        fc.array(rule, { minLength: 1, maxLength: 4 }),
        async (mine, theirs) => {
          await world.write({ 'home/.folio/policies/mine.toml': write(mine), [file]: '' });
          world.policy = world.newSession();
          const before = await classifyAll();
          await world.write({ [file]: write(theirs) });
          await world.policy.refresh();
          const unseen = await world.policy.findUnseen();
          const hidden = await classifyAll();
          if (unseen) await world.policy.accept(unseen);
          const after = await classifyAll();
          before.forEach((kind, index) => {
            if (kind === 'deny') expect([hidden[index], after[index]]).toEqual(['deny', 'deny']);
            if (kind === 'ask') expect(hidden[index]).not.toBe('allow');
          });
        },
      ),
      { numRuns: runSize({ test: 10, prove: 400 }) },
    );
  });
});

describe('a lasting permission', () => {
  function offer(verdict: Verdict, id = 'session'): PermissionOffer {
    const found = verdict.kind === 'ask' ? verdict.always.find(each => each.id === id) : undefined;
    if (!found) throw new Error(`There is no offer ${id}: ${JSON.stringify(verdict)}`);
    return found;
  }

  it('is as narrow as what was asked, for each of three scopes', async () => {
    const world = await make();
    const asked = await world.run('npm test && make all');
    const label = 'Always run npm test * and make all *';
    expect(asked.kind === 'ask' && asked.always).toMatchObject([
      { scope: 'session', label },
      { scope: 'workspace', label },
      { scope: 'user', label },
    ]);
    await world.policy.remember(offer(asked));
    for (const command of ['npm test', 'npm test -- --watch', 'make all', 'ls | wc -l && npm test'])
      expect((await world.run(command)).kind, command).toBe('allow');
    for (const command of [
      'npm publish',
      'npm test && rm x',
      'npm test > f',
      'npm testing',
      'npm',
      'make',
      'X=1 npm test',
      'npm test &',
      'npm test $(touch x)',
    ])
      expect((await world.run(command)).kind, command).toBe('ask');
    expect((await world.run('npm test', 'plan')).kind).toBe('deny');
  });

  it('says why there is none where the reason does not', async () => {
    const world = await make();
    const why = async (command: string) => {
      const asked = await world.run(command);
      if (asked.kind !== 'ask') throw new Error(`${command} does not ask.`);
      expect(asked.always.length > 0 && asked.eachTime !== undefined, command).toBe(false);
      return asked.eachTime?.();
    };
    const limited = (root: string) =>
      `Folio asks each time: it cannot limit a lasting permission to this use of ${root}.`;
    expect(await why('node --test')).toBe(limited('node'));
    expect(await why('npm test && node --test')).toBe(limited('node'));
    expect(await why('npm install left-pad')).toBe(limited('npm install'));
    for (const command of ['npm test', 'npm test > f', 'rm -rf /'])
      expect(await why(command)).toBeUndefined();
  });

  it('covers one path, one host, one tool or its server', async () => {
    const world = await make();
    await world.policy.remember(offer(await world.edit('src/a.ts')));
    expect((await world.edit('src/../src/a.ts')).kind).toBe('allow');
    expect((await world.edit('src/b.ts')).kind).toBe('ask');
    await world.policy.remember(offer(await world.fetch('https://a.b/x')));
    expect((await world.fetch('https://a.b/y')).kind).toBe('allow');
    expect((await world.fetch('https://c.a.b/y')).kind).toBe('ask');
    await world.policy.remember(offer(await world.mcp('github', 'list')));
    expect((await world.mcp('github', 'list')).kind).toBe('allow');
    expect((await world.mcp('github', 'close')).kind).toBe('ask');
    await world.policy.remember(offer(await world.mcp('github', 'close'), 'session.1'));
    expect((await world.mcp('github', 'anything')).kind).toBe('allow');
    expect((await world.mcp('jira', 'list')).kind).toBe('ask');
  });

  it('of the session is gone with it, one of the user stays and is never written into the workspace', async () => {
    const world = await make();
    await world.policy.remember(offer(await world.run('npm test')));
    await world.policy.remember(offer(await world.run('make all'), 'workspace'));
    await world.policy.remember(offer(await world.edit('a "quoted".ts'), 'user'));
    world.policy = world.newSession();
    expect((await world.run('npm test')).kind).toBe('ask');
    expect((await world.run('make all')).kind).toBe('allow');
    expect((await world.edit('a "quoted".ts')).kind).toBe('allow');
    expect((await world.policy.list()).filter(({ removable }) => removable)).toMatchObject([
      {
        subject: 'Commands make all *',
        tier: 'user',
        origin: `You, in ${world.workspace}`,
        file: world.policyFiles.alwaysFile,
        line: 3,
      },
      { subject: expect.stringContaining('a "quoted".ts'), tier: 'user', origin: 'You, everywhere' },
    ]);
    expect((await world.gate.locate('.folio', 'read')).kind).toBe('inside');
    expect(await world.policyFiles.read(true)).toMatchObject({
      files: [{ path: world.policyFiles.alwaysFile }],
    });
  });

  it('of two windows are both kept', async () => {
    const world = await make();
    const [one, other] = [world.newSession(), world.newSession()];
    const commands = ['make a', 'make b', 'make c', 'make d', 'make e', 'make f'];
    await Promise.all(
      commands.map(async (command, index) =>
        (index % 2 ? one : other).remember(offer(await world.run(command), 'user')),
      ),
    );
    await world.policy.refresh();
    for (const command of commands) expect((await world.run(command)).kind, command).toBe('allow');
  });

  it('can be undone', async () => {
    const world = await make();
    await world.policy.remember(offer(await world.run('npm test')));
    await world.policy.remember(offer(await world.run('make all'), 'user'));
    await world.policy.remember(offer(await world.run('make clean'), 'user'));
    for (const { id, subject, removable } of await world.policy.list()) {
      if (removable && !subject.includes('make clean')) expect(await world.policy.forget(id)).toBe(true);
      else if (!removable) expect(await world.policy.forget(id)).toBe(false);
    }
    expect((await world.run('npm test')).kind).toBe('ask');
    expect((await world.run('make all')).kind).toBe('ask');
    expect((await world.run('make clean')).kind).toBe('allow');
  });

  it('overrides neither a deny nor what a user wrote to be asked', async () => {
    const world = await make();
    await world.policy.remember(offer(await world.run('git push'), 'user'));
    await world.policy.remember(offer(await world.run('npm test'), 'user'));
    await world.write({
      'home/.folio/policies/mine.toml': rules(
        'toolName = "run_shell_command"\ncommandRegex = "git push.*-f"\ndecision = "deny"\npriority = 0',
        'toolName = "run_shell_command"\ncommandPrefix = "npm"\ndecision = "ask_user"\npriority = 0',
      ),
    });
    await world.policy.refresh();
    expect((await world.run('git push')).kind).toBe('allow');
    expect((await world.run('git push -f')).kind).toBe('deny');
    expect((await world.run('npm test')).kind).toBe('ask');
  });

  it('that cannot be kept holds for the session, and the user is told', async () => {
    const world = await make({ files: { 'home/.folio/policies': 'a file where a folder should be' } });
    const asked = await world.run('npm test');
    expect(await world.policy.remember(offer(asked, 'user'))).toContain('in this session only');
    expect((await world.run('npm test')).kind).toBe('allow');
  });

  it('in a damaged file allows nothing', async () => {
    const world = await make({
      files: { 'home/.folio/policies/always.toml': '[[always]]\ncommand = "make"\n[[always' },
    });
    expect((await world.run('make')).kind).toBe('ask');
    expect(world.reported).toEqual([expect.stringContaining('always.toml is not valid TOML')]);
  });
});

it('lists the defaults in the order in which they are asked', async () => {
  const world = await make({
    files: {
      'home/.folio/policies/a.toml': rules(
        'toolName = "run_shell_command"\ncommandPrefix = "rm"\ndecision = "deny"\npriority = 3',
      ),
    },
  });
  const list = await world.policy.list();
  expect(list[0]).toMatchObject({
    decision: 'deny',
    subject: 'Commands that begin with rm',
    tier: 'user',
    line: 1,
    removable: false,
    origin: '~/.folio/policies/a.toml, line 1',
  });
  expect(list.map(({ subject }) => subject)).toContain('Commands that only read');
});
