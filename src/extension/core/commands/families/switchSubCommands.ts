import type { SlashSubCommand } from '../commands.ts';
import type { SwitchedKind } from '../switchCustomization.ts';

/** Creates `enable` and `disable`, whose code is loaded on first use. */
export function switchSubCommands(
  kind: SwitchedKind,
  enable: string,
  disable: string,
): readonly SlashSubCommand[] {
  const word = (name: string, description: string, to: 'on' | 'off'): SlashSubCommand => ({
    name,
    description,
    argument: 'name',
    run: async (surface, thing) =>
      (await import('../switchCustomization.ts')).switchCustomization(surface, kind, to, thing),
  });
  return [word('enable', enable, 'on'), word('disable', disable, 'off')];
}
