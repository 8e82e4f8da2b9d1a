import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommandSurface, commands } from '../../../src/extension/core/commands/commands.ts';
import { completeCommand } from '../../../src/extension/core/commands/completeCommand.ts';
import { initWording } from '../../../src/extension/core/commands/initWording.ts';
import { parseCommand } from '../../../src/extension/core/commands/parseCommand.ts';
import { NodeFileSystem } from '../../../src/extension/node/nodeFileSystem.ts';
import type { ApprovalMode } from '../../../src/protocol/events.ts';

describe('a prompt that begins with a slash', () => {
  test.for([
    ...['// why is this here?', '/usr/bin is not in the path', '/', '/ compress', '/* a comment */', '/1'],
    ...['compress', 'say /compress', '', '/etc.', '/help?'],
  ])('is a prompt like any other: %s', text => {
    expect(parseCommand(text)).toEqual({ kind: 'prompt' });
  });

  test('is a command by its name, in any case and with space around', () => {
    for (const text of ['/compress', '  /Compress \n', '/COMPRESS\t'])
      expect(parseCommand(text)).toMatchObject({
        kind: 'command',
        command: { name: 'compress' },
        argument: '',
      });
  });

  test('may say more where the command takes it', () => {
    expect(parseCommand('/init mind the\nold API')).toMatchObject({
      kind: 'command',
      command: { name: 'init' },
      argument: 'mind the\nold API',
    });
    expect(parseCommand('/clear the cache when it is old')).toEqual({
      kind: 'refused',
      sentence: '/clear takes nothing after its name.',
    });
  });

  test('is refused with the nearest name when there is no such command', () => {
    expect(parseCommand('/comprss')).toEqual({
      kind: 'refused',
      sentence: 'There is no command /comprss. The nearest is /compress; /help shows all.',
    });
    const long = parseCommand(`/${'x'.repeat(10_000)}`);
    expect(long.kind === 'refused' && long.sentence.length).toBeLessThan(140);
  });
});

describe('completion of commands', () => {
  test('offers all after the slash, by their beginning first, then by what they hold', () => {
    expect(completeCommand('').map(each => each.label)).toEqual(commands.map(({ name }) => `/${name}`));
    expect(completeCommand('M').map(each => each.insert)).toEqual(['/memory ', '/compress ']);
    expect(completeCommand('xyz')).toEqual([]);
  });

  test('offers only what is then understood', () => {
    for (const { insert } of completeCommand('')) expect(parseCommand(insert).kind).toBe('command');
  });
});

describe('commands', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'folio-init-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  interface Around {
    readonly folders?: readonly string[];
    readonly trusted?: boolean;
    readonly mode?: ApprovalMode;
    readonly names?: readonly string[];
  }

  /** What a command did, in order. */
  async function run(text: string, around: Around = {}): Promise<readonly string[]> {
    const did: string[] = [];
    const note = (what: string) => async () => void did.push(what);
    const surface: CommandSurface = {
      compress: note('compress'),
      startNewSession: note('new session'),
      showMemory: note('memory'),
      showCommands: async list => void did.push(...list.map(each => each.name)),
      send: async (shown, wording) => void did.push(shown, wording),
      mode: () => around.mode ?? 'default',
      files: new NodeFileSystem(),
      place: () => ({
        ...{ home: join(folder, 'home'), extra: [], trusted: around.trusted ?? true },
        folders: around.folders ?? [folder],
        names: around.names ?? ['GEMINI.md', 'AGENTS.md'],
      }),
    };
    const parsed = parseCommand(text);
    if (parsed.kind !== 'command') throw new Error(`${text} is no command.`);
    const refusal = await parsed.command.run(surface, parsed.argument);
    return refusal ? [...did, refusal.sentence] : did;
  }

  test('do what their name says', async () => {
    expect(await run('/compress')).toEqual(['compress']);
    expect(await run('/clear')).toEqual(['new session']);
    expect(await run('/memory')).toEqual(['memory']);
    expect(await run('/help')).toEqual(['compress', 'init', 'clear', 'memory', 'help']);
  });

  test('init shows its name and has the model write the first memory file, with what the person adds', async () => {
    const [shown, wording, ...more] = await run('/init mind the tests', { names: ['NOTES.md', 'GEMINI.md'] });
    expect(shown).toBe('/init mind the tests');
    expect(wording).toContain('Write the memory file of this project, NOTES.md');
    expect(wording).toContain(`Write it to ${join(folder, 'NOTES.md')}`);
    expect(wording).toContain('What matters to the person here: mind the tests');
    expect(more).toEqual([]);
  });

  test('init improves a memory file that is there', async () => {
    await writeFile(join(folder, 'GEMINI.md'), 'Use tabs.');
    const [shown, wording] = await run('/init');
    expect(shown).toBe('/init');
    expect(wording).toContain('Improve the memory file of this project, GEMINI.md');
    expect(wording).not.toMatch(/undefined|What matters to the person/);
  });

  test('init names nothing that would be read as a mention, and falls back to the usual name', async () => {
    const files = new NodeFileSystem();
    const wording = await initWording(files, { folder, name: undefined, wish: '' });
    expect(wording).toContain('GEMINI.md');
    expect(wording).not.toContain('@');
    expect(await initWording(files, { folder, name: '../x', wish: '' })).toContain('GEMINI.md');
  });

  test('init says what is missing where nothing can be written', async () => {
    expect(await run('/init', { folders: [] })).toEqual([
      'No folder is open: open the project first, then use /init.',
    ]);
    expect(await run('/init', { trusted: false })).toEqual([
      'Nothing is written in a restricted workspace: trust it first, then use /init.',
    ]);
    expect(await run('/init', { mode: 'plan' })).toEqual([
      'Nothing is written in Plan mode: choose another, then use /init.',
    ]);
  });
});
