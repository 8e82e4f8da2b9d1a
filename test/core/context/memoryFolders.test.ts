import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeMemory } from '../../../src/extension/core/context/describeMemory.ts';
import { readMemory } from '../../../src/extension/core/context/memory.ts';
import type { MemorySources } from '../../../src/extension/core/context/memoryPlace.ts';
import { SessionMemory } from '../../../src/extension/core/context/sessionMemory.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

describe('memory of extra folders', () => {
  const files = new NodeFileSystem();
  let root: string;
  let workspace: string;
  beforeEach(async () => {
    root = await temporaryFolder('folio-extra-');
    workspace = join(root, 'workspace');
    await write('home/.gemini/GEMINI.md', 'person');
    await write('home/notes/GEMINI.md', 'notes');
    await write('conventions/AGENTS.md', 'conventions');
    await write('workspace/GEMINI.md', 'project');
    await write('workspace/docs/GEMINI.md', 'docs');
  });

  async function write(path: string, text: string | Uint8Array): Promise<void> {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  }

  const place = (extra: readonly string[], trusted = true): MemorySources => ({
    home: join(root, 'home', '.gemini'),
    names: ['GEMINI.md', 'AGENTS.md'],
    folders: [workspace],
    extra,
    trusted,
  });
  const read = async (extra: readonly string[], trusted = true) => {
    const { blocks, problems } = await readMemory(files, place(extra, trusted));
    return { texts: blocks.map(block => block.text), problems };
  };

  test("comes after the user's own and before the project's, however the folder is named", async () => {
    const extra = ['~/notes', '../conventions', join(root, 'workspace', 'docs')];
    expect(await read(extra)).toEqual({
      texts: ['person', 'notes', 'conventions', 'docs', 'project'],
      problems: [],
    });
  });

  test('is read once where a link, a second name or the project leads to the same file', async () => {
    await symlink(join(root, 'conventions'), join(root, 'again'));
    const extra = ['../conventions', '../again', join(root, 'conventions'), '.', '../conventions'];
    expect((await read(extra)).texts).toEqual(['person', 'conventions', 'project']);
  });

  test('may be a link itself, while a file that leads out of it is refused', async () => {
    await symlink(join(root, 'conventions'), join(root, 'linked'));
    await write('secret.md', 'secret');
    await symlink(join(root, 'secret.md'), join(root, 'conventions', 'GEMINI.md'));
    const { texts, problems } = await read(['../linked']);
    expect(texts).toEqual(['person', 'conventions', 'project']);
    expect(problems).toEqual([
      expect.stringMatching(/linked.GEMINI\.md is ignored: it is a link that leads out/),
    ]);
  });

  test('that is missing, no folder or a circle of links is named, and the others count', async () => {
    await symlink(join(root, 'circle'), join(root, 'circle'));
    const { texts, problems } = await read(['../gone', '../conventions/AGENTS.md', '../circle', '~/notes']);
    expect(texts).toEqual(['person', 'notes', 'project']);
    expect(problems.slice(0, 2)).toEqual([
      'The memory folder ../gone is ignored: it does not exist. Correct folio.memoryFolders.',
      'The memory folder ../conventions/AGENTS.md is ignored: it is not a folder. Correct folio.memoryFolders.',
    ]);
    expect(problems[2]).toContain('The memory folder ../circle is ignored');
  });

  test('that cannot be read as text is named, and the others count', async () => {
    await write('conventions/GEMINI.md', Uint8Array.of(0, 159, 1, 2));
    const { texts, problems } = await read(['../conventions']);
    expect(texts).toEqual(['person', 'conventions', 'project']);
    expect(problems).toEqual([expect.stringContaining('conventions')]);
  });

  test('imports files of its own folder and of no other', async () => {
    await write('conventions/AGENTS.md', '@style.md @../workspace/GEMINI.md');
    await write('conventions/style.md', 'tabs');
    const [, text] = (await read(['../conventions'])).texts;
    expect(text).toContain('tabs');
    expect(text).toContain('not imported: it lies outside');
  });

  test('counts in a restricted workspace only where it lies outside of it', async () => {
    await symlink(join(workspace, 'docs'), join(root, 'home', 'inside'));
    const { texts, problems } = await read(['~/notes', 'docs', '~/inside'], false);
    expect({ texts, problems }).toEqual({ texts: ['person', 'notes'], problems: [] });
  });

  test('is not told again when a call works in the folder', async () => {
    const memory = new SessionMemory(files, () => place(['docs']), 'k1');
    await memory.read();
    expect(await memory.reportOf([join(workspace, 'docs')])).toBe('');
  });

  test('is shown with its path', async () => {
    const shown = describeMemory(await readMemory(files, place(['../conventions', '../gone'])), []);
    expect(shown).toContain(`## ${join(root, 'conventions', 'AGENTS.md')}`);
    expect(shown).toContain('The memory folder ../gone is ignored');
  });

  test('relative folders mean nothing where no folder is open', async () => {
    const { blocks, problems } = await readMemory(files, {
      ...place(['../conventions', '~/notes']),
      folders: [],
    });
    expect(blocks.map(block => block.text)).toEqual(['person', 'notes']);
    expect(problems).toEqual([]);
  });
});
