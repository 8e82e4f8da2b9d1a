/*
 * Tracks what else may write to the workspace while a command runs. Writes of the user's editors and of other sessions
 * in the window are observed. Of other calls' commands, also in the background, only their running is known; meanwhile
 * the writer of a file is uncertain.
 */

import { writerNames } from '../../../protocol/changes.ts';
import type { Writer } from '../../../protocol/values.ts';
import { Emitter } from '../../base/emitter.ts';
import type { ConcurrentWrite, ConcurrentWrites } from '../../platform/concurrentWrites.ts';
import type { Processes, RunningProcess } from '../../platform/processes.ts';

interface SessionAtWork {
  /** Its title; empty if it has none. */
  readonly name: () => string;
}

/** A run of a command, or of another tool that may write anywhere. */
interface Run {
  readonly session: SessionAtWork;
  /** Absent: no call. */
  readonly callId: string | undefined;
  /** No other run since the last check. */
  isAlone: boolean;
  /** Its call has ended, but its command still runs. */
  isLasting: boolean;
}

export interface AttributedWrite extends ConcurrentWrite {
  /** Another session of the window; absent: the user. */
  readonly writer?: Writer;
}

/** Observes what else may write to the workspace while a command runs. */
export interface ConcurrencyWatch {
  /** Tells whether anything else that may write ran since the last check. */
  readonly concurrency: () => 'alone' | 'concurrent';
  /** Call when the command outlives its call: changes are then attributed to other runs first. */
  readonly last: () => void;
  readonly isLasting: () => boolean;
  /** True if the command outlives its call while another call's command runs. */
  readonly isSecond: () => boolean;
  /** Stops watching. No write is reported after it resolves. */
  readonly end: () => Promise<void>;
}

export interface ConcurrentRunsView {
  begin(heard: (write: AttributedWrite) => void, callId?: string): ConcurrencyWatch;
  /** Reports a write of this session. */
  readonly notify: (write: ConcurrentWrite) => void;
  /** Subscribes to files that other sessions wrote. The returned function unsubscribes. */
  readonly listen: (heard: (path: string) => Promise<void>) => () => void;
  /** Attributes changes of the file to this session during `write`. Resolves after other sessions have checked it. */
  readonly writing: <T>(path: string, write: () => Promise<T>) => Promise<T>;
  /**
   * Returns the other session that writes the file now, or whose running command may have written it; `undefined`:
   * none.
   */
  readonly otherAt: (path: string, text: 'typed' | 'found') => Writer | undefined;
  /** Resolves when the processes of a call have ended; `undefined`: none runs. */
  readonly running: (callId: string) => Promise<unknown> | undefined;
}

export class ConcurrentRuns {
  private readonly editors: ConcurrentWrites | undefined;
  private readonly processes = new Set<RunningProcess>();
  private readonly runs = new Set<Run>();
  private readonly listeners = new Map<SessionAtWork, (path: string) => Promise<void>>();
  private readonly writing = new Map<string, SessionAtWork>();
  private readonly written = new Emitter<{
    readonly session: SessionAtWork;
    readonly write: ConcurrentWrite;
  }>();

  /** @param editors absent: the user's writes are not observed */
  constructor(processes?: Pick<Processes, 'onDidStart'>, editors?: ConcurrentWrites) {
    this.editors = editors;
    processes?.onDidStart(running => {
      this.processes.add(running);
      void running.exit.then(() => this.processes.delete(running));
    });
  }

  /** Returns the view of one session, without reports about itself. */
  beside(name: () => string = () => ''): ConcurrentRunsView {
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
  ): ConcurrencyWatch {
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
