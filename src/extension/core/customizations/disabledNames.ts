import { isRecord } from '../../base/record.ts';
import { type CustomFile, extensionOf } from '../../platform/customizations/customFiles.ts';
import { findSettingValue, findSettingWithOlderName, toList } from '../../platform/findSetting.ts';
import { builtInAgents } from '../agents/builtInAgents.ts';
import { ownNameOf } from '../skills/skills.ts';
import type { Customization } from './files/customization.ts';

/** Names that settings files of compatible programs disable. */
interface SwitchedOffByFiles {
  has(item: Customization): Promise<boolean>;
  /** Names of agents, maybe built-in ones. */
  readonly agents: ReadonlySet<string>;
}

/** Combines all files. A workspace may only disable its own things and built-in agents. */
export function readDisabledNames(files: readonly CustomFile[]): SwitchedOffByFiles {
  const read = files.filter(({ kind, problem }) => kind === 'settings' && problem === undefined);
  const lists = read.map(file => ({ ...listsOf(file), isOfWorkspace: file.origin.kind === 'workspace' }));
  const agents = lists.flatMap(list => list.agents.filter(name => !list.isOfWorkspace || isBuiltIn(name)));
  return {
    agents: new Set(agents),
    has: async item => {
      const { kind, name, origin } = item;
      const about = lists.filter(({ isOfWorkspace }) => !isOfWorkspace || origin.kind === 'workspace');
      if (about.some(({ kinds }) => kinds.has(kind) || (kinds.has('extension') && extensionOf(origin))))
        return true;
      if (kind === 'skill') {
        const off = about.flatMap(({ skills }) => skills);
        // A skill is known by its folder or by the name in its frontmatter.
        return off.length > 0 && (off.includes(name) || off.includes(await ownNameOf(item)));
      }
      if (kind === 'agent') return about.some(list => list.agents.includes(name));
      if (kind !== 'server') return false;
      return about.some(
        ({ excluded, allowed }) => excluded.includes(name) || allowed?.includes(name) === false,
      );
    },
  };
}

function isBuiltIn(name: string): boolean {
  return builtInAgents.some(agent => agent.name === name);
}

type SwitchedKind = 'skill' | 'server' | 'agent' | 'extension';

/** Switches for a whole kind, which disable it if `false`. */
const switches: Readonly<Record<string, SwitchedKind>> = {
  'skills.enabled': 'skill',
  'admin.skills.enabled': 'skill',
  'admin.mcp.enabled': 'server',
  'admin.extensions.enabled': 'extension',
  'experimental.enableAgents': 'agent',
};

interface Lists {
  readonly kinds: ReadonlySet<string>;
  readonly skills: readonly unknown[];
  readonly excluded: readonly unknown[];
  /** All others are disabled. */
  readonly allowed?: readonly unknown[];
  readonly agents: readonly string[];
}

function listsOf({ content }: CustomFile): Lists {
  if (!isRecord(content)) return { kinds: new Set(), skills: [], excluded: [], agents: [] };
  // A string counts as a list with one entry, since each of these lists protects.
  const lists = (key: string) =>
    findSettingWithOlderName(content, key)
      .map(toList)
      .filter(value => value !== undefined);
  const off = Object.entries(switches).filter(([key]) => isFalse(findSettingValue(content, key)));
  const kinds = new Set(off.map(([, kind]) => kind));
  return {
    kinds,
    skills: lists('skills.disabled').flat(),
    excluded: lists('mcp.excluded').flat(),
    allowed: lists('mcp.allowed')[0],
    // The compatible program also offers each agent as a tool.
    agents: [
      ...(kinds.has('agent') ? builtInAgents.map(({ name }) => name) : []),
      ...agentsOff(content),
      ...lists('tools.exclude').flat(),
    ].filter(name => typeof name === 'string'),
  };
}

function agentsOff(content: Readonly<Record<string, unknown>>): readonly string[] {
  const overrides = findSettingValue(content, 'agents.overrides');
  const isOff = (value: unknown) => isRecord(value) && (value.enabled === false || value.disabled === true);
  const off = Object.entries(isRecord(overrides) ? overrides : {}).filter(([, value]) => isOff(value));
  const investigator = findSettingValue(content, 'experimental.codebaseInvestigatorSettings.enabled');
  return [...off.map(([name]) => name), ...(investigator === false ? ['codebase_investigator'] : [])];
}

/** Accepts strings, too: quotes must not prevent disabling. */
function isFalse(value: unknown): boolean {
  return value === false || (typeof value === 'string' && value.trim().toLowerCase() === 'false');
}
