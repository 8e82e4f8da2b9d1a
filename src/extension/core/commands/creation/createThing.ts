/* Writes the file of a new subagent or skill from a few words. An existing file is never replaced. */

import { dirname, join } from 'node:path';
import { oneLine } from '../../../base/text.ts';
import { FileError, plainText } from '../../../platform/fileSystem.ts';
import { builtInAgents } from '../../agents/builtInAgents.ts';
import { contains } from '../../folderPaths.ts';
import type { CommandSurface, FormField } from '../commands.ts';
import { parseOptions } from '../options.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { agentText, skillText, splitTools } from './creationTexts.ts';

export type CreatedKind = 'agent' | 'skill';

interface Wish {
  readonly name: string;
  readonly description: string;
  /** Tools of an agent, with commas between them; empty: all. */
  readonly tools: string;
  readonly isForWorkspace: boolean;
}

export async function createThing(
  surface: CommandSurface,
  kind: CreatedKind,
  argument: string,
): Promise<Refusal | undefined> {
  const parsed = parseOptions(argument, kind === 'agent' ? ['description', 'tools'] : ['description'], [
    'workspace',
  ]);
  if ('sentence' in parsed) return parsed;
  const { names, texts, flags } = parsed;
  const [name = '', ...rest] = names;
  const given = {
    name,
    description: texts.description ?? rest.join(' '),
    tools: 'tools' in texts ? texts.tools : undefined,
    isForWorkspace: flags.has('workspace') ? true : undefined,
  };
  const wish = await complete(surface, kind, given);
  return 'sentence' in wish ? wish : writeThing(surface, kind, wish);
}

type Given = Pick<Wish, 'name' | 'description'> & Partial<Wish>;

/** A name and a description are enough. Without them, a person who is there is asked for everything that is missing. */
async function complete(surface: CommandSurface, kind: CreatedKind, given: Given): Promise<Wish | Refusal> {
  const { name, description, tools = '', isForWorkspace = false } = given;
  if (name !== '' && description !== '') return { name, description, tools, isForWorkspace };
  const answers = await surface.person.fillForm(`New ${nouns[kind]}`, missingFields(surface, kind, given));
  if (answers === 'left') return refuse('Nothing was written.');
  if (answers === 'nobody')
    return refuse(`Say what it is called and what it is for: /${kind}s create NAME --description "TEXT".`);
  const answer = (key: keyof Wish) => answers.get(key)?.trim() ?? '';
  return {
    name: name || answer('name'),
    description: description || answer('description'),
    tools: tools || answer('tools'),
    isForWorkspace: isForWorkspace || answer('isForWorkspace') === inWorkspace,
  };
}

const nouns = { agent: 'subagent', skill: 'skill' } as const;
const inPerson = 'For me, in every workspace';
const inWorkspace = 'For this workspace';

function missingFields(surface: CommandSurface, kind: CreatedKind, given: Given): readonly FormField[] {
  const { folders, trusted } = surface.place();
  const fields: readonly (FormField & { readonly isMissing: boolean })[] = [
    {
      key: 'name',
      prompt: 'Its name: small letters, digits, - and _',
      findFault: async name => findNameFault(kind, name),
      isMissing: given.name === '',
    },
    {
      key: 'description',
      prompt: kind === 'agent' ? 'What it is to be sent out for' : 'When it is to be used',
      findFault: async description => findDescriptionFault(description),
      isMissing: given.description === '',
    },
    {
      key: 'tools',
      prompt: 'The tools that it may use, with commas between them; left empty, all that the session has',
      findFault: tools => findToolFault(surface, tools),
      isMissing: kind === 'agent' && given.tools === undefined,
    },
    {
      key: 'isForWorkspace',
      prompt: 'Where it is to count',
      choices: [inPerson, inWorkspace],
      isMissing: given.isForWorkspace === undefined && trusted && folders.length > 0,
    },
  ];
  return fields.filter(({ isMissing }) => isMissing);
}

async function writeThing(
  surface: CommandSurface,
  kind: CreatedKind,
  wish: Wish,
): Promise<Refusal | undefined> {
  const fault =
    findNameFault(kind, wish.name) ??
    findDescriptionFault(wish.description) ??
    (await findToolFault(surface, wish.tools));
  if (fault !== undefined) return refuse(fault);
  const root = rootOf(surface, wish);
  if (typeof root !== 'string') return root;
  const place = kind === 'agent' ? ['agents', `${wish.name}.md`] : ['skills', wish.name, 'SKILL.md'];
  const path = join(root, '.gemini', ...place);
  const { files } = surface;
  try {
    if (!contains(await files.realPath(root), await files.realPath(path)))
      return refuse(`Nothing was written: a link leads from ${dirname(path)} to another place.`);
    if (await files.stat(path))
      return refuse(`Nothing was written: ${path} is there already. Choose another name.`);
    await files.writeText(path, kind === 'agent' ? agentText(wish) : skillText(wish), plainText, null);
  } catch (error) {
    if (error instanceof FileError) return refuse(`Nothing was written: ${error.message}`);
    throw error;
  }
  await surface.person.openFile(path);
  const counts = wish.isForWorkspace ? ' It counts once you let what the workspace brings.' : '';
  surface.person.answer(`The ${nouns[kind]} ${wish.name} is created.${counts} It stands in ${path}.`);
  return undefined;
}

function findNameFault(kind: CreatedKind, name: string): string | undefined {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name))
    return `“${oneLine(name, 60)}” is no name for it: use small letters, digits, - and _.`;
  if (kind === 'agent' && builtInAgents.some(each => each.name === name))
    return `Folio has a subagent ${name} already. Choose another name.`;
  return undefined;
}

function findDescriptionFault(description: string): string | undefined {
  return description === '' ? 'Say what it is for, so that the model knows when to use it.' : undefined;
}

/** A name that nobody has would leave the agent without a tool, and nobody would notice. */
async function findToolFault(surface: CommandSurface, tools: string): Promise<string | undefined> {
  const names = splitTools(tools);
  if (names.length === 0) return undefined;
  const known = new Set((await surface.views.list('tool')).map(({ name }) => name));
  const unknown = names.filter(name => !known.has(name) && !/[*]|^mcp_/.test(name));
  if (unknown.length === 0) return undefined;
  return `There is no tool ${oneLine(unknown.join(', '), 120)}. /tools shows those that there are.`;
}

function rootOf(surface: CommandSurface, { isForWorkspace }: Wish): string | Refusal {
  const { folders, home, trusted } = surface.place();
  // The place of memory is `.gemini` in the home folder.
  if (!isForWorkspace) return dirname(home);
  if (folders[0] === undefined)
    return refuse('No folder is open: leave --workspace out, or open the project first.');
  if (!trusted)
    return refuse('Nothing is written in a restricted workspace: trust it first, or leave --workspace out.');
  return folders[0];
}
