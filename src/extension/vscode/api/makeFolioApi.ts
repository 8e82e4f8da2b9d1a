import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { ClientExtensions } from './clientExtensions.ts';
import type { CheckSchema } from './clientTool.ts';
import type { FolioApi } from './folioApi.ts';

/** The part of the API that loads with Folio. The rest is imported when the first extension connects. */
export function makeFolioApi(
  session: ActiveSession,
  prepare: () => Promise<void>,
  clientExtensions: () => Promise<ClientExtensions>,
  loadSchemaCheck: () => Promise<CheckSchema>,
  log: Log,
): FolioApi {
  return Object.freeze({
    version: '1.0',
    connect: async id => {
      const { connectClient } = await import('./connectClient.ts');
      return connectClient(id, {
        clientExtensions: await clientExtensions(),
        checkSchema: await loadSchemaCheck(),
        log,
        prepare,
        ...offeredSession(session),
      });
    },
  } satisfies FolioApi);
}

/** The session operations that other extensions may use. */
function offeredSession(session: ActiveSession) {
  return {
    onEvent: session.opened.onEvent,
    isBusy: () => session.isBusy,
    startNewSession: () => session.startNew(),
    send: async (shown: string, wording: string) => {
      const { id: sessionId } = await session.open();
      const end = await session.send(shown, [], wording);
      return end && { sessionId, end };
    },
    stop: async (why: string) => session.present?.stop(why),
  };
}
