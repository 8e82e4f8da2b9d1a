/*
 * The process that runs sessions without a window. Each user has one. The first client that needs it starts it, and it
 * ends when no session runs and no order is pending.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import {
  type BackgroundOrder,
  type BackgroundReply,
  type BackgroundSession,
  helloSchema,
  type RunOrder,
  takenSchema,
} from '../../../protocol/background.ts';
import { type EmittedEvent, eventOf, isAgentEvent } from '../../../protocol/fold/agents.ts';
import { whenAborted } from '../../base/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { tryParseJson } from '../../base/record.ts';
import { formatAgentLine } from '../../core/recording/parseEvent.ts';
import { type FileLock, takeLock } from '../../node/files/fileLock.ts';
import { findHome } from '../../node/homeFolder.ts';
import { UsageError } from '../arguments.ts';
import { Channel } from '../client/channel.ts';
import { type HostAddress, HostFolder, type RecordedSession } from '../client/hostFolder.ts';
import { HostedSession, inheritFromRecord } from './hostedSession.ts';

/** Idle time before the host ends. A client that starts a host sends an order right away. */
const emptyMs = 15_000;
/** A working session takes some hundred megabytes, including its servers and commands. */
const bytesOfSession = 2 ** 31;

/** Resolves when the host has ended, or at once if another host runs. */
export async function runBackgroundHost(interrupted: AbortSignal): Promise<void> {
  const home = findHome();
  if (home === undefined) throw new UsageError('There is no home folder. Set HOME to one.');
  const folder = new HostFolder(home);
  await folder.prepare();
  const lock = await takeLock(folder.lock, 'everybody');
  if (!lock) return;
  try {
    await new BackgroundHost(folder, lock).serve(interrupted);
  } finally {
    await lock.release();
  }
}

class BackgroundHost {
  private readonly folder: HostFolder;
  private readonly lock: FileLock;
  private readonly address: HostAddress;
  private readonly server: Server;
  private readonly ended = new AbortController();
  /** In the order of arrival. */
  private readonly sessions = new Set<HostedSession>();
  /** Sessions of a killed host that no client has requested yet. */
  private interrupted: readonly RecordedSession[] = [];
  private readonly watchers = new Set<Channel>();
  /** Connections with a pending order. */
  private readonly ordering = new Set<Channel>();
  private readonly channels = new Set<Channel>();
  private writing: Promise<void> = Promise.resolve();
  private written = '';

  constructor(folder: HostFolder, lock: FileLock) {
    this.folder = folder;
    this.lock = lock;
    this.address = folder.makeAddress();
    this.server = createServer(socket => this.welcome(socket));
  }

  async serve(interrupted: AbortSignal): Promise<void> {
    const recorded = await this.folder.readRecord();
    // The client of a session without an id notices that its host is gone, and orders it again.
    this.interrupted = recorded.filter(({ sessionId }) => sessionId !== undefined);
    const signal = AbortSignal.any([interrupted, this.ended.signal]);
    await listen(this.server, this.address.socket);
    await this.folder.writeAddress(this.address);
    const timer = setTimeout(() => this.endIfIdle(), emptyMs);
    await whenAborted(signal);
    clearTimeout(timer);
    await this.close();
  }

  private welcome(socket: Socket): void {
    const channel = new Channel(socket);
    this.channels.add(channel);
    this.serveClient(channel)
      .catch(error => {
        log(error);
        channel.send({ type: 'failed', message: messageOf(error) } satisfies BackgroundReply);
        channel.end();
      })
      .finally(() => {
        for (const set of [this.channels, this.ordering, this.watchers]) set.delete(channel);
        this.endIfIdle();
      });
  }

  /** Resolves when the client has disconnected. */
  private async serveClient(channel: Channel): Promise<void> {
    const lines = channel.lines();
    const first = await lines.next();
    const parsed = helloSchema.safeParse(first.done ? undefined : tryParseJson(first.value));
    if (!parsed.success || !isSame(parsed.data.token, this.address.token)) return channel.destroy();
    const { order } = parsed.data;
    if (order.type !== 'watch') this.ordering.add(channel);
    if (this.lock.isLost) this.ended.abort();
    if (this.ended.signal.aborted) return channel.destroy();
    await this.carryOut(order, channel, lines);
  }

  private async carryOut(
    order: BackgroundOrder,
    channel: Channel,
    lines: AsyncGenerator<string>,
  ): Promise<void> {
    switch (order.type) {
      case 'run':
        return await this.run(order, channel, lines);
      case 'resume':
        return await this.resume(order, channel, lines);
      case 'list':
        channel.send(this.list());
        return channel.end();
      case 'watch':
        this.watchers.add(channel);
        channel.send(this.list());
        return await drain(lines);
      case 'attach':
        return await this.attach(this.find(order.sessionId), channel, lines);
      case 'take':
        return await this.give(this.find(order.sessionId), channel, lines);
      case 'stop':
        return await this.stop(order.sessionId, channel);
    }
  }

  private async run(
    { args, cwd, folders, env }: RunOrder,
    channel: Channel,
    lines: AsyncGenerator<string>,
  ): Promise<void> {
    const at = args.indexOf('--resume');
    const sessionId = at < 0 ? undefined : args[at + 1];
    if (sessionId !== undefined && this.has(sessionId))
      throw new Error('The session runs in the background already.');
    const recorded = this.interrupted.find(each => each.sessionId === sessionId);
    const left = recorded && inheritFromRecord(recorded, { args, cwd });
    this.forget(sessionId);
    const session = this.host({ title: '', ...left, args, cwd, folders, sessionId }, env);
    await this.start(session, channel, lines);
  }

  private async resume(
    { sessionId, env }: Extract<BackgroundOrder, { type: 'resume' }>,
    channel: Channel,
    lines: AsyncGenerator<string>,
  ): Promise<void> {
    const recorded = this.interrupted.find(each => each.sessionId === sessionId);
    if (!recorded) throw noSession(sessionId);
    // `yolo` must be granted again, and is never restored from disk.
    const args = recorded.args.map(arg => (arg === 'yolo' ? 'default' : arg));
    this.forget(sessionId);
    await this.start(this.host({ ...recorded, args }, env), channel, lines);
  }

  private host(recorded: RecordedSession, env: RunOrder['env']): HostedSession {
    const session = new HostedSession(recorded, env, log);
    this.sessions.add(session);
    session.onDidChange(() => this.report());
    return session;
  }

  /** Once recorded, the session belongs to the host, even if the client disconnects. */
  private async start(
    session: HostedSession,
    channel: Channel,
    lines: AsyncGenerator<string>,
  ): Promise<void> {
    await this.save();
    channel.send({ type: 'accepted' } satisfies BackgroundReply);
    const gone = drain(lines);
    await this.open(session, channel.closed);
    await this.save();
    channel.send({ type: 'opened', sessionId: session.sessionId ?? '' } satisfies BackgroundReply);
    channel.end();
    await gone;
  }

  private async open(session: HostedSession, giver: AbortSignal): Promise<void> {
    try {
      await session.open(giver);
    } catch (error) {
      // If it is closing, whoever closes it removes it.
      if (!session.isClosing) await this.leave(session);
      throw error;
    }
    this.admit();
  }

  /** Starts queued sessions while there are free slots. A session that waits for the user frees its slot. */
  private admit(): void {
    const all = [...this.sessions];
    const max = all.findLast(each => each.maxParallel)?.maxParallel ?? placesOfMachine();
    let free = max - all.filter(({ status }) => status === 'working').length;
    for (const session of all) {
      if (free <= 0) return;
      if (session.status !== 'queued' || session.isClosing) continue;
      free--;
      void session.work().then(() => (session.isClosing ? undefined : this.leave(session)));
    }
  }

  /** Removes a session that has finished or could not start. */
  private async leave(session: HostedSession): Promise<void> {
    await session.close();
    await this.remove(session);
  }

  private async remove(session: HostedSession): Promise<void> {
    this.sessions.delete(session);
    const { sessionId } = session;
    this.report();
    await this.save();
    if (sessionId !== undefined) await this.folder.removeSettings(sessionId);
    this.admit();
    this.endIfIdle();
  }

  /** Hands the session over to a client. The host owns it until the client confirms. */
  private async give(session: HostedSession, channel: Channel, lines: AsyncGenerator<string>): Promise<void> {
    if (session.isSetUpDue)
      throw new Error('The worktree of the session is being set up. Open it after that.');
    const goesOn = await session.close();
    channel.send({ type: 'given', goesOn } satisfies BackgroundReply);
    const { done, value } = await lines.next();
    const isTaken = !done && takenSchema.safeParse(tryParseJson(value)).success;
    if (isTaken || !goesOn) return await this.remove(session);
    this.sessions.delete(session);
    await this.open(this.host(session.record, session.env), channel.closed);
  }

  private async stop(sessionId: string, channel: Channel): Promise<void> {
    if (this.forget(sessionId)) await this.save();
    else await this.leave(this.find(sessionId));
    channel.send({ type: 'ended' } satisfies BackgroundReply);
    channel.end();
  }

  private async attach(
    session: HostedSession,
    channel: Channel,
    lines: AsyncGenerator<string>,
  ): Promise<void> {
    const showing = showEvents(session, channel);
    await session.whenOpen();
    let count = 0;
    try {
      for await (const text of lines) {
        const line = ++count;
        const refuse = (reason: string) =>
          channel.send({ type: 'refused', line, reason } satisfies BackgroundReply);
        if (text.trim() !== '') session.handleLine(text, refuse);
      }
    } finally {
      (await showing).dispose();
    }
  }

  private find(sessionId: string): HostedSession {
    const found = [...this.sessions].find(each => each.sessionId === sessionId && !each.isClosing);
    if (!found) throw noSession(sessionId);
    return found;
  }

  private has(sessionId: string): boolean {
    return [...this.sessions].some(each => each.sessionId === sessionId);
  }

  /** Returns true if the session was one of a killed host. */
  private forget(sessionId: string | undefined): boolean {
    const before = this.interrupted;
    this.interrupted = before.filter(each => each.sessionId !== sessionId);
    return before.length > this.interrupted.length;
  }

  private list(): Extract<BackgroundReply, { type: 'sessions' }> {
    const interrupted = this.interrupted.map(
      ({ sessionId = '', title, folders = [], worktree }): BackgroundSession => ({
        sessionId,
        title,
        status: 'interrupted',
        folders: [...folders],
        worktree: worktree?.name,
      }),
    );
    // A session without an id cannot be named.
    const named = [...this.sessions].filter(({ sessionId }) => sessionId !== undefined);
    return { type: 'sessions', sessions: [...named.map(each => each.listed), ...interrupted] };
  }

  private report(): void {
    this.admit();
    const list = this.list();
    for (const watcher of this.watchers) watcher.send(list);
    // `save` logs its failure.
    this.save().catch(() => {});
  }

  /** Writes the record of running sessions. Rejects if that fails. */
  private save(): Promise<void> {
    const record = [...[...this.sessions].map(each => each.record), ...this.interrupted];
    const write = this.writing.then(async () => {
      const text = JSON.stringify(record);
      if (text === this.written) return;
      await this.folder.writeRecord(record);
      this.written = text;
    });
    this.writing = write.catch(log);
    return write;
  }

  private endIfIdle(): void {
    if (this.sessions.size === 0 && this.ordering.size === 0) this.ended.abort();
  }

  /** Keeps working sessions in the record, so that the next host resumes them. */
  private async close(): Promise<void> {
    this.ended.abort();
    this.server.close();
    await Promise.allSettled([...this.sessions].map(each => each.close()));
    await this.writing;
    for (const channel of this.channels) channel.destroy();
    await this.folder.removeAddress(this.address);
  }
}

/** Sends past events, new events, and the end. Omits and repeats nothing. */
async function showEvents(session: HostedSession, channel: Channel): Promise<Disposable> {
  let newest = 0;
  const send = (reported: EmittedEvent) => {
    if (eventOf(reported).seq <= newest) return;
    newest = eventOf(reported).seq;
    const event = isAgentEvent(reported) ? tryParseJson(formatAgentLine(reported)) : reported;
    channel.send({ type: 'event', event } satisfies BackgroundReply);
  };
  const end = () => {
    channel.send({ type: 'ended' } satisfies BackgroundReply);
    channel.end();
  };
  let later: (() => void)[] | undefined = [];
  const inOrder = (sending: () => void) => (later ? later.push(sending) : sending());
  const store = new DisposableStore();
  store.add(session.onEvent(reported => inOrder(() => send(reported))));
  store.add(session.onDidClose(() => inOrder(end)));
  for (const reported of await session.readEvents()) send(reported);
  channel.send({ type: 'caughtUp' } satisfies BackgroundReply);
  for (const sending of later) sending();
  later = undefined;
  return store;
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Compares in constant time. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

async function drain(lines: AsyncGenerator<string>): Promise<void> {
  for await (const _line of lines);
}

function placesOfMachine(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / bytesOfSession)));
}

function noSession(sessionId: string): Error {
  return new Error(`No session ${sessionId} runs in the background.`);
}

function log(problem: unknown): void {
  process.stderr.write(`${problem instanceof Error ? problem.stack : problem}\n`);
}
