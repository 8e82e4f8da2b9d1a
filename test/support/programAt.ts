import { Programs } from '../../src/extension/node/processes/programs.ts';

/** Finds one program under every name; `undefined`: none. */
export function programAt(file: string | undefined): Programs {
  return Object.assign(new Programs(() => []), { find: () => file });
}
