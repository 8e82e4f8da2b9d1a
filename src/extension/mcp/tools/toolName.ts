/* Names under which models call tools of servers: `mcp_<server>_<tool>`. */

import { createHash } from 'node:crypto';

export interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** Providers take 64. */
const longest = 63;

/**
 * One name for each, in the order given. A name depends on the others only where two would be the same, so that it
 * stays the same from one session to the next.
 */
export function toolNames(tools: readonly NamedTool[]): readonly string[] {
  const plain = tools.map(plainName);
  const times = new Map<string, number>();
  for (const name of plain) times.set(name, (times.get(name) ?? 0) + 1);
  return plain.map((name, at) =>
    name.length > longest || times.get(name)! > 1 ? hashedName(name, tools[at]!) : name,
  );
}

function plainName({ server, tool }: NamedTool): string {
  return `mcp_${plain(server)}_${plain(tool)}`;
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** Both ends say something: the server stands first, what tells similar tools apart often last. */
function hashedName(name: string, { server, tool }: NamedTool): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, 8);
  const rest = longest - hash.length - 2;
  const head = Math.ceil(rest / 2);
  if (name.length <= rest) return `${name}_${hash}`;
  return `${name.slice(0, head)}_${hash}_${name.slice(name.length - (rest - head))}`;
}
