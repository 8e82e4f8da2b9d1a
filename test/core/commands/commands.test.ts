import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseMode } from '../../../src/extension/core/commands/approvalModes.ts';
import type { Command, CommandPrompt } from '../../../src/extension/core/commands/commands.ts';
import { completeCommand } from '../../../src/extension/core/commands/completeCommand.ts';
import { builtIns } from '../../../src/extension/core/commands/table/builtIns.ts';
import { composeInitPrompt } from '../../../src/extension/core/commands/table/composeInitPrompt.ts';
import { asksModel, parseCommand } from '../../../src/extension/core/commands/table/parseCommand.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import type { ApprovalMode } from '../../../src/protocol/intentions.ts';
import { emptySession } from '../../../src/protocol/state.ts';
import { runCommand, tableWith } from '../../support/commandBench.ts';
import { readSources } from '../../support/sourceFiles.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const table = tableWith();

describe('a prompt that begins with a slash', () => {
  test.for([
    '// why is this here?',
    '/usr/bin is not in the path',
    '/',
    '/ compress',
    '/* a comment */',
    '/1',
    'compress',
    'say /compress',
    '',
    '/etc.',
    '/help?',
    '/etc/hosts',
    '/.',
    '/???',
  ])('is a prompt like any other: %s', text => {
    expect(parseCommand(text, table)).toEqual({ kind: 'prompt' });
  });

  test('is a command by its name, in any case and with space around', () => {
    for (const text of ['/compress', '  /Compress \n', '/COMPRESS\t'])
      expect(parseCommand(text, table)).toMatchObject({
        kind: 'command',
        command: { name: 'compress' },
        argument: '',
      });
    expect(parseCommand('/?', table)).toMatchObject({ kind: 'command', command: { name: 'help' } });
  });

  test('may say more where the command takes it', () => {
    expect(parseCommand('/init mind the\nold API', table)).toMatchObject({
      kind: 'command',
      command: { name: 'init' },
      argument: 'mind the\nold API',
    });
    expect(parseCommand('/clear the cache when it is old', table)).toEqual({
      kind: 'refused',
      sentence: '/clear takes no arguments.',
    });
  });

  test('is refused with the nearest name when there is no such command', () => {
    expect(parseCommand('/comprss', table)).toEqual({
      kind: 'refused',
      sentence: 'There is no command /comprss. Did you mean /compress? /help shows all commands.',
    });
    const long = parseCommand(`/${'x'.repeat(10_000)}`, table);
    expect(long.kind === 'refused' && long.sentence.length).toBeLessThan(140);
  });
});

describe('what a model is to read', () => {
  test.for(['Hello', '/init', '/init mind the API', '/compress', '/plan a new tax'])('is %s', text => {
    expect(asksModel(parseCommand(text, table))).toBe(true);
  });

  test('is no other command of Folio, and nothing that is refused', () => {
    const others = builtIns().filter(({ asksModel: when }) => when !== 'always');
    expect(others.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['mode', 'permissions', 'plan', 'memory', 'help']),
    );
    for (const { name } of others) expect(asksModel(parseCommand(`/${name}`, table)), name).toBe(false);
    expect(asksModel(parseCommand('/comprss', table))).toBe(false);
  });
});

test('the page decides nothing by the name of a command', async () => {
  const names = builtIns()
    .flatMap(({ name, aliases = [] }) => [name, ...aliases])
    .filter(name => name !== '?');
  const named = new RegExp(`/\\(?(?:\\w+\\|)*(?:${names.join('|')})\\b`);
  expect(named.test("text.startsWith('/help')") && named.test('/^\\/(about|auth)$/')).toBe(true);
  // A sentence for users may name one, and so may the address of a page.
  const harmless = /(from|import) '[^']*'|<code>[^<]*<\/code>|'https:[^']*'/g;
  const page = await readSources('src/webview');
  const naming = page.filter(({ text }) => named.test(text.replace(harmless, '')));
  expect(naming.map(({ path }) => path)).toEqual([]);
});

describe('completion of commands', () => {
  test('offers the values of modes, efforts and models', () => {
    const models = [
      { id: 'gemini-2.5-pro', label: 'Gemini 2.5 Pro' },
      { id: 'gemini-2.5-flash', label: 'Gemini 2.5 Flash' },
    ];
    const inserted = (query: string) =>
      completeCommand(query, builtIns(), models).choices.map(({ insert }) => insert.trim());
    expect(inserted('mode ')).toEqual([
      '/mode',
      '/mode ask',
      '/mode auto-edit',
      '/mode plan',
      '/mode allow-all',
    ]);
    expect(inserted('effort m')).toEqual(['/effort medium', '/effort max']);
    expect(inserted('model Gemini-2.5-f')).toEqual(['/model gemini-2.5-flash']);
    for (const { insert } of completeCommand('mode ', builtIns()).choices.slice(1))
      expect(parseMode(insert.trim().slice('/mode '.length))).toBeDefined();
  });

  test('offers first what is written whole, by whichever name, since Enter takes the first', () => {
    const longer = (command: Command): Command => ({ ...command, name: `${command.name}-more`, aliases: [] });
    const all = builtIns().flatMap(command => {
      const others = (command.aliases ?? []).map(name => ({ ...longer(command), name: `${name}-more` }));
      return [longer(command), ...others, command];
    });
    const isFirst = (written: string) => {
      const { choices } = completeCommand(written.toUpperCase(), all);
      expect(choices[0]?.insert).toBe(`/${written} `);
    };
    for (const { name, aliases = [], words = [] } of builtIns()) {
      for (const each of [name, ...aliases]) isFirst(each);
      for (const word of words)
        for (const each of [word.name, ...(word.aliases ?? [])]) isFirst(`${name} ${each}`);
    }
  });

  test('offers all after the slash, by their beginning first, then by what they hold', () => {
    const { choices, limited } = completeCommand('', builtIns());
    expect(choices.map(each => each.label)).toEqual(builtIns().map(({ name }) => `/${name}`));
    expect(limited).toBe(false);
    const inserted = (query: string) => completeCommand(query, builtIns()).choices.map(each => each.insert);
    expect(inserted('M').slice(0, 5)).toEqual(['/memory ', '/mode ', '/model ', '/mcp ', '/compress ']);
    expect(inserted('xyz')).toEqual([]);
  });

  test('offers only what is then understood', () => {
    for (const { insert } of completeCommand('', builtIns()).choices)
      expect(parseCommand(insert, table).kind).toBe('command');
  });
});

describe('commands', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder('folio-init-');
  });

  const run = (text: string, around?: Parameters<typeof runCommand>[2]) => runCommand(text, table, around);

  interface Around {
    readonly folders?: readonly string[];
    readonly trusted?: boolean;
    readonly mode?: ApprovalMode;
    readonly names?: readonly string[];
  }

  function runInit(text: string, around: Around = {}): Promise<readonly unknown[]> {
    return runCommand(text, table, {
      state: () => ({ ...emptySession, mode: around.mode ?? 'default' }),
      place: () => ({
        home: join(folder, 'home'),
        extra: [],
        trusted: around.trusted ?? true,
        folders: around.folders ?? [folder],
        names: around.names ?? ['GEMINI.md', 'AGENTS.md'],
      }),
    });
  }

  test('do what their name says', async () => {
    expect(await run('/compress')).toEqual(['compress']);
    expect(await run('/clear')).toEqual(['new session']);
    expect(await run('/memory')).toEqual(['memory']);
    expect(await run('/help')).toEqual(['commands']);
    expect(await run('/?')).toEqual(['commands']);
    const views = {
      '/mcp': 'servers',
      '/rewind': 'rewind',
      '/export': 'export',
      '/permissions': 'permissions',
    };
    const more = {
      '/hooks': 'hooks',
      '/resume': 'history',
      '/history': 'history',
      '/model': 'model',
      '/mode': 'mode',
      '/effort': 'effort',
    };
    for (const [text, view] of Object.entries({ ...views, ...more }))
      expect(await run(text)).toEqual([`open ${view}`]);
    expect(await run('/resume the tax bug')).toEqual(['resume the tax bug']);
    expect(await run('/stats')).toEqual(['Statistics', expect.stringContaining('| Tokens sent | 0 |')]);
  });

  test('plan switches the mode, and sends what stands behind it as it is', async () => {
    expect(await run('/plan')).toEqual(['mode plan']);
    expect(await run('/plan a new tax')).toEqual(['mode plan', { shown: 'a new tax' }]);
  });

  test('mode is set by any of its names', async () => {
    const modes = {
      ask: 'default',
      'Auto-edit': 'autoEdit',
      auto_edit: 'autoEdit',
      PLAN: 'plan',
      'allow all': 'yolo',
    };
    for (const [name, mode] of Object.entries(modes))
      expect(await run(`/mode ${name}`)).toEqual([`mode ${mode}`]);
    expect(await run('/mode fast')).toEqual([
      'There is no mode fast: use ask, auto-edit, plan or allow-all.',
    ]);
  });

  test('model is set by its id, its label or a part that only one has', async () => {
    expect(await run('/model fast-1')).toEqual(['model fast-1']);
    expect(await run('/model STRONG one')).toEqual(['model strong-1']);
    expect(await run('/model strong')).toEqual(['model strong-1']);
    expect(await run('/model auto')).toEqual(['model auto']);
    expect(await run('/model fast')).toEqual([
      'Several models fit “fast”: fast-1, fast-2. Write more of the name.',
    ]);
    expect(await run('/model vendor/new:1')).toEqual([
      'model vendor/new:1',
      "The model is vendor/new:1, which is not in the provider's list. Near it: strong-1, fast-1, fast-2.",
    ]);
    expect(await run('/model the best one')).toEqual([
      'There is no model “the best one”. Use /model to see all models.',
    ]);
  });

  test('effort is set for the model in use, among the steps that it has', async () => {
    const on = (model: string) => ({ state: () => ({ ...emptySession, model }) });
    expect(await run('/effort HIGH', on('fast-1'))).toEqual(['effort of fast-1: high']);
    expect(await run('/effort default', on('fast-1'))).toEqual(['effort of fast-1: undefined']);
    expect(await run('/effort max', on('fast-1'))).toEqual([
      'Fast One does not support the effort max: use low, high or default.',
    ]);
    expect(await run('/effort low', on('strong-1'))).toEqual([
      'Strong One offers no choice of effort: choose another model with /model.',
    ]);
    expect(await run('/effort low', on('auto'))).toEqual([
      'Auto has not chosen a model yet: send a prompt first.',
    ]);
  });

  test('lists show what there is, and say how to get some where there is none', async () => {
    const list = async () => [{ name: 'a`b', description: 'Does <b>it</b>\n# now', source: 'you' }];
    const [title, text] = await runCommand('/skills', table, { list });
    expect(title).toBe('Skills');
    expect(text).toBe('# Skills\n\n1 skill.\n\n- ``a`b`` (you): Does \\<b\\>it\\</b\\> # now\n');
    for (const name of ['tools', 'skills', 'agents'])
      expect((await run(`/${name}`))[1]).toMatch(/^# \w+\n\n(There are no|The model has no) /);
  });

  test('init shows its name and has the model write the first memory file, with what the user adds', async () => {
    const [sent, ...more] = await runInit('/init mind the tests', { names: ['NOTES.md', 'GEMINI.md'] });
    const { shown, wording } = sent as CommandPrompt;
    expect(shown).toBe('/init mind the tests');
    expect(wording).toContain('Write the memory file of this project, NOTES.md');
    expect(wording).toContain(`Write it to ${join(folder, 'NOTES.md')}`);
    expect(wording).toContain('What matters to the user here: mind the tests');
    expect(more).toEqual([]);
  });

  test('init improves a memory file that is there', async () => {
    await writeFile(join(folder, 'GEMINI.md'), 'Use tabs.');
    const { shown, wording } = (await runInit('/init'))[0] as CommandPrompt;
    expect(shown).toBe('/init');
    expect(wording).toContain('Improve the memory file of this project, GEMINI.md');
    expect(wording).not.toMatch(/undefined|What matters to the user/);
  });

  test('init names nothing that would be read as a mention, and falls back to the usual name', async () => {
    const files = new NodeFileSystem();
    const wording = await composeInitPrompt(files, { folder, name: undefined, intent: '' });
    expect(wording).toContain('GEMINI.md');
    expect(wording).not.toContain('@');
    expect(wording).toContain('holds no code');
    expect(wording).toContain('[TODO: ');
    expect(await composeInitPrompt(files, { folder, name: '../x', intent: '' })).toContain('GEMINI.md');
  });

  test('init says what is missing where nothing can be written', async () => {
    expect(await runInit('/init', { folders: [] })).toEqual([
      'No folder is open: open the project first, then use /init.',
    ]);
    expect(await runInit('/init', { trusted: false })).toEqual([
      'The workspace is restricted, so nothing is written. Trust it first, then use /init.',
    ]);
    expect(await runInit('/init', { mode: 'plan' })).toEqual([
      'Plan mode does not write files. Choose another mode, then use /init.',
    ]);
  });
});
