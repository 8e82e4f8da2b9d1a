import { parse } from 'yaml';

/**
 * Throws for invalid YAML. It is a separate file so that the package is loaded on first use: bundling needs its import
 * at the top.
 */
export function parseYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 20, logLevel: 'error' });
}
