import { CommandError } from '../core/commandError.ts';
import type { SavedChat, SavedChats } from '../core/commands/chats.ts';
import type { SessionCatalog } from '../core/recording/sessionCatalog.ts';
import type { Session } from '../core/session/session.ts';
import { SessionInUseError } from '../platform/storage.ts';
import { includesFolder } from './earlierSession.ts';
import type { HeadlessAgent } from './headlessAgent.ts';

/** @param notify prints the requested output */
export function makeSavedChats(
  session: Session,
  { agent: { catalog }, workspace }: Pick<HeadlessAgent, 'agent' | 'workspace'>,
  notify: (text: string) => void,
): SavedChats {
  return {
    list: () => listChats(catalog, workspace),
    save: name => catalog.copy(session.id, name),
    open: chat => Promise.reject(new CommandError(elsewhere(chat))),
    remove: async ({ sessionId, name }) => {
      if (sessionId === session.id)
        throw new CommandError(`“${name}” is the session of this run. Delete it in a run of its own.`);
      try {
        await catalog.remove(sessionId);
      } catch (error) {
        if (error instanceof SessionInUseError) throw new CommandError(error.message);
        throw error;
      }
      notify(`“${name}” was deleted. It stays in the trash for a week.`);
    },
  };
}

function elsewhere({ sessionId, name }: SavedChat): string {
  return `/chat resume needs a window. Here continue with “${name}” by --resume ${sessionId}.`;
}

async function listChats(
  catalog: Pick<SessionCatalog, 'placed'>,
  workspace: string,
): Promise<readonly SavedChat[]> {
  const saved: SavedChat[] = [];
  for await (const { sessionId, title: name, changedAt, named, folders } of catalog.placed()) {
    if (named && (await includesFolder(folders, workspace))) saved.push({ sessionId, name, changedAt });
  }
  return saved;
}
