import type { ServerConfig } from './serverConfig.ts';

/** What is left out wins over what is taken in. */
export function isToolEnabled({ includeTools, excludeTools }: ServerConfig, name: string): boolean {
  return !excludeTools.includes(name) && (includeTools?.includes(name) ?? true);
}
