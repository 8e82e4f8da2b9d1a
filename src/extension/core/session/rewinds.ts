/* Going back to before a prompt or a chapter of a session, and taking that back. */

import type { RestoredFile, ReviewedFile, RewindPoint, RewindScope } from '../../../protocol/changes.ts';
import type { SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Changes } from '../changes/changes.ts';
import type { History } from '../history/history.ts';
import { Places } from './places.ts';

export interface RewindSurroundings {
  readonly changes: Changes;
  readonly history: History;
  readonly clock: Clock;
  readonly state: () => SessionState;
  readonly emit: (event: SessionEventBody) => void;
}

/** The newest rewind, for taking it back. */
interface Undoable {
  /** Its writes to files lie between these two events. */
  readonly from: number;
  readonly to: number;
  readonly reviews: readonly ReviewedFile[];
}

export class Rewinds {
  private readonly around: RewindSurroundings;
  /** Where prompts, chapters and steps lie in the history. */
  readonly places = new Places();
  private newest: Undoable | undefined;

  constructor(around: RewindSurroundings) {
    this.around = around;
  }

  /** Hears every event before the history does. */
  fold(event: SessionEvent): void {
    this.places.fold(event, this.around.history.whole.length);
    if (event.type === 'session.rewound') {
      this.newest = { from: event.filesFrom, to: event.seq, reviews: event.reviews };
    }
  }

  /** What going back would do to files. Writes nothing. */
  preview(to: RewindPoint): Promise<readonly RestoredFile[]> {
    const place = this.places.find(to);
    return place ? this.around.changes.plan(place.seq) : Promise.resolve([]);
  }

  /** Throws when there is no such place. */
  async rewind(to: RewindPoint, scope: RewindScope): Promise<readonly RestoredFile[]> {
    const { changes, history, clock, emit } = this.around;
    const place = this.places.find(to);
    if (!place) throw new Error('There is no such place in this session to go back to.');
    await changes.ledger.flush();
    const { seq: filesFrom, reviews, todos, plan } = this.around.state();
    const { seq: from } = place;
    const files = scope === 'conversation' ? [] : await changes.restore({ from, reviews: place.reviews });
    const kept =
      scope === 'files'
        ? { keptMessages: history.whole.length, todos, plan }
        : { keptMessages: place.messages, todos: place.todos, plan: place.plan };
    emit({ type: 'session.rewound', rewindId: clock.newId(), to, scope, filesFrom, ...kept, reviews, files });
    return files;
  }

  /** Takes the newest rewind back. Throws when there is none, or a turn has begun since. */
  async undo(): Promise<readonly RestoredFile[]> {
    const { changes, state, emit } = this.around;
    const { rewound } = state();
    if (!rewound || !this.newest) throw new Error('There is no rewind to undo.');
    await changes.ledger.flush();
    const files = await changes.restore(this.newest);
    emit({ type: 'rewind.undone', rewindId: rewound.rewindId, files });
    return files;
  }
}
