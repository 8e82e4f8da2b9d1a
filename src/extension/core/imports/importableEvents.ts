/*
 * Selects events of an imported session that may enter a journal: text and actions, for display only. Unlisted events
 * are dropped.
 */

import type { Message, Part, SessionEventBody } from '../../../protocol/events.ts';
import { type EmittedEvent, isAgentEvent } from '../../../protocol/fold/agents.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { cutMiddle, headOf, sanitiseLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';

const titleLimit = 200;
/** Characters of one call's arguments and result that the model reads. */
const argsLimit = 2_000;
const resultLimit = 16_000;

export function importableEvents(events: readonly EmittedEvent[]): readonly EmittedEvent[] {
  const own = new CallTexts();
  const agents = new Map<string, CallTexts>();
  return events.flatMap((reported): EmittedEvent[] => {
    if (!isAgentEvent(reported)) {
      const body = keepEvent(reported, own);
      return body ? [{ ...body, seq: reported.seq, at: reported.at }] : [];
    }
    const { callId, agent, event } = reported;
    const texts = agents.get(callId) ?? new CallTexts();
    agents.set(callId, texts);
    // The work of a subagent begins with it, too.
    const body =
      event.type === 'session.started'
        ? ({ ...event, folders: [], mode: 'default' } as const)
        : keepEvent(event, texts);
    const { seq, at } = event;
    return body ? [{ callId, agent: sanitiseLine(agent, titleLimit), event: { ...body, seq, at } }] : [];
  });
}

function keepEvent(event: SessionEventBody & { readonly seq: number }, texts: CallTexts) {
  return keepTurn(event) ?? keepStep(event) ?? keepCall(event) ?? keepRest(event, texts);
}

function keepTurn(event: SessionEventBody): SessionEventBody | undefined {
  switch (event.type) {
    case 'turn.started': {
      const { type, turnId, text, attachments } = event;
      // Paths of another machine do not exist here, or mean something else.
      return { type, turnId, text, attachments: attachments.filter(({ kind }) => kind === 'image') };
    }
    case 'turn.retried':
      return { type: event.type, turnId: event.turnId };
    case 'turn.ended':
      return event;
    case 'chapter.started': {
      const { type, chapterId, title, previousSummary } = event;
      return { type, chapterId, title: sanitiseLine(title, titleLimit), previousSummary };
    }
    case 'chapter.renamed':
      return { ...event, title: sanitiseLine(event.title, titleLimit) };
    case 'pin.changed':
    case 'todos.changed':
      return event;
    default:
      return undefined;
  }
}

/** Omits tokens and cost, which were spent elsewhere. */
function keepStep(event: SessionEventBody): SessionEventBody | undefined {
  switch (event.type) {
    case 'step.started':
    case 'step.retried':
    case 'text.appended':
    case 'thought.appended':
      return event;
    case 'step.ended': {
      const { type, stepId, finish, citations } = event;
      return { type, stepId, finish, citations };
    }
    default:
      return undefined;
  }
}

function keepCall(event: SessionEventBody): SessionEventBody | undefined {
  switch (event.type) {
    case 'call.requested': {
      const { type, callId, stepId, tool, effect, title, args } = event;
      return {
        type,
        callId,
        stepId,
        tool,
        effect,
        args,
        title: escapeInvisibleText(headOf(title, titleLimit)),
      };
    }
    case 'call.started':
      return { type: event.type, callId: event.callId };
    case 'call.ended': {
      const { type, callId, outcome, display, durationMs } = event;
      return { type, callId, outcome, durationMs, display: withoutPlaces(display) };
    }
    default:
      return undefined;
  }
}

/** Omits paths of saved outputs, which are on the other machine. */
function withoutPlaces(display: SessionEventBody<'call.ended'>['display']) {
  const { summary, touched, tests, detail } = display;
  const kept =
    detail?.kind === 'text' || detail?.kind === 'command' ? { ...detail, outputPath: undefined } : detail;
  return { summary: escapeInvisibleText(headOf(summary, titleLimit)), touched, tests, detail: kept };
}

function keepRest(
  event: SessionEventBody & { readonly seq: number },
  texts: CallTexts,
): SessionEventBody | undefined {
  switch (event.type) {
    case 'message.added':
      return { type: event.type, message: texts.asText(event.message) };
    case 'notice.shown':
      return { ...event, text: escapeInvisibleText(event.text) };
    case 'session.rewound': {
      const { rewindId, to, scope, keptMessages, todos } = event;
      if (scope === 'files' || to.kind === 'call') return undefined;
      const gone = { filesFrom: event.seq, files: [], reviews: [] };
      return { type: event.type, rewindId, to, scope: 'conversation', keptMessages, todos, ...gone };
    }
    case 'rewind.undone':
      return { type: event.type, rewindId: event.rewindId, files: [] };
    default:
      return undefined;
  }
}

type CallPart = Extract<Part, { kind: 'call' }>;

/** Converts calls and results to text, since their tools or model may not exist here. */
class CallTexts {
  private readonly calls = new Map<string, CallPart>();

  asText({ role, parts, meanwhile }: Message): Message {
    const said = parts.flatMap(part => this.partAsText(part));
    const nothing = role === 'model' ? '[Worked with tools.]' : '[Nothing was said here.]';
    return { role, parts: said.length > 0 ? said : [{ kind: 'text', text: nothing }], meanwhile };
  }

  private partAsText(part: Part): readonly Part[] {
    switch (part.kind) {
      case 'text':
        return [{ kind: 'text', text: part.text }];
      case 'blob':
        return [part];
      case 'thought':
        return [];
      case 'call':
        this.calls.set(part.id, part);
        return [];
      case 'result': {
        const call = this.calls.get(part.id);
        const blobs = (part.blobs ?? []).map(blob => ({ kind: 'blob', blob }) as const);
        const { name, ok, text } = part;
        return [{ kind: 'text', text: describeCall({ name, args: call?.args ?? {}, ok, text }) }, ...blobs];
      }
    }
  }
}

interface DescribedCall {
  readonly name: string;
  readonly args: unknown;
  readonly ok: boolean;
  readonly text: string;
}

/** Formats a call with its result as data for the model. */
export function describeCall({ name, args, ok, text }: DescribedCall): string {
  const given = cutMiddle(JSON.stringify(args) ?? '', argsLimit);
  const result = cutMiddle(text, resultLimit);
  return wrapUntrusted(
    'untrusted_content',
    `Earlier call of ${sanitiseLine(name, 80)}: ${given}\n${ok ? 'Result' : 'Failure'}:\n${result}`,
  );
}
