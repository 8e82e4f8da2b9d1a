/* Moves a session between a window and the background host. Exactly one of them owns it at any time. */

import type { BackgroundOrder, BackgroundReply, RunOrder } from '../../../../protocol/background.ts';
import { t } from '../../../../protocol/language.ts';
import type { Session } from '../../../core/session/session.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { HandedBackSession } from '../../openSessions.ts';

/** Connects to the background host. */
export interface HostConnector {
  /** Resolves with `undefined` if none runs. */
  connect(order: BackgroundOrder): Promise<HostConnection | undefined>;
  /** Starts one if none runs. */
  connectOrStart(order: BackgroundOrder): Promise<HostConnection>;
}

interface HostConnection {
  /** Resolves with `undefined` once the host is gone. Throws a sentence for a refused order. */
  next(): Promise<BackgroundReply | undefined>;
  sendLine(line: string): void;
  close(): void;
}

export class HostHandover {
  private readonly host: HostConnector;
  private readonly session: Pick<ActiveSession, 'closeSession' | 'switchTo'>;
  private readonly log: Log;

  constructor(host: HostConnector, session: Pick<ActiveSession, 'closeSession' | 'switchTo'>, log: Log) {
    this.host = host;
    this.session = session;
    this.log = log;
  }

  /** Rejects if the session stays in the window. */
  async give(sessionId: string, order: RunOrder): Promise<void> {
    const connection = await this.host.connectOrStart(order);
    // After `accepted` the host owns it and waits until the journal is closed.
    await expectReply(connection, 'accepted');
    await this.session.closeSession(sessionId);
    try {
      await expectReply(connection, 'opened');
    } catch (error) {
      await this.session.switchTo(sessionId);
      throw error;
    } finally {
      connection.close();
    }
  }

  /**
   * Resolves with `undefined` if it does not run there.
   * @param goOn resumes a session that was interrupted
   */
  async take(sessionId: string, goOn: (session: Session) => void): Promise<HandedBackSession | undefined> {
    const connection = await this.host.connect({ type: 'take', sessionId });
    const reply = await connection?.next().catch(error => {
      // It has ended meanwhile.
      this.log.info(`Not taken from the background: ${error}`);
      return undefined;
    });
    if (!connection || reply?.type !== 'given') return undefined;
    return {
      accept: session => {
        connection.sendLine(JSON.stringify({ type: 'taken' }));
        if (reply.goesOn) goOn(session);
      },
      // Without confirmation the host resumes it.
      refuse: () => connection.close(),
    };
  }
}

async function expectReply(connection: HostConnection, type: BackgroundReply['type']): Promise<void> {
  const reply = await connection.next();
  if (reply?.type !== type) throw new Error(t('The background host ended. Try it again.'));
}
