/* Names under which models call tools of servers: `mcp_<server>_<tool>`. */

import { createHash } from 'node:crypto';

interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** Providers take 64. */
const longest = 63;
/** Beyond these, names are the same because the tools are. */
const maxRounds = 5;

/**
 * One name for each, in the order given. A name depends on the others only where two would be the same, so that it
 * stays the same from one session to the next.
 */
export function toolNames(tools: readonly NamedTool[]): readonly string[] {
  let names = tools
    .map(plainName)
    .map((name, at) => (name.length > longest ? hashedName(name, tools[at]!) : name));
  for (let round = 0; round < maxRounds; round++) {
    const repeated = repeatedIn(names);
    if (repeated.size === 0) break;
    // A name may be made to meet one that was told apart already; then both are, once more.
    names = names.map((name, at) => (repeated.has(name) ? hashedName(name, tools[at]!) : name));
  }
  return names;
}

function repeatedIn(names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(names.filter(name => seen.size === seen.add(name).size));
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
    .update(JSON.stringify([server, tool, name]))
    .digest('hex')
    .slice(0, 8);
  const rest = longest - hash.length - 2;
  const head = Math.ceil(rest / 2);
  if (name.length <= rest) return `${name}_${hash}`;
  return `${name.slice(0, head)}_${hash}_${name.slice(name.length - (rest - head))}`;
}
