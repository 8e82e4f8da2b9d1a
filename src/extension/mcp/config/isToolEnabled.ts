import type { ServerConfig } from './serverConfig.ts';

/** An exclusion wins over an inclusion. */
export function isToolEnabled({ includeTools, excludeTools }: ServerConfig, name: string): boolean {
  return !excludeTools.includes(name) && (includeTools?.includes(name) ?? true);
}
