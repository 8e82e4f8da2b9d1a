import { type ListSessionsRequest, type ListSessionsResponse, RequestError } from '@agentclientprotocol/sdk';
import type { SessionCatalog } from '../../core/recording/sessionCatalog.ts';

const pageSize = 50;

/** A page of the sessions on the disk, newest first. The cursor is the last session of the page before. */
export async function listSessions(
  catalog: Pick<SessionCatalog, 'placed'>,
  { cwd, cursor }: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  const sessions: ListSessionsResponse['sessions'] = [];
  let isBehind = !cursor;
  for await (const { sessionId, changedAt, title, folders } of catalog.placed()) {
    const [first, ...additionalDirectories] = folders;
    if (isBehind && first !== undefined && (!cwd || folders.includes(cwd))) {
      if (sessions.length === pageSize) return { sessions, nextCursor: sessions.at(-1)!.sessionId };
      const updatedAt = new Date(changedAt).toISOString();
      const others = additionalDirectories.length > 0 ? { additionalDirectories } : {};
      sessions.push({ sessionId, cwd: first, ...others, title, updatedAt });
    }
    isBehind ||= sessionId === cursor;
  }
  if (!isBehind) throw RequestError.invalidParams(undefined, 'There is no such page any more: begin anew.');
  return { sessions };
}
