/* Enables, disables and reloads servers, skills, subagents and hooks. */

import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import { extensionOf } from '../../platform/customizations/customFiles.ts';
import { builtInAgents } from '../agents/builtInAgents.ts';
import { CommandError } from '../commandError.ts';
import type { LoadedCustomizations } from '../customizations/loadedCustomizations.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { CommandContext } from './commands.ts';
import { assertKnownName } from './unknownName.ts';

export type SwitchedKind = 'server' | 'skill' | 'agent' | 'hook';

const commandOf = { server: 'mcp', skill: 'skills', agent: 'agents', hook: 'hooks' } as const;

/** Enables or disables a thing by name in this workspace. */
export async function switchCustomization(
  surface: CommandContext,
  kind: SwitchedKind,
  to: 'on' | 'off',
  name: string,
): Promise<void> {
  const command = `/${commandOf[kind]} ${to === 'on' ? 'enable' : 'disable'}`;
  if (name === '') throw new CommandError(t('Add a name: {0} NAME.', command));
  const { additions } = await surface.installed.extensions();
  const hooks = await surface.installed.hooks();
  await additions.refresh();
  assertKnownName(name, await namesOf(kind, additions, hooks));
  if (to === 'on') await reopen(kind, name, additions);
  await additions.switch(to === 'on' ? [name, ...ownersOf(kind, name, additions)] : [name], to);
  await hooks.refresh();
  const isOff = await isStillOff(kind, name, additions, hooks);
  if (to === 'on' && isOff)
    throw new CommandError(t('{0} is still disabled by a settings file.', oneLine(name, 60)));
  surface.user.answer(
    to === 'on'
      ? t('{0} is enabled.', oneLine(name, 60))
      : t('{0} is disabled. /{1} enable turns it on again.', oneLine(name, 60), commandOf[kind]),
  );
}

export async function reloadCustomizations(
  surface: CommandContext,
  count: (additions: LoadedCustomizations) => string,
): Promise<void> {
  const { additions } = await surface.installed.extensions();
  await additions.refresh();
  surface.user.answer(count(additions));
  for (const problem of additions.problems) surface.user.notify(problem);
}

async function namesOf(
  kind: SwitchedKind,
  { all }: LoadedCustomizations,
  hooks: Pick<Hooks, 'list' | 'refresh'>,
): Promise<readonly string[]> {
  if (kind === 'hook') {
    await hooks.refresh();
    return (await hooks.list()).map(({ hook }) => hook.name);
  }
  const own = all.list.flatMap(({ item }) => (item.kind === kind ? [item.name] : []));
  return kind === 'agent' ? [...builtInAgents.map(each => each.name), ...own] : own;
}

/** A thing that was refused waits for consent again, since its content was not shown here. */
async function reopen(kind: SwitchedKind, name: string, { all }: LoadedCustomizations): Promise<void> {
  const refused = all.list.flatMap(({ item, id, state }) =>
    state === 'refused' && id !== undefined && item.kind === kind && item.name === name ? [id] : [],
  );
  await all.consent.reopen(refused);
}

/** Returns extensions that define it and are disabled as a whole. */
function ownersOf(kind: SwitchedKind, name: string, { all }: LoadedCustomizations): readonly string[] {
  return all.list.flatMap(({ item, state }) => {
    const owner = extensionOf(item.origin)?.name;
    const isMeant = item.kind === kind && item.name === name && state === 'disabled';
    return isMeant && owner !== undefined ? [owner] : [];
  });
}

async function isStillOff(
  kind: SwitchedKind,
  name: string,
  { all, agentDefinitions }: LoadedCustomizations,
  hooks: Pick<Hooks, 'list'>,
): Promise<boolean> {
  if (kind === 'agent') return !agentDefinitions.has(name);
  if (kind === 'hook') {
    const named = (await hooks.list()).filter(({ hook }) => hook.name === name);
    return named.every(({ state }) => state === 'disabled');
  }
  const named = all.list.filter(({ item }) => item.kind === kind && item.name === name);
  return named.every(({ state }) => state === 'disabled');
}
