import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { FolioApi } from './folioApi.ts';
import type { Guests } from './guests.ts';
import type { CheckSchema } from './guestTool.ts';

export interface WindowApiParts {
  readonly guests: () => Promise<Guests>;
  readonly loadSchemaCheck: () => Promise<CheckSchema>;
  readonly session: ActiveSession;
  readonly prepare: () => Promise<void>;
  readonly log: Log;
}

/** Loaded with Folio: no more than the door. What stands behind it comes with the first extension that connects. */
export function windowApi({ guests, loadSchemaCheck, session, prepare, log }: WindowApiParts): FolioApi {
  return Object.freeze({
    version: '1.0',
    connect: async id => {
      const { connectGuest } = await import('./connectGuest.ts');
      return connectGuest(id, {
        guests: await guests(),
        checkSchema: await loadSchemaCheck(),
        log,
        prepare,
        onEvent: session.opened.onEvent,
        isBusy: () => session.isBusy,
        startNewSession: () => session.startNew(),
        send: async (shown, wording) => {
          const { id: sessionId } = await session.open();
          const end = await session.send(shown, [], wording);
          return end && { sessionId, end };
        },
        stop: async why => session.present?.stop(why),
      });
    },
  } satisfies FolioApi);
}
