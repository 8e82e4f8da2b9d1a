import { t } from '../../../../protocol/language.ts';
import type { ListedCustomization } from '../../customizations/customizations.ts';
import type { LoadedCustomizations } from '../../customizations/loadedCustomizations.ts';
import type { Skill } from '../../skills/skills.ts';
import type { Command, CommandSource } from '../commands.ts';
import { commandName, toNameSegment } from '../custom/commandName.ts';
import type { CustomCommand } from '../custom/customCommand.ts';
import type { ServerPrompts } from '../prompts/promptSource.ts';
import { serverCommand } from '../prompts/serverCommand.ts';
import { builtIns } from './builtIns.ts';
import { templateCommand } from './templateCommand.ts';

export interface CommandTable {
  /** In display order, with unique names. */
  readonly commands: readonly Command[];
  /** Names that call nothing although users may type them, with a sentence why. */
  readonly unused: ReadonlyMap<string, string>;
  /** Added to the message about an unknown name if some files were not read. */
  readonly hint?: string;
}

export interface TableSources {
  readonly custom: readonly CustomCommand[];
  readonly prompts?: ServerPrompts;
  readonly skills?: readonly Skill[];
  /** All customizations, enabled or not. */
  readonly listed: readonly ListedCustomization[];
  /** False: nothing of the workspace is read. */
  readonly trusted: boolean;
  readonly advice: Advice;
}

/** How a user enables what a workspace defines, each the end of a sentence. */
interface Advice {
  readonly trust: string;
  readonly letCount: string;
}

/** Uses the state of the last refresh. */
export function currentTable(
  additions: Pick<LoadedCustomizations, 'all' | 'commands' | 'skills'>,
  { trusted, prompts, advice }: Pick<TableSources, 'trusted' | 'prompts' | 'advice'>,
): CommandTable {
  const custom = [...additions.commands.entries.values()];
  const skills = [...additions.skills.entries.values()];
  const listed = additions.all.list;
  return makeTable({ custom, skills, listed, trusted, advice, prompts });
}

/**
 * Built-in commands keep their names. Others that share a name, with them or among each other, are named after their
 * source.
 */
export function makeTable({
  custom,
  prompts,
  skills = [],
  listed,
  trusted,
  advice,
}: TableSources): CommandTable {
  const unused = new Map<string, string>();
  for (const { item, state } of listed) {
    if ((item.kind !== 'command' && item.kind !== 'skill') || state === 'enabled') continue;
    unused.set(commandName(item.name), whyUnused(commandName(item.name), state, advice));
  }
  const others: readonly Claim[] = [
    ...custom.map(toClaim),
    ...(prompts?.list().map((prompt): Claim => {
      const source = { kind: 'server', name: prompt.server } as const;
      const name = toNameSegment(prompt.name.trim().replace(/\s+/g, '-'));
      return { name, source, make: as => serverCommand(prompt, as, prompts) };
    }) ?? []),
  ];
  const named = nameClaims([...others, ...claimsOfSkills(skills, others)], unused);
  for (const { name } of [...builtIns(), ...named]) unused.delete(name);
  return {
    commands: [...builtIns(), ...named],
    unused,
    hint: trusted
      ? undefined
      : t("Folio does not read this workspace's commands until you trust it: {0}.", advice.trust),
  };
}

/** Returns command names by file path, whether or not prompts of servers are known yet. */
export function commandNames(
  custom: readonly CustomCommand[],
  skills: readonly Skill[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const claims = custom.map(command => {
    const claim = toClaim(command);
    const make = (name: string) => {
      names.set(command.path, name);
      return claim.make(name);
    };
    return { ...claim, make };
  });
  nameClaims([...claims, ...claimsOfSkills(skills, claims)], new Map());
  return names;
}

/** Skills never take a command's name. */
function claimsOfSkills(skills: readonly Skill[], others: readonly Claim[]): readonly Claim[] {
  const claimed = new Set(others.map(({ name }) => name.toLowerCase()));
  return skills
    .filter(each => each.isForUser && !claimed.has(skillName(each).toLowerCase()))
    .map(toSkillClaim);
}

/** A request for a command name. */
interface Claim {
  readonly name: string;
  readonly source: CommandSource;
  readonly make: (name: string) => Command;
}

function toClaim(command: CustomCommand): Claim {
  const { origin } = command;
  const source: CommandSource =
    origin.kind === 'extension' ? { kind: 'extension', name: origin.name } : { kind: origin.kind };
  return { name: command.name, source, make: name => templateCommand(command, name, source) };
}

function toSkillClaim(skill: Skill): Claim {
  const source = skillSource(skill);
  return { name: skillName(skill), source, make: name => ({ ...skillCommand(skill, name), source }) };
}

function nameClaims(claims: readonly Claim[], unused: Map<string, string>): readonly Command[] {
  const taken = new Set(builtIns().flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  const wanted = new Map<string, Claim[]>();
  for (const claim of claims) {
    const key = claim.name.toLowerCase();
    wanted.set(key, [...(wanted.get(key) ?? []), claim]);
  }
  const isFree = (name: string) => !taken.has(name.toLowerCase()) && !wanted.has(name.toLowerCase());
  const commands: Command[] = [];
  for (const [key, claimants] of wanted) {
    const [only] = claimants;
    if (only && claimants.length === 1 && !taken.has(key)) {
      commands.push(only.make(only.name));
      continue;
    }
    const renamed = claimants.map(({ name, source, make }) => {
      const free = firstFree(prefixed(name, source), isFree);
      taken.add(free.toLowerCase());
      return make(free);
    });
    commands.push(...renamed);
    if (claimants.length > 1 && !taken.has(key)) unused.set(only!.name, describeSeveral(only!.name, renamed));
  }
  return commands.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function prefixed(name: string, source: CommandSource): string {
  switch (source.kind) {
    case 'person':
      return `user.${name}`;
    case 'workspace':
      return `workspace.${name}`;
    case 'extension':
      return `${toNameSegment(source.name)}:${name}`;
    case 'server':
      return `${toNameSegment(source.name)}.${name}`;
  }
}

function firstFree(name: string, isFree: (name: string) => boolean): string {
  if (isFree(name)) return name;
  for (let number = 1; ; number++) if (isFree(`${name}${number}`)) return `${name}${number}`;
}

function describeSeveral(name: string, commands: readonly Command[]): string {
  const names = commands.map(each => `/${each.name}`);
  return t(
    'Several commands are called /{0}: write {1} or {2}.',
    name,
    names.slice(0, -1).join(', '),
    names.at(-1)!,
  );
}

function whyUnused(
  name: string,
  state: Exclude<ListedCustomization['state'], 'enabled'>,
  { letCount }: Advice,
): string {
  switch (state) {
    case 'waiting':
      return t('/{0} comes from this workspace, and you have not allowed it yet: {1}.', name, letCount);
    case 'refused':
      return t('/{0} comes from this workspace, and you refused it.', name);
    case 'disabled':
      return t('/{0} is disabled by a setting.', name);
  }
}

/** The name that the user types. The colon after an extension's name stays. */
function skillName({ name }: Pick<Skill, 'name'>): string {
  return name.split(':').map(toNameSegment).join(':');
}

function skillSource({ name, source }: Pick<Skill, 'name' | 'source'>): CommandSource {
  return source === 'extension' ? { kind: source, name: name.split(':')[0]! } : { kind: source };
}

/** Loads a skill. The model calls its usual tool for that, so that the skill's files become readable. */
function skillCommand({ name: skill, description, hint = '' }: Skill, name: string): Command {
  return {
    name,
    description,
    argument: hint,
    asksModel: 'always',
    run: async (surface, argument) => {
      const shown = argument === '' ? `/${name}` : `/${name} ${argument}`;
      const wording = `Load the skill "${skill}" with \`activate_skill\` and do what it says.`;
      await surface.session.send({ shown, wording: argument === '' ? wording : `${wording}\n\n${argument}` });
    },
  };
}
