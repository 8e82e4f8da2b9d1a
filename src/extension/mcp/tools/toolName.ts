/* Names under which models call servers' tools: `mcp_<server>_<tool>`. */

import { createHash } from 'node:crypto';

interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** Providers accept 64 characters. */
const longest = 63;
/** After this many rounds, equal names mean equal tools. */
const maxRounds = 5;

/**
 * Returns one name per tool, in order. A name depends on other tools only if it collides, so that it stays the same
 * across sessions.
 */
export function toolNames(tools: readonly NamedTool[]): readonly string[] {
  let names = tools
    .map(plainName)
    .map((name, at) => (name.length > longest ? hashedName(name, tools[at]!) : name));
  for (let round = 0; round < maxRounds; round++) {
    const repeated = repeatedIn(names);
    if (repeated.size === 0) break;
    // A name may collide with one that was hashed already; then both are hashed again.
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

/** Keeps both ends: the server is at the start, and similar tools often differ at the end. */
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
