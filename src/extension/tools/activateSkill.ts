import { join } from 'node:path';
import * as z from 'zod';
import { plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { oneLine } from '../base/text.ts';
import { defineReadTool, type Tool, ToolFailure } from '../core/tool.ts';
import type { FileSystem } from '../platform/fileSystem.ts';

interface OfferedSkill {
  readonly name: string;
  readonly body: string;
  /** Absolute. */
  readonly folder: string;
}

export interface SkillPorts {
  readonly files: Pick<FileSystem, 'list'>;
  readonly skills: () => ReadonlyMap<string, OfferedSkill>;
  /** Called with a folder that the session may read from now on. */
  readonly activated: (folder: string) => void;
}

const input = lazySchema(() => z.object({ name: z.string() }));
type Input = z.infer<ReturnType<typeof input>>;

/** Maximal number of listed files of a skill. */
const maxFiles = 60;

export function activateSkillTool(ports: SkillPorts): Tool<Input, undefined> {
  const tool = defineReadTool<Input>({
    name: 'activate_skill',
    description: 'Loads the instructions of a skill.',
    input,
    effect: 'note',
    title: ({ name }) => oneLine(t('Use skill {0}', name)),
    run: async ({ name }) => {
      const skill = ports.skills().get(name.trim());
      if (!skill) throw unknownSkill(name, [...ports.skills().keys()]);
      const files = await filesOf(skill.folder, ports.files);
      ports.activated(skill.folder);
      const resources =
        files.length > 0
          ? `Files of this skill, below ${skill.folder}; read them when the instructions send you there:\n${files.map(file => `- ${file}`).join('\n')}`
          : `The skill has no other files. Its folder is ${skill.folder}.`;
      const text = `Instructions of the skill "${skill.name}". Follow them for the work they are for.\n\n${skill.body.trim()}\n\n${resources}`;
      return {
        text,
        display: {
          summary: () => plural(files.length, 'one: {0} file | other: {0} files'),
          detail: { kind: 'text', text },
        },
      };
    },
  });
  return { ...tool, isOffered: () => ports.skills().size > 0 };
}

function unknownSkill(name: string, known: readonly string[]): ToolFailure {
  const list = known.length > 0 ? `The skills: ${known.join(', ')}.` : 'There are no skills.';
  return new ToolFailure(`There is no skill "${oneLine(name, 100)}". ${list}`, () => t('No such skill'));
}

/** Relative paths with slashes, two levels deep, without the skill file itself. */
async function filesOf(folder: string, files: SkillPorts['files']): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = async (path: string, below: string, levels: number): Promise<void> => {
    for (const { name, kind } of await files.list(path)) {
      if (found.length >= maxFiles) return;
      if (kind === 'file' && `${below}${name}` !== 'SKILL.md') found.push(`${below}${name}`);
      if (kind === 'directory' && levels > 0) await walk(join(path, name), `${below}${name}/`, levels - 1);
    }
  };
  await walk(folder, '', 2);
  return found.sort();
}
