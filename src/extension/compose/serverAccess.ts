/* Dependencies of the commands that change servers, in a window and without one. */

import { t } from '../../protocol/language.ts';
import type { ServerAccess, ServerDraft } from '../core/commands/serverAccess.ts';
import type { Customizations } from '../core/customizations/customizations.ts';
import type { Customization } from '../core/customizations/files/customization.ts';
import { checkServer, deleteInputAnswers, storeInputAnswers } from '../mcp/checkServer.ts';
import type { McpServers } from '../mcp/mcpServers.ts';
import { NodeServerFiles } from '../node/customizations/nodeServerFiles.ts';
import { ProgramFinder } from '../node/processes/programs.ts';
import { NodeServerProcesses } from '../node/processes/serverProcesses.ts';
import type { Clock } from '../platform/clock.ts';
import type { FileSystem } from '../platform/fileSystem.ts';
import type { Log } from '../platform/log.ts';
import type { Restrictions } from '../platform/managed/restrictions.ts';
import type { ProgramSandbox } from '../platform/sandbox.ts';
import type { StoredSecrets } from '../platform/secrets.ts';

interface ServerHost {
  readonly files: FileSystem;
  readonly all: Customizations;
  readonly servers: () => McpServers | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly home: string;
  readonly folders: () => readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  readonly sandbox: ProgramSandbox;
  readonly restrictions?: Restrictions | undefined;
  /** The version of Folio. */
  readonly version: string;
  /** Absent if stored secrets would not outlive the process. */
  readonly secrets?: StoredSecrets;
  /** Shortens a path for display. */
  readonly shorten: (path: string) => string;
}

export function serverAccess(host: ServerHost): ServerAccess {
  const { files, all, servers, env, home, folders, secrets, shorten } = host;
  return {
    files: new NodeServerFiles(files, { home, folders }),
    all,
    env,
    list: () => servers()?.list(shorten) ?? [],
    schemas: name => servers()?.schemas(name) ?? [],
    restart: name => servers()?.restart(name),
    signIn: async name => {
      const running = servers();
      return running ? await running.signIn(name) : t('No server is running.');
    },
    check: (draft, signal) =>
      checkServer(
        toItem(draft),
        draft.answers,
        { ...host, processes: new NodeServerProcesses(env, new ProgramFinder(folders, env)) },
        signal,
      ),
    keep: secrets && (draft => storeInputAnswers(toItem(draft), draft.answers, host, secrets)),
    forget: secrets && (gone => deleteInputAnswers(toItem(gone), host, secrets)),
    startsAtOnce: secrets !== undefined,
  };
}

/** The customization as it will be read from the file. */
function toItem({ place, name, path, entry }: Omit<ServerDraft, 'answers'>): Customization {
  const whole = { name, path, origin: { kind: place }, value: entry, text: '', detail: '' } as const;
  return { ...whole, kind: 'server', format: 'settings' };
}
