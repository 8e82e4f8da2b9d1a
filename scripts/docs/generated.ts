/*
 * The generated parts of files, and the pictures of the walkthrough. In a page of docs/ a part is between
 * `<!-- made by "npm run docs": NAME -->` and `<!-- end -->`; the rest is written by hand.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../run.ts';
import { commandLists, keybindingList, slashCommandList } from './commandTables.ts';
import { headlessOptionList } from './headlessTable.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { manifestFromSource } from './manifestFromSource.ts';
import { priceLists } from './priceTable.ts';
import { registryEntry } from './registryEntry.ts';
import { foreignKeyList, settingLists } from './settingTables.ts';
import { taskTable } from './taskTable.ts';
import { walkthroughPictures } from './walkthroughPictures.ts';

/** A file with outdated generated parts. `text`: the whole file as it should be. */
export interface StaleFile {
  readonly path: string;
  readonly text: string;
}

type Part = (manifest: Manifest) => string;

const pages: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  'docs/settings.md': { settings: settingLists, 'keys of other tools': foreignKeyList },
  'docs/keys-and-commands.md': {
    commands: commandLists,
    keybindings: keybindingList,
    'slash commands': slashCommandList,
  },
  'docs/headless.md': { options: headlessOptionList },
  'docs/models.md': { prices: priceLists },
  'docs/everyday-tasks.md': { 'everyday tasks': taskTable },
};

/** Finds outdated files, with paths relative to the repository. Throws if a page lacks the markers of a part. */
export async function findStale(): Promise<readonly StaleFile[]> {
  const stale: StaleFile[] = [];
  const written = await readText('package.json');
  const manifestText = manifestFromSource(written);
  if (manifestText !== written) stale.push({ path: 'package.json', text: manifestText });
  const manifest = await readManifest(manifestText);
  for (const [path, parts] of Object.entries(pages)) {
    const old = await readText(path);
    const text = Object.entries(parts).reduce((page, [name, part]) => fill(page, name, part(manifest)), old);
    if (text !== old) stale.push({ path, text });
  }
  for (const [path, text] of Object.entries(walkthroughPictures)) {
    if ((await readText(path).catch(() => '')) !== text) stale.push({ path, text });
  }
  const { description } = JSON.parse(await readText('package.nls.json'));
  const entry = { path: 'registry/folio/agent.json', text: registryEntry(manifestText, description) };
  if ((await readText(entry.path).catch(() => '')) !== entry.text) stale.push(entry);
  return stale;
}

async function readText(path: string): Promise<string> {
  const text = await readFile(join(projectRoot, path), 'utf8');
  return text.replaceAll('\r\n', '\n');
}

function fill(page: string, name: string, content: string): string {
  const begin = `<!-- made by "npm run docs": ${name} -->\n`;
  const end = '<!-- end -->';
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end, from);
  if (!page.includes(begin) || to < 0)
    throw new Error(`The place for "${name}" is missing. Put ${begin.trim()} and ${end} into the page.`);
  return `${page.slice(0, from)}\n${content.trim()}\n\n${page.slice(to)}`;
}
