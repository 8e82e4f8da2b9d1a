import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { memoryHeading } from '../../../src/extension/base/rememberedFacts.ts';
import type { SavedChat } from '../../../src/extension/core/commands/chats.ts';
import { completeCommand } from '../../../src/extension/core/commands/completeCommand.ts';
import { builtIns } from '../../../src/extension/core/commands/table/builtIns.ts';
import { parseCommand } from '../../../src/extension/core/commands/table/parseCommand.ts';
import { formatCommandLines } from '../../../src/extension/core/commands/texts/describeCommands.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { reduce } from '../../../src/protocol/fold/reduce.ts';
import { emptySession, type SessionState } from '../../../src/protocol/state.ts';
import { runCommand, type SurfaceMembers, tableWith } from '../../support/commandBench.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const table = tableWith();
const run = (text: string, around: Partial<SurfaceMembers> = {}) => runCommand(text, table, around);

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder('folio-words-');
});

/** A workspace and a home side by side. */
function place(): Pick<SurfaceMembers, 'place'> {
  const home = join(folder, 'home', '.gemini');
  return {
    place: () => ({ home, extra: [], trusted: true, folders: [join(folder, 'work')], names: ['GEMINI.md'] }),
  };
}

describe('a command with words', () => {
  test('names the nearest of them in one sentence for one that it does not know', async () => {
    expect(await run('/memory lst')).toEqual([
      '/memory does not know “lst”. Did you mean /memory list? /help shows all commands.',
    ]);
    expect(await run('/restore everything')).toEqual([
      '/restore does not know “everything”. Did you mean /restore list? /help shows all commands.',
    ]);
    expect(await run('/memory list all')).toEqual(['/memory list takes no arguments.']);
    const [long] = await run(`/chat ${'x'.repeat(5_000)}`);
    expect(String(long).length).toBeLessThan(160);
  });

  test('knows its words in any case and by their other names', async () => {
    expect(await run('/MEMORY  Show')).toEqual(['memory']);
    expect(await run('/auth login')).toEqual(['open connect']);
    expect(await run('/auth')).toEqual(['open connect']);
    expect(await run('/auth signout')).toEqual(['open signOut']);
    expect(await run('/settings')).toEqual(['open settings']);
  });

  test('has them completed behind its name, with itself first', () => {
    const inserted = (query: string) => completeCommand(query, builtIns()).choices.map(each => each.insert);
    expect(inserted('memory ')).toEqual([
      '/memory ',
      '/memory show ',
      '/memory add ',
      '/memory refresh ',
      '/memory list ',
      '/memory inbox ',
    ]);
    expect(inserted('memory inbox ')).toEqual([
      '/memory inbox ',
      '/memory inbox accept ',
      '/memory inbox edit ',
      '/memory inbox drop ',
    ]);
    expect(inserted('memory inbox d')).toEqual(['/memory inbox drop ']);
    expect(inserted('memory inbox drop 1')).toEqual([]);
    expect(inserted('memory re')).toEqual(['/memory refresh ']);
    expect(inserted('DIR a')).toEqual(['/directory add ']);
    expect(inserted('init x')).toEqual([]);
    expect(inserted('nothing ')).toEqual([]);
    for (const { name, words = [] } of builtIns())
      for (const word of words)
        expect(parseCommand(`/${name} ${word.name}`, table)).toMatchObject({ kind: 'command' });
  });

  test('is listed with what each word does', () => {
    const lines = formatCommandLines(builtIns()).split('\n');
    expect(lines.find(line => line.startsWith('/memory add'))).toMatch(/^\/memory add \[fact\] +Keep a fact/);
    expect(lines.find(line => line.startsWith('/chat save'))).toMatch(/^\/chat save \[name\] +Keep a copy/);
    expect(lines.find(line => line.startsWith('/tools desc'))).toBeDefined();
  });
});

describe('/memory', () => {
  const file = () => join(folder, 'home', '.gemini', 'GEMINI.md');

  test('add keeps a fact in the user’s own file, as one item of its list, and only once', async () => {
    const added = await run('/memory add - Use tabs\n# always @/etc/passwd', place());
    expect(added).toEqual([`Kept in ${file()}: Use tabs # always \\@/etc/passwd`]);
    expect(await readFile(file(), 'utf8')).toBe(`${memoryHeading}\n\n- Use tabs # always \\@/etc/passwd\n`);
    await run('/memory add Speak plainly.', place());
    expect(await readFile(file(), 'utf8')).toContain('\n- Speak plainly.\n');
    expect(await run('/memory add Speak plainly.', place())).toEqual([`This fact is already in ${file()}.`]);
    expect(await run('/memory add', place())).toEqual(['Add the fact to remember: /memory add FACT.']);
  });

  test('add says why nothing was kept', async () => {
    await mkdir(file(), { recursive: true });
    const [sentence] = await run('/memory add A fact.', place());
    expect(sentence).toMatch(/^Nothing was kept: .+GEMINI\.md/);
  });

  test('list and refresh name the files that are loaded', async () => {
    expect(await run('/memory refresh', place())).toEqual([
      'No memory files are loaded. Each prompt reads them again.',
    ]);
    await mkdir(join(folder, 'work'));
    await writeFile(join(folder, 'work', 'GEMINI.md'), 'Secret text.');
    const sub = { path: join(folder, 'work', 'sub', 'GEMINI.md'), text: 'x' };
    const [title, text] = await run('/memory list', { ...place(), folderMemory: () => [sub] });
    expect(title).toBe('Memory files');
    expect(text).toBe(`# Memory files\n\n- ${join(folder, 'work', 'GEMINI.md')}\n- ${sub.path}\n`);
    expect((await run('/memory reload', place()))[0]).toMatch(/^1 memory file loaded: .+GEMINI\.md\. /);
  });
});

/** A session with these prompts, each answered. */
function sessionWith(...prompts: readonly string[]): SessionState {
  const bodies: SessionEventBody[] = [
    { type: 'session.started', sessionId: 's', folders: ['/w'], model: 'm', mode: 'default' },
    ...prompts.flatMap((text, index): SessionEventBody[] => [
      { type: 'turn.started', turnId: `t${index}`, text, attachments: [] },
      { type: 'step.started', stepId: `p${index}`, number: 1, model: 'm' },
      { type: 'text.appended', stepId: `p${index}`, text: `Answer to ${text}` },
      { type: 'turn.ended', turnId: `t${index}`, end: { kind: 'rested' } },
    ]),
  ];
  return bodies.reduce(
    (state, body, index) => reduce(state, { ...body, seq: index + 1, at: 1_000 }),
    emptySession,
  );
}

describe('/chat', () => {
  const saved: readonly SavedChat[] = [
    { sessionId: 'a', name: 'Tax', changedAt: 0 },
    { sessionId: 'b', name: 'tax', changedAt: 0 },
  ];
  /** What the chats did, beside a list of them. */
  const around = (list: readonly SavedChat[], did: string[]): Partial<SurfaceMembers> => ({
    state: () => sessionWith('one'),
    chats: {
      list: async () => list,
      save: async name => void did.push(`save ${name}`),
      open: async ({ sessionId }) => void did.push(`open ${sessionId}`),
      remove: async ({ sessionId }) => void did.push(`remove ${sessionId}`),
    },
  });

  test('save keeps a copy under a name that nobody has yet', async () => {
    const did: string[] = [];
    expect(await run('/chat save before the  fix', around(saved, did))).toEqual([
      'A copy is kept as “before the fix”. Continue with it by /chat resume before the fix.',
    ]);
    expect(await run('/chat save TAX', around(saved, did))).toEqual([
      'A conversation is called “TAX” already. Choose another name, or delete it first: /chat delete TAX.',
    ]);
    expect(await run('/chat save', around(saved, did))).toEqual(['Add a name: /chat save NAME.']);
    expect(await run('/chat save x')).toEqual(['This conversation is empty.']);
    expect(did).toEqual(['save before the fix']);
  });

  test('resume and delete take the exact name before one in another case', async () => {
    const did: string[] = [];
    await run('/chat resume tax', around(saved, did));
    await run('/chat load TAX', around(saved, did));
    await run('/chat delete Tax', around(saved, did));
    expect(did).toEqual(['open b', 'open a', 'remove a']);
    expect(await run('/chat resume tay', around(saved, did))).toEqual([
      'No conversation is called “tay”. Did you mean “Tax”?',
    ]);
    expect(await run('/chat resume x', around([], did))).toEqual([
      'No conversation is called “x”. /chat save NAME keeps a copy of one.',
    ]);
  });

  test('list shows the names and when something was last done', async () => {
    // As the clock of the user shows it.
    const time = new Date(0).toLocaleString();
    const shown = ['Saved conversations', expect.stringContaining(`- \`Tax\`, ${time}\n- \`tax\``)];
    expect(await run('/chat', around(saved, []))).toEqual(shown);
    expect(await run('/chat list', around(saved, []))).toEqual(shown);
    expect((await run('/chat'))[1]).toContain('No conversation has a name yet.');
  });
});

describe('/restore', () => {
  const around = { state: () => sessionWith('Make it', 'Change\nit') };

  test('lists the prompts by number', async () => {
    const [, text] = await run('/restore', around);
    expect(text).toContain('1. Make it\n2. Change it\n');
    expect(await run('/restore list')).toEqual(['There is nothing to go back to yet.']);
  });

  test('goes back to one of them, with what was said', async () => {
    expect(await run('/restore 2', around)).toEqual(['rewind to 2, undefined']);
    expect(await run('/restore 1 files', around)).toEqual(['rewind to 1, files']);
    expect(await run('/restore 3', around)).toEqual(['There is no point 3: the session has 2 prompts.']);
    expect(await run('/restore 0', around)).toEqual(['There is no point 0: the session has 2 prompts.']);
    expect(await run('/restore 1 all', around)).toEqual([
      '“all” cannot be restored: use files, conversation or both.',
    ]);
  });
});

test('/copy takes the newest answer', async () => {
  expect(await run('/copy', { state: () => sessionWith('one', 'two') })).toEqual(['copy Answer to two']);
  expect(await run('/copy')).toEqual(['The model has answered nothing in this session yet.']);
});

describe('/directory', () => {
  test('shows the folders and adds others, all or none', async () => {
    for (const name of ['work', 'lib', 'my docs', 'home/notes'])
      await mkdir(join(folder, name), { recursive: true });
    const [, text] = await run('/directory show', place());
    expect(text).toBe(`# Folders\n\n- \`${join(folder, 'work')}\`\n`);
    expect(await run('/dir add ../lib, "../my docs", ~/notes', place())).toEqual([
      `add ${['lib', 'my docs', 'home/notes'].map(name => join(folder, name)).join(', ')}`,
    ]);
    expect(await run('/dir add ../lib, ../none', place())).toEqual([
      `There is no folder ${join(folder, 'none')}. Give the path of an existing folder.`,
    ]);
    expect(await run('/dir add .', place())).toEqual([`Folio works in ${join(folder, 'work')} already.`]);
    expect(await run('/dir add', place())).toEqual(['Add a path: /directory add PATH.']);
  });
});

test('/tools shows one line of each tool, and with desc all that the model is told', async () => {
  const description = `Reads. ${'It reads on. '.repeat(50)}`.trim();
  const list = async () => [{ name: 'read_file', description }];
  const [, short] = await run('/tools', { list });
  const [, whole] = await run('/tools desc', { list });
  expect(String(short).length).toBeLessThan(200);
  expect(whole).toContain(description);
});

test('/about tells version, model, provider, sandbox, editor and system', async () => {
  const [title, text] = await run('/about');
  expect(title).toBe('About Folio');
  for (const fact of [
    '1.2.3',
    '`strong-1`',
    'gemini',
    'Sandbox: none',
    'an editor',
    'a system',
    'trusted',
    'Managed by your organization: `sandbox`',
  ])
    expect(text).toContain(fact);
});
