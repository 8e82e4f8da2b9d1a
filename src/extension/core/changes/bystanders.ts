/*
 * The others that may write to the workspace while a command runs. Some are seen at work: the person's editors, and
 * the sessions of the same window. Of others it is known that they run: commands of other calls, and those in the
 * background. While one of these runs, nobody can say which of the two wrote a file.
 */

import { Emitter } from '../../base/emitter.ts';
import type { OtherWrite, OtherWriters } from '../../platform/otherWriters.ts';
import type { Processes, RunningProcess } from '../../platform/processes.ts';

/** A run of a command, or of another tool that may write anywhere. */
interface Run {
  isAlone: boolean;
}

export interface Bystander {
  /** Ends with whether nothing else ran meanwhile that may write, too. */
  begin(heard: (write: OtherWrite) => void): () => Promise<'alone' | 'besideOthers'>;
  /** This session has written. */
  readonly tell: (write: OtherWrite) => void;
}

export class Bystanders {
  private readonly editors: OtherWriters | undefined;
  private readonly background = new Set<RunningProcess>();
  private readonly runs = new Set<Run>();
  private readonly written = new Emitter<{ readonly session: object; readonly write: OtherWrite }>();

  /** @param editors absent: nobody sees the person's */
  constructor(processes?: Pick<Processes, 'onDidStart'>, editors?: OtherWriters) {
    this.editors = editors;
    processes?.onDidStart(running => {
      if (!running.spec.background) return;
      this.background.add(running);
      void running.exit.then(() => this.background.delete(running));
    });
  }

  /** The view of one session, which does not hear of itself. */
  beside(): Bystander {
    const session = {};
    return {
      begin: heard => this.begin(session, heard),
      tell: write => this.written.fire({ session, write }),
    };
  }

  private begin(own: object, heard: (write: OtherWrite) => void): () => Promise<'alone' | 'besideOthers'> {
    const run: Run = { isAlone: this.background.size === 0 && this.runs.size === 0 };
    for (const other of this.runs) other.isAlone = false;
    this.runs.add(run);
    const sessions = this.written.event(({ session, write }) => {
      if (session !== own) heard(write);
    });
    const endEditors = this.editors?.listen(heard);
    return async () => {
      await endEditors?.();
      sessions.dispose();
      this.runs.delete(run);
      return run.isAlone ? 'alone' : 'besideOthers';
    };
  }
}
