import type { SubCommand } from '../commands.ts';
import type { SwitchedKind } from '../switchThing.ts';

/** Creates `enable` and `disable`, whose code is loaded on first use. */
export function switchWords(kind: SwitchedKind, enable: string, disable: string): readonly SubCommand[] {
  const word = (name: string, description: string, to: 'on' | 'off'): SubCommand => ({
    name,
    description,
    argument: 'name',
    run: async (surface, thing) => (await import('../switchThing.ts')).switchThing(surface, kind, to, thing),
  });
  return [word('enable', enable, 'on'), word('disable', disable, 'off')];
}
