import type { Skill } from '../../skills/skills.ts';
import type { Command, CommandSource } from '../commands.ts';
import { segmentOf } from '../custom/commandName.ts';

/** By what a person sends for it; the colon behind the name of an extension stays. */
export function skillName({ name }: Pick<Skill, 'name'>): string {
  return name.split(':').map(segmentOf).join(':');
}

export function skillSource({ name, source }: Pick<Skill, 'name' | 'source'>): CommandSource {
  return source === 'extension' ? { kind: source, name: name.split(':')[0]! } : { kind: source };
}

/** Sends for a skill. The model loads it as it does by itself, so that its files may be read. */
export function skillCommand({ name: skill, description, hint = '' }: Skill, name: string): Command {
  return {
    name,
    description,
    argument: hint,
    asksModel: 'always',
    run: async (surface, argument) => {
      const shown = argument === '' ? `/${name}` : `/${name} ${argument}`;
      const wording = `Load the skill "${skill}" with \`activate_skill\` and do what it says.`;
      await surface.send({ shown, wording: argument === '' ? wording : `${wording}\n\n${argument}` });
      return undefined;
    },
  };
}
