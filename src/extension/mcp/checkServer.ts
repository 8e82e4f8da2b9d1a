/* Test run of a server before its entry is written. */

import type { McpServer } from '../../protocol/panel/mcp.ts';
import { Emitter } from '../base/emitter.ts';
import type { Customization } from '../core/customizations/files/customization.ts';
import type { StoredSecrets } from '../platform/secrets.ts';
import { inputSecretName } from './config/parseInputQuestions.ts';
import { parseServer } from './config/parseServer.ts';
import { McpServers } from './mcpServers.ts';
import type { McpPorts } from './ports.ts';
import { waitForServers } from './waitForServers.ts';

/** A program may have to be downloaded first. */
const maxDurationMs = 120_000;

type CheckContext = Pick<
  McpPorts,
  'version' | 'clock' | 'log' | 'processes' | 'sandbox' | 'env' | 'home' | 'folders' | 'restrictions'
>;
type Checked = Pick<McpServer, 'status' | 'tools'>;

/**
 * Runs the server next to all others, and resolves after it has ended. `answers` replaces questions to the user.
 * Rejects only if aborted. The given processes cannot be used again.
 */
export async function checkServer(
  item: Customization,
  answers: ReadonlyMap<string, string>,
  context: CheckContext,
  signal: AbortSignal,
): Promise<Checked> {
  const folders = new Emitter<void>();
  const kept = new Map<string, string>();
  const secrets: StoredSecrets = {
    find: async name => kept.get(name),
    keep: async (name, value) => void kept.set(name, value),
    drop: async name => void kept.delete(name),
  };
  await storeInputAnswers(item, answers, context, secrets);
  const servers = new McpServers({
    ...context,
    secrets,
    onDidChangeFolders: folders.event,
    trusted: () => true,
    isCurrent: async () => true,
  });
  try {
    // A failing server may print its input values, so they are masked.
    servers.set([{ item, state: 'enabled', secrets: [...answers.values()] }]);
    await waitForServers(servers, context.clock, maxDurationMs, signal);
    signal.throwIfAborted();
    const [checked] = servers.list(path => path);
    return checked ?? { status: { kind: 'disabled' }, tools: [] };
  } finally {
    await servers.stop();
    folders.dispose();
  }
}

/** Stores the answers for exactly this entry, as a start with questions would. */
export async function storeInputAnswers(
  item: Customization,
  answers: ReadonlyMap<string, string>,
  { env, home, folders }: Pick<McpPorts, 'env' | 'home' | 'folders'>,
  secrets: StoredSecrets,
): Promise<void> {
  const parsed = parseServer(item, { env, home, folders: folders() });
  if (!parsed.ok) return;
  for (const [id, answer] of answers) await secrets.keep(inputSecretName(parsed.config, id), answer);
}

/** Deletes the stored answers of an entry that was removed. */
export async function deleteInputAnswers(
  item: Customization,
  { env, home, folders }: Pick<McpPorts, 'env' | 'home' | 'folders'>,
  secrets: StoredSecrets,
): Promise<void> {
  const parsed = parseServer(item, { env, home, folders: folders() });
  if (!parsed.ok) return;
  for (const id of parsed.config.inputs) await secrets.drop(inputSecretName(parsed.config, id));
}
