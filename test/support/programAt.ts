import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';

/** Finds one program under every name; `undefined`: none. */
export function programAt(file: string | undefined): ProgramFinder {
  return Object.assign(new ProgramFinder(() => []), { find: () => file });
}
