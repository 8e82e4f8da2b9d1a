import { parse } from 'yaml';

/**
 * Throws when it is not valid. A file of its own, loaded when it is first needed: in a bundle a package of this kind
 * keeps its names only where they are imported at the top.
 */
export function parseYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 20, logLevel: 'error' });
}
