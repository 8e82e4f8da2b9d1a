import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { SessionEvent } from '../../../protocol/events.ts';
import type { AgentEvent } from '../../../protocol/fold/agents.ts';
import { newestOutput } from '../../../protocol/fold/liveOutput.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { Citation } from '../../../protocol/values.ts';
import { type CallFacts, describeCallEnd, describeCallStart, fencedContent } from './callUpdates.ts';
import { toAcpPlan } from './plan.ts';

export interface SessionUpdateFacts extends CallFacts {
  readonly state: () => SessionState;
  /** Context size of a model in tokens. */
  readonly contextLimit: (model: string) => number;
  /** Features that the client displays itself. */
  readonly shows: { readonly notices: boolean; readonly compactions: boolean };
}

/** Minimum interval between output updates in milliseconds, because each update repeats the whole output. */
const outputPauseMs = 200;

export class SessionUpdates {
  private readonly view: SessionUpdateFacts;
  /** The step of which the client has seen a part. */
  private begun: string | undefined;
  /** Latest output of running calls, and when it was sent. */
  private readonly outputs = new Map<string, { readonly text: string; readonly reportedAt: number }>();

  constructor(view: SessionUpdateFacts) {
    this.view = view;
  }

  /** @param event already applied to the state */
  of(event: SessionEvent): readonly SessionUpdate[] {
    return this.describe(event);
  }

  /** Shows a subagent's calls. Its report contains its text. */
  ofAgent({ callId, event }: AgentEvent): readonly SessionUpdate[] {
    return event.type.startsWith('call.') ? this.describe(event, callId) : [];
  }

  private describe(event: SessionEvent, parent?: string): readonly SessionUpdate[] {
    const { view } = this;
    switch (event.type) {
      case 'text.appended':
        this.begun = event.stepId;
        return [messageChunk(event.text, event.stepId)];
      case 'thought.appended':
        return [thoughtChunk(event.text, event.stepId)];
      case 'step.retried':
        return this.ofRetry(event.stepId, event.reason);
      case 'step.ended':
        return [...sourcesOf(event.citations, event.stepId), this.usage()];
      case 'side.asked':
        return [this.usage()];
      case 'call.requested':
        return [{ sessionUpdate: 'tool_call', ...describeCallStart(event, view, parent) }];
      case 'call.started':
        return [{ sessionUpdate: 'tool_call_update', toolCallId: event.callId, status: 'in_progress' }];
      case 'call.output':
        return this.ofOutput(event.callId, event.text, event.at);
      case 'call.ended':
        this.outputs.delete(event.callId);
        return [{ sessionUpdate: 'tool_call_update', ...describeCallEnd(event, view) }];
      case 'todos.changed':
      case 'chapter.started':
      case 'chapter.renamed':
        return [{ sessionUpdate: 'plan', ...toAcpPlan(view.state()) }];
      case 'turn.started':
      case 'session.renamed':
        return [{ sessionUpdate: 'session_info_update', title: view.state().title }];
      case 'mode.changed':
        return [{ sessionUpdate: 'current_mode_update', currentModeId: event.mode }];
      case 'notice.shown':
        return [this.notice(event.level, event.text)];
      case 'mentions.read':
        return event.mentions
          .filter(({ outcome }) => outcome !== 'read')
          .map(({ text, detail }) => this.notice('warning', `${text}: ${detail}`));
      case 'compression.started':
        return this.ofCompression(event.compressionId, 'in_progress');
      case 'compression.applied':
        return this.ofCompression(event.compressionId, 'completed');
      case 'compression.ended':
        return this.ofCompression(event.compressionId, event.end.kind === 'failed' ? 'failed' : 'cancelled');
      default:
        return [];
    }
  }

  /** Text that was sent cannot be withdrawn, so this announces that the answer starts again. */
  private ofRetry(stepId: string, reason: string): readonly SessionUpdate[] {
    if (this.begun !== stepId) return [this.notice('info', `${reason} Trying again.`)];
    this.begun = undefined;
    return [messageChunk(`\n\n[${reason} The answer starts again.]\n\n`, stepId)];
  }

  private ofOutput(callId: string, text: string, at: number): readonly SessionUpdate[] {
    // The client's terminal already shows it.
    if (this.view.terminal(callId) !== undefined) return [];
    const before = this.outputs.get(callId);
    const newest = newestOutput((before?.text ?? '') + text);
    const isDue = at - (before?.reportedAt ?? 0) >= outputPauseMs;
    this.outputs.set(callId, { text: newest, reportedAt: isDue ? at : before!.reportedAt });
    if (!isDue) return [];
    return [{ sessionUpdate: 'tool_call_update', toolCallId: callId, content: [fencedContent(newest)] }];
  }

  private usage(): SessionUpdate {
    const { answering, model, contextTokens, cost } = this.view.state();
    const update = {
      sessionUpdate: 'usage_update',
      used: contextTokens,
      size: this.view.contextLimit(answering ?? model),
    } as const;
    return cost === undefined ? update : { ...update, cost: { amount: cost, currency: 'USD' } };
  }

  /** A client without notices shows them as thoughts, so that they do not become part of the answer. */
  notice(severity: 'info' | 'warning' | 'error', text: string): SessionUpdate {
    if (this.view.shows.notices) return { sessionUpdate: 'notice', severity, title: text };
    return thoughtChunk(`${text}\n`);
  }

  private ofCompression(
    compactionId: string,
    status: 'in_progress' | 'completed' | 'failed' | 'cancelled',
  ): readonly SessionUpdate[] {
    return this.view.shows.compactions ? [{ sessionUpdate: 'compaction_update', compactionId, status }] : [];
  }
}

export function messageChunk(text: string, messageId?: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId };
}

export function thoughtChunk(text: string, messageId?: string): SessionUpdate {
  return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text }, messageId };
}

function sourcesOf(citations: readonly Citation[], stepId: string): readonly SessionUpdate[] {
  if (citations.length === 0) return [];
  const lines = citations.map(({ uri, title }) => `- [${title ?? uri}](${uri})`);
  return [messageChunk(`\n\nSources:\n${lines.join('\n')}\n`, stepId)];
}
