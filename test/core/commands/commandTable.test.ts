import { describe, expect, onTestFinished, test } from 'vitest';
import { completeCommand } from '../../../src/extension/core/commands/completeCommand.ts';
import type { CustomCommand } from '../../../src/extension/core/commands/custom/customCommand.ts';
import { readCustomCommands } from '../../../src/extension/core/commands/custom/readCustomCommands.ts';
import type {
  ServerPrompt,
  ServerPrompts,
} from '../../../src/extension/core/commands/prompts/promptSource.ts';
import { formatCommandLines } from '../../../src/extension/core/commands/texts/describeCommands.ts';
import type { Customization } from '../../../src/extension/core/customizations/files/customization.ts';
import { readSkills } from '../../../src/extension/core/skills/skills.ts';
import type { CustomOrigin } from '../../../src/extension/platform/customizations/customFiles.ts';
import { runCommand, tableWith } from '../../support/commandBench.ts';
import { TemplateWorld } from '../../support/templateWorld.ts';

const user: CustomOrigin = { kind: 'person' };
const workspace: CustomOrigin = { kind: 'workspace' };
const extension: CustomOrigin = { kind: 'extension', name: 'cloud tools', folder: '/e' };

function item(name: string, origin: CustomOrigin, text = 'prompt = "p"'): Customization {
  return { kind: 'command', name, origin, path: `/${name}.toml`, detail: '', format: 'toml', text };
}

async function custom(...items: readonly Customization[]): Promise<readonly CustomCommand[]> {
  return [...(await readCustomCommands(items)).entries.values()];
}

function servers(...prompts: readonly Partial<ServerPrompt>[]): ServerPrompts {
  return {
    list: () =>
      prompts.map(prompt => ({ server: 's', name: 'p', description: '', arguments: [], ...prompt })),
    get: async (server, name, args) => ({ text: JSON.stringify([server, name, args]), blobs: [] }),
  };
}

const names = (table: ReturnType<typeof tableWith>) =>
  table.commands.filter(({ source }) => source).map(({ name }) => name);

describe('names that several want', () => {
  test('stay with Folio, and say whose they are for all others', async () => {
    const commands = await custom(item('help', user), item('help', workspace), item('help', extension));
    const table = tableWith({ custom: commands, prompts: servers({ name: 'help', server: 'git hub' }) });
    expect(names(table)).toEqual(['cloud_tools:help', 'git_hub.help', 'user.help', 'workspace.help']);
    expect(await runCommand('/help', table)).toEqual(['commands']);
  });

  test('belong to nobody when none of them is Folio, and the sentence names them', async () => {
    const table = tableWith({ custom: await custom(item('fix', user), item('fix', workspace)) });
    expect(names(table)).toEqual(['user.fix', 'workspace.fix']);
    expect(await runCommand('/fix', table)).toEqual([
      'Several commands are called /fix: write /user.fix or /workspace.fix.',
    ]);
  });

  test('get a number when the longer name is taken too', async () => {
    const commands = await custom(item('fix', user), item('fix', workspace), item('user.fix', workspace));
    expect(names(tableWith({ custom: commands }))).toEqual(['user.fix', 'user.fix1', 'workspace.fix']);
    const alike = await custom(item('Fix', user), item('fix', user));
    expect(names(tableWith({ custom: alike }))).toEqual(['user.Fix', 'user.fix1']);
  });

  test('of folders are typed with colons, and an alias of Folio is taken as well', async () => {
    const table = tableWith({ custom: await custom(item('git/commit', user)) });
    expect(names(table)).toEqual(['git:commit']);
    expect(await runCommand('/git:comit', table)).toEqual([
      'There is no command /git:comit. Did you mean /git:commit? /help shows all commands.',
    ]);
  });
});

describe('a skill', () => {
  async function skills(...files: readonly (readonly [string, CustomOrigin, string?])[]) {
    const read = await readSkills(
      files.map(([name, origin, keys = '']) => ({
        kind: 'skill',
        name,
        origin,
        path: `/${name}/SKILL.md`,
        detail: '',
        format: 'skill',
        text: `---\ndescription: Does ${name}\n${keys}\n---\nDo it.`,
      })),
    );
    return [...read.entries.values()];
  }

  test('is sent for by its name, with what is written behind it', async () => {
    const table = tableWith({
      skills: await skills(['ship', workspace, 'argument-hint: [place]'], ['audit', extension]),
    });
    expect(names(table)).toEqual(['cloud_tools:audit', 'ship']);
    expect(table.commands.find(({ name }) => name === 'ship')).toMatchObject({
      description: 'Does ship',
      argument: '[place]',
      source: { kind: 'workspace' },
    });
    expect(await runCommand('/ship to "the north"', table)).toEqual([
      {
        shown: '/ship to "the north"',
        wording: 'Load the skill "ship" with `activate_skill` and do what it says.\n\nto "the north"',
      },
    ]);
    expect(await runCommand('/cloud_tools:audit', table)).toEqual([
      expect.objectContaining({
        wording: 'Load the skill "cloud tools:audit" with `activate_skill` and do what it says.',
      }),
    ]);
  });

  test('that is not for the user is not offered, and none takes a name from a command', async () => {
    const table = tableWith({
      custom: await custom(item('Fix', user)),
      skills: await skills(['fix', user], ['quiet', user, 'user-invocable: false'], ['help', user]),
    });
    expect(names(table)).toEqual(['Fix', 'user.help']);
    expect(await runCommand('/help', table)).toEqual(['commands']);
  });

  test('of a workspace says why it does not count', async () => {
    const waiting = { ...item('ship', workspace), kind: 'skill', format: 'skill' } as const;
    const table = tableWith({ listed: [{ item: waiting, state: 'waiting' }] });
    expect(await runCommand('/ship', table)).toEqual([
      '/ship comes from this workspace, and you have not allowed it yet: let it count.',
    ]);
  });
});

describe('a command that does not count', () => {
  test.for([
    ['waiting', '/fix comes from this workspace, and you have not allowed it yet: let it count.'],
    ['refused', '/fix comes from this workspace, and you refused it.'],
    ['disabled', '/fix is disabled by a setting.'],
  ] as const)('says why: %s', async ([state, sentence]) => {
    const table = tableWith({ listed: [{ item: item('fix', workspace), state }] });
    expect(names(table)).toEqual([]);
    expect(await runCommand('/fix', table)).toEqual([sentence]);
  });

  test('does not hide one of the same name that does', async () => {
    const table = tableWith({
      custom: await custom(item('fix', user)),
      listed: [{ item: item('fix', workspace), state: 'waiting' }],
    });
    expect(names(table)).toEqual(['fix']);
    expect(await runCommand('/fix', table)).not.toContainEqual(expect.stringContaining('not allowed it yet'));
  });

  test('of a workspace that is not trusted is not known, and the sentence says so', async () => {
    expect(await runCommand('/fix', tableWith({ trusted: false }))).toEqual([
      expect.stringMatching(/^There is no command \/fix\. .+ until you trust it: trust it\.$/),
    ]);
  });

  test('says what is wrong with its file', async () => {
    const table = tableWith({ custom: await custom(item('fix', user, 'prompt = 1')) });
    expect(await runCommand('/fix', table)).toEqual([
      'The command /fix.toml has no prompt: "prompt" must be a string. It is ignored.',
    ]);
  });
});

describe('a command of a file', () => {
  test('sends what its text comes to, and shows what was typed', async () => {
    const world = await TemplateWorld.make();
    onTestFinished(() => world.dispose());
    const table = tableWith({
      custom: await custom(item('fix', user, 'prompt = "Fix {{args}} !{printf now}"')),
    });
    const template = async () => world.work();
    expect(await runCommand('/fix the tax', table, { template })).toEqual([
      {
        shown: '/fix the tax',
        wording: 'Fix the tax <untrusted_output>\nnow\n</untrusted_output>',
        attachments: [],
      },
    ]);
    world.verdict = () => ({ kind: 'deny', reason: () => 'Plan mode is on.' });
    expect(await runCommand('/fix', table, { template })).toEqual([
      '/fix was not sent: its command `printf now` may not run. Plan mode is on.',
    ]);
  });

  test('asks its model to work when it is on offer, and says so when it is not', async () => {
    const world = await TemplateWorld.make();
    const markdown = (model: string): Customization => ({
      ...item('m', user, `---\nmodel: ${model}\nallowed-tools: Bash\n---\nGo`),
      format: 'markdown',
    });
    onTestFinished(() => world.dispose());
    const template = async () => world.work();
    const note = 'The allowed-tools of /m are ignored: your own permissions apply.';
    const known = tableWith({ custom: await custom(markdown('fast-1')) });
    expect(await runCommand('/m', known, { template })).toEqual([
      note,
      { shown: '/m', wording: 'Go', attachments: [], model: 'fast-1' },
    ]);
    const unknown = tableWith({ custom: await custom(markdown('sonnet')) });
    expect(await runCommand('/m', unknown, { template })).toEqual([
      note,
      '/m names the model sonnet, which is not available here. Your model is used instead.',
      { shown: '/m', wording: 'Go', attachments: [] },
    ]);
  });
});

describe('a prompt of a server', () => {
  const args = [
    { name: 'city', description: 'Where', required: true },
    { name: 'style', description: '', required: false },
  ];
  const table = tableWith({
    prompts: servers({ name: 'the weather', arguments: args, description: 'Tells it' }),
  });

  test.for([
    ['Rome', { city: 'Rome' }],
    ['Rome short', { city: 'Rome', style: 'short' }],
    ['Rome very short', { city: 'Rome', style: 'very short' }],
    ['"New York" short', { city: 'New York', style: 'short' }],
    ['--city=Rome', { city: 'Rome' }],
    ['--city="New York" --style short', { city: 'New York', style: 'short' }],
    ['style="very short" Rome', { city: 'Rome', style: 'very short' }],
    ['--style=short New York', { city: 'New York', style: 'short' }],
    ['a=b', { city: 'a=b' }],
  ] as const)('takes arguments by name and in order: %s', async ([argument, values]) => {
    const [prompt] = await runCommand(`/the-weather ${argument}`, table);
    const { wording } = prompt as { readonly wording: string };
    expect(JSON.parse(wording)).toEqual(['s', 'the weather', values]);
  });

  test.for([
    ['', '/the-weather needs city (Where): write it as --city="…".'],
    ['--style=short', '/the-weather needs city (Where): write it as --city="…".'],
    ['--town=Rome', '/the-weather does not take --town. It takes --city, --style.'],
    ['--city', '/the-weather needs a value after --city.'],
    ['--city=a --style=b c', '/the-weather does not take “c”: too many arguments. It takes --city, --style.'],
  ] as const)('says what is missing or too much: %s', async ([argument, sentence]) => {
    expect(await runCommand(`/the-weather ${argument}`, table)).toEqual([sentence]);
  });

  test('says why there is none when the server fails, and sends images along', async () => {
    const failing = servers({ name: 'x' });
    const failed = tableWith({
      prompts: { ...failing, get: async () => Promise.reject(new Error('It does not run.')) },
    });
    expect(await runCommand('/x', failed)).toEqual([
      '/x was not sent: the server s returned no prompt. It does not run.',
    ]);
    const blobs = [
      { mimeType: 'image/png', data: 'AAAA' },
      { mimeType: 'audio/wav', data: 'AAAA' },
    ];
    const rich = tableWith({ prompts: { ...failing, get: async () => ({ text: 'Look', blobs }) } });
    expect(await runCommand('/x', rich)).toEqual([
      '/x contains audio or documents, which were not sent: only images are supported.',
      {
        shown: '/x',
        wording: 'Look',
        attachments: [{ kind: 'image', name: 's 1', blob: { mimeType: 'image/png', data: 'AAAA' } }],
      },
    ]);
  });

  test('is offered with its arguments and its server', () => {
    const { choices } = completeCommand('weather', table.commands);
    expect(choices).toEqual([
      {
        kind: 'command',
        label: '/the-weather',
        insert: '/the-weather ',
        detail: 'Tells it',
        hint: '--city=… [--style=…]',
        source: 'server s',
      },
    ]);
  });
});

test('completion says who brings a command, finds it by a part, cuts long names and bounds the list', async () => {
  const many = Array.from({ length: 150 }, (_, number) => item(`many/n${number}`, user));
  const long = item(Array(4).fill('x'.repeat(40)).join('/'), workspace);
  const table = tableWith({ custom: await custom(item('openspec/proposal', extension), long, ...many) });
  expect(completeCommand('prop', table.commands).choices).toMatchObject([
    {
      label: '/openspec:proposal',
      source: 'extension cloud tools',
      detail: 'Your command openspec:proposal',
    },
  ]);
  const [cut] = completeCommand('xxx', table.commands).choices;
  expect(cut!.label).toHaveLength(61);
  expect(cut!.insert.length).toBeGreaterThan(160);
  const bounded = completeCommand('many', table.commands);
  expect([bounded.choices.length, bounded.limited]).toEqual([100, true]);
  expect(formatCommandLines(table.commands)).toMatch(
    /\/openspec:proposal +Your command .+ \(extension cloud tools\)\n/,
  );
});
