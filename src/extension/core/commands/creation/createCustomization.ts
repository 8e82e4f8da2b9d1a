/* Creates the file of a subagent or skill from a few words. Never replaces an existing file. */

import { dirname, join } from 'node:path';
import { t } from '../../../../protocol/language.ts';
import { oneLine } from '../../../base/text.ts';
import { FileError, utf8Format } from '../../../platform/fileSystem.ts';
import { builtInAgents } from '../../agents/builtInAgents.ts';
import { CommandError } from '../../commandError.ts';
import { folderContains } from '../../folderPaths.ts';
import type { CommandContext, FormField } from '../commands.ts';
import { parseOptions } from '../options.ts';
import { agentText, skillText, splitTools } from './creationTexts.ts';

export type CreatedKind = 'agent' | 'skill';

interface Intent {
  readonly name: string;
  readonly description: string;
  /** An agent's tools, separated by commas; empty: all. */
  readonly tools: string;
  readonly isForWorkspace: boolean;
}

export async function createCustomization(
  surface: CommandContext,
  kind: CreatedKind,
  argument: string,
): Promise<void> {
  const parsed = parseOptions(argument, kind === 'agent' ? ['description', 'tools'] : ['description'], [
    'workspace',
  ]);
  const { names, texts, flags } = parsed;
  const [name = '', ...rest] = names;
  const given = {
    name,
    description: texts.description ?? rest.join(' '),
    tools: 'tools' in texts ? texts.tools : undefined,
    isForWorkspace: flags.has('workspace') ? true : undefined,
  };
  await writeThing(surface, kind, await complete(surface, kind, given));
}

type Given = Pick<Intent, 'name' | 'description'> & Partial<Intent>;

/** Needs a name and a description. Without them, asks the user for everything missing. */
async function complete(surface: CommandContext, kind: CreatedKind, given: Given): Promise<Intent> {
  const { name, description, tools = '', isForWorkspace = false } = given;
  if (name !== '' && description !== '') return { name, description, tools, isForWorkspace };
  const answers = await surface.user.fillForm(
    kind === 'agent' ? t('New subagent') : t('New skill'),
    missingFields(surface, kind, given),
  );
  if (answers === 'left') throw new CommandError(t('Nothing was written.'));
  if (answers === 'nobody')
    throw new CommandError(t('Add a name and a description: /{0}s create NAME --description "TEXT".', kind));
  const answer = (key: keyof Intent) => answers.get(key)?.trim() ?? '';
  return {
    name: name || answer('name'),
    description: description || answer('description'),
    tools: tools || answer('tools'),
    isForWorkspace: isForWorkspace || answer('isForWorkspace') === inWorkspace(),
  };
}

function inWorkspace(): string {
  return t('For this workspace');
}

function missingFields(surface: CommandContext, kind: CreatedKind, given: Given): readonly FormField[] {
  const { folders, trusted } = surface.place();
  const fields: readonly (FormField & { readonly isMissing: boolean })[] = [
    {
      key: 'name',
      prompt: t('Name: lowercase letters, digits, - and _'),
      findFault: async name => findNameFault(kind, name),
      isMissing: given.name === '',
    },
    {
      key: 'description',
      prompt: kind === 'agent' ? t('When to use it') : t('When it is to be used'),
      findFault: async description => findDescriptionFault(description),
      isMissing: given.description === '',
    },
    {
      key: 'tools',
      prompt: t('The tools that it may use, with commas between them; left empty, all that the session has'),
      findFault: tools => findToolFault(surface, tools),
      isMissing: kind === 'agent' && given.tools === undefined,
    },
    {
      key: 'isForWorkspace',
      prompt: t('Where to use it'),
      choices: [t('For me, in every workspace'), inWorkspace()],
      isMissing: given.isForWorkspace === undefined && trusted && folders.length > 0,
    },
  ];
  return fields.filter(({ isMissing }) => isMissing);
}

async function writeThing(surface: CommandContext, kind: CreatedKind, intent: Intent): Promise<void> {
  const fault =
    findNameFault(kind, intent.name) ??
    findDescriptionFault(intent.description) ??
    (await findToolFault(surface, intent.tools));
  if (fault !== undefined) throw new CommandError(fault);
  const root = rootOf(surface, intent);
  if (typeof root !== 'string') return root;
  const place = kind === 'agent' ? ['agents', `${intent.name}.md`] : ['skills', intent.name, 'SKILL.md'];
  const path = join(root, '.gemini', ...place);
  const { files } = surface;
  try {
    if (!folderContains(await files.realPath(root), await files.realPath(path)))
      throw new CommandError(
        t('Nothing was written: a link leads from {0} to another place.', dirname(path)),
      );
    if (await files.stat(path))
      throw new CommandError(t('Nothing was written: {0} already exists. Choose another name.', path));
    await files.writeText(path, kind === 'agent' ? agentText(intent) : skillText(intent), utf8Format, null);
  } catch (error) {
    if (error instanceof FileError) throw new CommandError(t('Nothing was written: {0}', error.message));
    throw error;
  }
  await surface.user.openFile(path);
  const counts = intent.isForWorkspace
    ? ` ${t('It becomes active once you allow it for this workspace.')}`
    : '';
  surface.user.answer(
    kind === 'agent'
      ? t('The subagent {0} is created.{1} Its file is {2}.', intent.name, counts, path)
      : t('The skill {0} is created.{1} Its file is {2}.', intent.name, counts, path),
  );
}

function findNameFault(kind: CreatedKind, name: string): string | undefined {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name))
    return t('“{0}” is not a valid name: use lowercase letters, digits, - and _.', oneLine(name, 60));
  if (kind === 'agent' && builtInAgents.some(each => each.name === name))
    return t('Folio has a subagent {0} already. Choose another name.', name);
  return undefined;
}

function findDescriptionFault(description: string): string | undefined {
  return description === ''
    ? t('Describe what it is for, so that the model knows when to use it.')
    : undefined;
}

/** Refuses unknown tools, since the agent would lack them without notice. */
async function findToolFault(surface: CommandContext, tools: string): Promise<string | undefined> {
  const names = splitTools(tools);
  if (names.length === 0) return undefined;
  const known = new Set((await surface.views.list('tool')).map(({ name }) => name));
  const unknown = names.filter(name => !known.has(name) && !/[*]|^mcp_/.test(name));
  if (unknown.length === 0) return undefined;
  return t('There is no tool {0}. /tools lists all tools.', oneLine(unknown.join(', '), 120));
}

function rootOf(surface: CommandContext, { isForWorkspace }: Intent): string {
  const { folders, home, trusted } = surface.place();
  // User memory lies in `.gemini` in the home folder.
  if (!isForWorkspace) return dirname(home);
  if (folders[0] === undefined)
    throw new CommandError(t('No folder is open: leave --workspace out, or open the project first.'));
  if (!trusted)
    throw new CommandError(
      t('The workspace is restricted, so nothing is written. Trust it first, or leave out --workspace.'),
    );
  return folders[0];
}
