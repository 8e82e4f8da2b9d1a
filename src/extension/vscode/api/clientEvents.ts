/* Events for other extensions: a selection, frozen and without secrets of known formats. */

import type { SessionEvent, TurnEnd } from '../../../protocol/events.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { MaskingBuffer } from '../../core/recording/maskingBuffer.ts';
import type { FolioEvent, FolioTurnEnd } from './folioApi.ts';

type Body = FolioEvent extends infer E
  ? E extends FolioEvent
    ? Omit<E, 'sessionId' | 'seq' | 'at'>
    : never
  : never;

/** Converts the events of one session for other extensions. Buffers an answer until its line is complete, since a secret may be split between chunks. */
export class ClientEvents {
  private readonly sessionId: string;
  private readonly held = new MaskingBuffer();

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /** Returns the events to emit now, in order. */
  addEvent(event: SessionEvent): readonly FolioEvent[] {
    const { sessionId } = this;
    return this.held.addEvent(event).flatMap(each => {
      const body = bodyOf(each);
      const { seq, at } = each;
      return body ? [freeze({ sessionId, seq, at, ...body } as FolioEvent)] : [];
    });
  }
}

/** Events of other types are not emitted. Texts are masked already. */
function bodyOf(event: SessionEvent): Body | undefined {
  switch (event.type) {
    case 'turn.started':
      return { type: event.type, turnId: event.turnId, text: event.text };
    case 'turn.ended':
      return { type: event.type, turnId: event.turnId, end: toFolioTurnEnd(event.end) };
    case 'chapter.started':
      return { type: event.type, chapterId: event.chapterId, title: event.title };
    case 'text.appended':
      return { type: event.type, stepId: event.stepId, text: event.text };
    case 'call.requested':
      return { type: event.type, callId: event.callId, tool: event.tool, title: event.title };
    case 'call.asked':
      return { type: event.type, callId: event.callId, reason: event.ask.reason };
    case 'call.ended': {
      const { callId, outcome, display } = event;
      return { type: event.type, callId, outcome, summary: display.summary };
    }
    case 'notice.shown':
      return { type: event.type, level: event.level, text: event.text };
    default:
      return undefined;
  }
}

export function toFolioTurnEnd(end: TurnEnd): FolioTurnEnd {
  switch (end.kind) {
    case 'rested':
    case 'stopped':
    case 'budget':
    case 'loop':
      return { kind: end.kind };
    case 'hook':
      return { kind: 'hook', message: maskSecrets(end.reason) };
    case 'failed':
      return { kind: 'failed', trouble: end.trouble.kind, message: maskSecrets(end.trouble.message) };
  }
}

function freeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member) freeze(member);
  return Object.freeze(value);
}
