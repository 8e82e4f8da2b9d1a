/* How a session passes between a window and the background host. At each moment one of them owns it. */

import type { BackgroundOrder, BackgroundReply, RunOrder } from '../../../../protocol/background.ts';
import { t } from '../../../../protocol/language.ts';
import type { Session } from '../../../core/session/session.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { TakenBack } from '../../openSessions.ts';

/** The way to the background host. */
export interface Host {
  /** Undefined when none runs. */
  connect(order: BackgroundOrder): Promise<HostConnection | undefined>;
  /** Starts one where none runs. */
  reach(order: BackgroundOrder): Promise<HostConnection>;
}

interface HostConnection {
  /** Undefined once the host is gone. Throws a sentence for what it could not do. */
  next(): Promise<BackgroundReply | undefined>;
  sendLine(line: string): void;
  close(): void;
}

export class HostHandover {
  private readonly host: Host;
  private readonly session: Pick<ActiveSession, 'closeSession' | 'switchTo'>;
  private readonly log: Log;

  constructor(host: Host, session: Pick<ActiveSession, 'closeSession' | 'switchTo'>, log: Log) {
    this.host = host;
    this.session = session;
    this.log = log;
  }

  /** Rejects where the session stays in the window. */
  async give(sessionId: string, order: RunOrder): Promise<void> {
    const connection = await this.host.reach(order);
    // From `accepted` on it is the host's, which waits until the journal is free.
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
   * Undefined: it does not run there.
   * @param goOn continues with a session that was in the middle of something
   */
  async take(sessionId: string, goOn: (session: Session) => void): Promise<TakenBack | undefined> {
    const connection = await this.host.connect({ type: 'take', sessionId });
    const reply = await connection?.next().catch(error => {
      // It has come to rest meanwhile.
      this.log.info(`Not taken from the background: ${error}`);
      return undefined;
    });
    if (!connection || reply?.type !== 'given') return undefined;
    return {
      accept: session => {
        connection.sendLine(JSON.stringify({ type: 'taken' }));
        if (reply.goesOn) goOn(session);
      },
      // Without the word the host goes on with it.
      refuse: () => connection.close(),
    };
  }
}

async function expectReply(connection: HostConnection, type: BackgroundReply['type']): Promise<void> {
  const reply = await connection.next();
  if (reply?.type !== type) throw new Error(t('The background host ended. Try it again.'));
}
