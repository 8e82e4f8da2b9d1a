/*
 * The others that may write to the workspace while a command runs. Some are seen at work: the user's editors, and
 * the sessions of the same window. Of others it is known that they run: commands of other calls, and those in the
 * background. While one of these runs, nobody can say which of the two wrote a file.
 */

import { writerNames } from '../../../protocol/changes.ts';
import type { Writer } from '../../../protocol/values.ts';
import { Emitter } from '../../base/emitter.ts';
import type { OtherWrite, OtherWriters } from '../../platform/otherWriters.ts';
import type { Processes, RunningProcess } from '../../platform/processes.ts';

interface SessionAtWork {
  /** Its title; empty where it has none. */
  readonly name: () => string;
}

/** A run of a command, or of another tool that may write anywhere. */
interface Run {
  readonly session: SessionAtWork;
  /** Absent: no call. */
  readonly callId: string | undefined;
  /** Nothing else ran since it was asked last. */
  isAlone: boolean;
  /** Its call has ended, and its command continues. */
  isLasting: boolean;
}

/** A write with the one who made it. */
export interface AttributedWrite extends OtherWrite {
  /** Another session of the window; absent: the user. */
  readonly writer?: Writer;
}

/** Watches, while one command runs, what else may write to the workspace. */
export interface RunWatch {
  /** Says if anything else that may write ran since it was asked last. */
  readonly concurrency: () => 'alone' | 'concurrent';
  /** The call has ended while its command continues: it leaves to others what they find. */
  readonly last: () => void;
  readonly isLasting: () => boolean;
  /** It lasts, and a command whose call waits for it is at work. */
  readonly isSecond: () => boolean;
  /** Stops watching; no write is reported once it resolves. */
  readonly end: () => Promise<void>;
}

export interface OtherRun {
  begin(heard: (write: AttributedWrite) => void, callId?: string): RunWatch;
  /** This session has written. */
  readonly notify: (write: OtherWrite) => void;
  /** Hears of files that another session has written. What it returns ends that. */
  readonly listen: (heard: (path: string) => Promise<void>) => () => void;
  /** While this session writes a file, the others know by whom it changes; they have checked it once this resolves. */
  readonly writing: <T>(path: string, write: () => Promise<T>) => Promise<T>;
  /**
   * The other session that writes the file now, or may have written what was found, since a command of it runs;
   * `undefined`: none.
   */
  readonly otherAt: (path: string, text: 'typed' | 'found') => Writer | undefined;
  /** Resolves when the processes of a call have ended; `undefined`: none runs. */
  readonly running: (callId: string) => Promise<unknown> | undefined;
}

export class OtherRuns {
  private readonly editors: OtherWriters | undefined;
  private readonly processes = new Set<RunningProcess>();
  private readonly runs = new Set<Run>();
  private readonly listeners = new Map<SessionAtWork, (path: string) => Promise<void>>();
  private readonly writing = new Map<string, SessionAtWork>();
  private readonly written = new Emitter<{ readonly session: SessionAtWork; readonly write: OtherWrite }>();

  /** @param editors absent: nobody sees the user's */
  constructor(processes?: Pick<Processes, 'onDidStart'>, editors?: OtherWriters) {
    this.editors = editors;
    processes?.onDidStart(running => {
      this.processes.add(running);
      void running.exit.then(() => this.processes.delete(running));
    });
  }

  /** The view of one session, which does not hear of itself. */
  beside(name: () => string = () => ''): OtherRun {
    const session = { name };
    return {
      begin: (heard, callId) => this.begin(session, heard, callId),
      notify: write => this.written.fire({ session, write }),
      listen: heard => {
        this.listeners.set(session, heard);
        return () => this.listeners.delete(session);
      },
      writing: (path, write) => this.write(session, path, write),
      otherAt: (path, text) => this.otherAt(session, path, text),
      running: callId => {
        const own = [...this.processes].filter(({ spec }) => spec.callId === callId);
        return own.length > 0 ? Promise.all(own.map(({ exit }) => exit)) : undefined;
      },
    };
  }

  private async write<T>(session: SessionAtWork, path: string, write: () => Promise<T>): Promise<T> {
    this.writing.set(path, session);
    try {
      return await write();
    } finally {
      for (const [other, heard] of this.listeners) if (other !== session) await heard(path);
      this.writing.delete(path);
    }
  }

  private otherAt(own: SessionAtWork, path: string, text: 'typed' | 'found'): Writer | undefined {
    const writer = this.writing.get(path);
    if (writer && writer !== own) return { kind: 'session', name: writer.name() };
    const runs = [...this.runs];
    if (text === 'typed' || runs.some(({ session }) => session === own)) return undefined;
    const other = runs.find(({ isLasting }) => !isLasting);
    if (!other) return undefined;
    const [words] = writerNames({ writers: [{ kind: 'session', name: other.session.name() }] });
    return { kind: 'meanwhile', callId: other.callId ?? '', words: words! };
  }

  private begin(
    own: SessionAtWork,
    heard: (write: AttributedWrite) => void,
    callId: string | undefined,
  ): RunWatch {
    const run: Run = { session: own, callId, isAlone: true, isLasting: false };
    for (const other of this.runs) other.isAlone = false;
    this.runs.add(run);
    run.isAlone = this.isAlone(run);
    const sessions = this.written.event(({ session, write }) => {
      if (session !== own) heard({ ...write, writer: { kind: 'session', name: session.name() } });
    });
    const endEditors = this.editors?.listen(heard);
    return {
      concurrency: () => {
        const { isAlone } = run;
        run.isAlone = this.isAlone(run);
        return isAlone ? 'alone' : 'concurrent';
      },
      last: () => {
        run.isLasting = true;
      },
      isLasting: () => run.isLasting,
      isSecond: () => run.isLasting && [...this.runs].some(({ isLasting }) => !isLasting),
      end: async () => {
        await endEditors?.();
        sessions.dispose();
        this.runs.delete(run);
      },
    };
  }

  private isAlone(run: Run): boolean {
    const isOther = ({ spec }: RunningProcess) =>
      spec.background && (run.callId === undefined || spec.callId !== run.callId);
    return this.runs.size === 1 && ![...this.processes].some(isOther);
  }
}
