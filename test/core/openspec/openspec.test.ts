/* What the real program sets up for other agents works here as it is. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CommandTable } from '../../../src/extension/core/commands/table/commandTable.ts';
import { currentTable } from '../../../src/extension/core/commands/table/commandTable.ts';
import { ConsentService } from '../../../src/extension/core/consent/consentService.ts';
import { readMemory } from '../../../src/extension/core/context/memory.ts';
import { LoadedCustomizations } from '../../../src/extension/core/customizations/loadedCustomizations.ts';
import { NodeCustomFiles } from '../../../src/extension/node/customizations/customFiles.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { SeenItemsFile } from '../../../src/extension/node/settings/seenItemsFile.ts';
import { NodeSettingsDocuments } from '../../../src/extension/node/settings/settingsDocuments.ts';
import { advice, runCommand } from '../../support/commandBench.ts';
import { decideOnAll } from '../../support/consent.ts';
import { allTests, eachTest } from '../../support/eachTest.ts';
import { OpenspecTemplate, openspec } from '../../support/openspec.ts';
import { TemplateWorld } from '../../support/templateWorld.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

let root: string;
let folder: string;
const world = eachTest(() => TemplateWorld.make());

beforeEach(async () => {
  root = await temporaryFolder('folio-openspec-');
  folder = join(root, 'project');
  await mkdir(folder);
});

function makeAdditions(): LoadedCustomizations {
  return new LoadedCustomizations({
    files: new NodeCustomFiles(
      { home: join(root, 'home'), folders: () => [folder] },
      new NodeSettingsDocuments(),
    ),
    consent: new ConsentService(new SeenItemsFile(join(root, 'seen.txt')), () => true),
    disabled: () => [],
  });
}

/** The user has let count what the workspace brings. */
async function readTable(): Promise<{
  readonly additions: LoadedCustomizations;
  readonly table: CommandTable;
}> {
  const additions = makeAdditions();
  await additions.refresh();
  await decideOnAll(additions.all.consent, 'allowed');
  expect(additions.problems).toEqual([]);
  return { additions, table: currentTable(additions, { trusted: true, advice }) };
}

const steps = ['apply', 'archive', 'explore', 'propose', 'sync', 'update'];

describe.each([
  ['gemini', '.gemini/commands/opsx', 'toml'],
  ['claude', '.claude/commands/opsx', 'md'],
])('what openspec sets up for %s', (tool, place, ending) => {
  const template = allTests(() => OpenspecTemplate.make(tool));
  beforeEach(() => template.copyTo(folder));

  test('is there as commands under its own names, and as skills', async () => {
    const { additions, table } = await readTable();
    const own = table.commands.filter(({ source }) => source !== undefined);
    const skillNames = [...additions.skills.entries.keys()];
    expect(own.map(({ name }) => name)).toEqual([...skillNames, ...steps.map(step => `opsx:${step}`)].sort());
    expect(own.every(({ description }) => description.length > 10)).toBe(true);
    const skills = [...additions.skills.entries.keys()].sort();
    expect(skills).toHaveLength(steps.length);
    expect(skills.every(name => name.startsWith('openspec-'))).toBe(true);
  });

  test('waits until the user lets it count', async () => {
    const additions = makeAdditions();
    await additions.refresh();
    const table = currentTable(additions, { trusted: true, advice });
    expect(await runCommand('/opsx:propose ADD x', table)).toEqual([
      '/opsx:propose comes from this workspace, and you have not allowed it yet: let it count.',
    ]);
  });

  test('sends the text of each, with what is written behind it', async () => {
    const { table } = await readTable();
    for (const step of steps) {
      const typed = `/opsx:${step} ADD "two factors" & more`;
      // What of a command does not count here is said before.
      const prompt = (await runCommand(typed, table, { template: async () => world.work() })).at(-1);
      const written = await readFile(join(folder, place, `${step}.${ending}`), 'utf8');
      const paragraphs = written
        .split('\n')
        .filter(line => /^[A-Z*-].{60,}/.test(line) && !line.includes('\\'));
      const { shown, wording } = prompt as { readonly shown: string; readonly wording: string };
      expect(shown).toBe(typed);
      expect(paragraphs.length).toBeGreaterThan(2);
      for (const paragraph of paragraphs.slice(1, 4)) expect(wording).toContain(paragraph);
      expect(wording).toContain('ADD "two factors" & more');
    }
  });
});

test('set up for both, each command is there once', async () => {
  await openspec(folder, 'init', '--tools', 'gemini,claude');
  const { table } = await readTable();
  const own = table.commands.filter(({ source, name }) => source !== undefined && name.includes(':'));
  expect(own.map(({ name }) => name)).toEqual(steps.map(step => `opsx:${step}`));
});

test('skills of the folder for all agents are found', async () => {
  await openspec(folder, 'init', '--tools', 'agents');
  const { additions } = await readTable();
  expect([...additions.skills.entries.keys()]).toContain('openspec-propose');
});

test('the commands and the block of AGENTS.md that older versions left work, too', async () => {
  await mkdir(join(folder, '.gemini', 'commands', 'openspec'), { recursive: true });
  await writeFile(
    join(folder, '.gemini', 'commands', 'openspec', 'proposal.toml'),
    'description = "Begin a change"\nprompt = """\n<!-- OPENSPEC:START -->\nWrite a proposal.\n<!-- OPENSPEC:END -->\n{{args}}\n"""\n',
  );
  const block =
    '<!-- OPENSPEC:START -->\nOpen `@/openspec/AGENTS.md` when a spec is asked for.\n<!-- OPENSPEC:END -->\n';
  await writeFile(join(folder, 'AGENTS.md'), `Use tabs.\n\n${block}`);
  const { table } = await readTable();
  const did = await runCommand('/openspec:proposal ADD x', table, { template: async () => world.work() });
  expect(did).toMatchObject([
    { shown: '/openspec:proposal ADD x', wording: expect.stringMatching(/Write a proposal\.[\s\S]*ADD x/) },
  ]);
  const place = {
    home: join(root, 'home'),
    names: ['GEMINI.md', 'AGENTS.md'],
    folders: [folder],
    extra: [],
    trusted: true,
  };
  const { blocks, problems } = await readMemory(new NodeFileSystem(), place);
  expect(problems).toEqual([]);
  expect(blocks).toMatchObject([
    { path: join(folder, 'AGENTS.md'), text: expect.stringContaining(block.trim()) },
  ]);
});
