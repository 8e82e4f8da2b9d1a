/* Converts a session's events to audit log entries: prompts, decisions, permissions and calls. */

import type { Ask, AskSubject } from '../../../protocol/asks.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import type { AlwaysChoice } from '../../../protocol/permissions.ts';
import { cutMiddle } from '../../base/text.ts';

type Members = Readonly<Record<string, unknown>>;

/** Maximum characters of one text. */
const maxText = 4_000;

/** Entries of one session or subagent. The ask before a decision provides the names of permissions. */
export class AuditEntries {
  private readonly offers = new Map<string, readonly AlwaysChoice[]>();

  /** @param event with known secrets masked */
  entryOf(event: SessionEvent): Members | undefined {
    switch (event.type) {
      case 'session.started':
        return { folders: event.folders, model: event.model, mode: event.mode };
      case 'session.resumed':
        return {};
      case 'session.moved':
        return { folders: event.folders };
      case 'mode.changed':
        return { mode: event.mode };
      case 'model.changed':
        return { model: event.model };
      case 'turn.started':
        return { turn: event.turnId };
      case 'turn.ended':
        return { turn: event.turnId, end: event.end.kind };
      case 'call.requested':
        return { call: event.callId, tool: event.tool, effect: event.effect, ...actionOf(event) };
      case 'call.judged':
        return { call: event.callId, model: event.judged.model, answer: event.judged.answer };
      case 'call.asked':
        this.offers.set(event.callId, event.ask.always);
        return { call: event.callId, ...describeAsk(event.ask) };
      case 'call.decided': {
        const offer = this.offers.get(event.callId)?.find(({ id }) => id === event.choice);
        const grant = offer && { scope: offer.scope, what: offer.label };
        return { call: event.callId, decision: event.decision, reason: event.reason, grant };
      }
      case 'call.started':
        return { call: event.callId };
      case 'call.ended': {
        this.offers.delete(event.callId);
        const { detail } = event.display;
        const exitCode = detail?.kind === 'command' ? detail.exitCode : undefined;
        return { call: event.callId, outcome: event.outcome, exitCode };
      }
      case 'plan.decided':
        return { path: event.path, approved: event.approved };
      case 'file.written':
        return { path: event.path, by: event.by, after: event.after };
      default:
        return undefined;
    }
  }
}

/** The whole command, or the title of any other call. */
function actionOf({ title, args }: SessionEvent<'call.requested'>): Members {
  const { command } = args;
  return typeof command === 'string' ? { title, command: cutMiddle(command, maxText) } : { title };
}

function describeAsk({ reason, rule, subject }: Ask): Members {
  return { reason, rule, subject: subject.kind, ...describeSubject(subject) };
}

function describeSubject(subject: AskSubject): Members {
  switch (subject.kind) {
    case 'edit':
      return { path: subject.diff.path };
    case 'command':
      return { command: cutMiddle(subject.command, maxText), cwd: subject.cwd, sandbox: subject.walls };
    case 'fetch':
      return { urls: subject.urls };
    case 'connect':
      return { hosts: subject.hosts };
    case 'read':
      return { paths: subject.paths };
    case 'mode':
      return { mode: subject.mode };
    case 'plan':
      return { path: subject.path };
    case 'questions':
      return { server: subject.from?.server };
    case 'other':
      return { detail: cutMiddle(subject.detail, maxText) };
  }
}
