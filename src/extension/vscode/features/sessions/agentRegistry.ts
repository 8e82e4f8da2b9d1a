/* Known third-party agents: some built in, others from the ACP registry. */

import { t } from '../../../../protocol/language.ts';
import { fieldsOf, fromDefinedEntries, isRecord, textOrEmpty } from '../../../base/record.ts';
import { isExternalAgents } from '../../../platform/settingFiles/externalAgents.ts';
import type { ExternalCommandSetting } from '../../../platform/settings.ts';

export const registryAddress = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';
/** Bytes of the whole list. */
const registryLimit = 4_000_000;
const registryWaitMs = 15_000;

export interface KnownAgent {
  readonly name: string;
  readonly description: string;
  readonly command: ExternalCommandSetting;
}

/** Published packages, started as their makers document. */
export const wellKnownAgents: readonly KnownAgent[] = [
  npx('Claude Code', '@agentclientprotocol/claude-agent-acp'),
  npx('Codex', '@agentclientprotocol/codex-acp'),
  npx('Gemini CLI', '@google/gemini-cli', '--acp'),
  npx('opencode', 'opencode-ai', 'acp'),
];

/** Reads the agents in the registry. Aborts if it is too large. Rejects with a part of a sentence. */
export async function readRegistry(address: string = registryAddress): Promise<readonly KnownAgent[]> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(registryWaitMs) });
  if (!answer.ok) throw new Error(t('status {0}', answer.status));
  const packets: Uint8Array[] = [];
  let length = 0;
  for await (const packet of answer.body ?? []) {
    length += packet.length;
    // Leaving the loop closes the connection.
    if (length > registryLimit) throw new Error(t('it is too large'));
    packets.push(packet);
  }
  return parseRegistry(JSON.parse(Buffer.concat(packets).toString('utf8')));
}

/** Returns agents that a package runner starts. Others must be installed first. Throws if the data is no registry. */
export function parseRegistry(given: unknown): readonly KnownAgent[] {
  const { agents } = fieldsOf(given);
  if (!Array.isArray(agents)) throw new Error(t('it is not a list of agents'));
  return agents.filter(isRecord).flatMap(({ name, description, distribution }) => {
    const { npx: byNode, uvx: byPython } = fieldsOf(distribution);
    const [runner, found] = byNode ? ['npx', fieldsOf(byNode)] : ['uvx', fieldsOf(byPython)];
    const { package: wanted, args = [], env = {} } = found;
    if (typeof name !== 'string' || name === '' || typeof wanted !== 'string') return [];
    // The runner would parse it as an option.
    if (wanted.startsWith('-')) return [];
    const before = runner === 'npx' ? ['-y', wanted] : [wanted];
    const command = { command: runner, args: Array.isArray(args) ? [...before, ...args] : before, env };
    const all = fromDefinedEntries([[name, command]]);
    return isExternalAgents(all)
      ? [{ name, description: textOrEmpty(description), command: all[name]! }]
      : [];
  });
}

function npx(name: string, wanted: string, ...args: readonly string[]): KnownAgent {
  return { name, description: '', command: { command: 'npx', args: ['-y', wanted, ...args] } };
}
