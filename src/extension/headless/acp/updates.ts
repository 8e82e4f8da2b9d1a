/* Tells the client of the events of a session. */

import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { SessionEvent } from '../../../protocol/events.ts';
import type { AgentEvent } from '../../../protocol/fold/agents.ts';
import { newestOutput } from '../../../protocol/fold/liveOutput.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { Citation } from '../../../protocol/values.ts';
import { type CallView, describeEnd, describeStart, fencedContent } from './callUpdates.ts';
import { planOf } from './plan.ts';

export interface SessionView extends CallView {
  readonly state: () => SessionState;
  /** Tokens that fit into a request of a model. */
  readonly contextLimit: (model: string) => number;
  /** The client shows sentences and compressions automatically. */
  readonly shows: { readonly notices: boolean; readonly compactions: boolean };
}

/** Between two updates of a command's output, milliseconds: each replaces the one before as a whole. */
const outputPauseMs = 200;

export class Updates {
  private readonly view: SessionView;
  /** The step whose answer the client has seen a part of. */
  private begun: string | undefined;
  /** The newest output of running calls, and when it was told. */
  private readonly outputs = new Map<string, { readonly text: string; readonly reportedAt: number }>();

  constructor(view: SessionView) {
    this.view = view;
  }

  /** @param event that the state has folded already */
  of(event: SessionEvent): readonly SessionUpdate[] {
    return this.describe(event);
  }

  /** The calls of a subagent are shown; its words are in its report. */
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
        return [{ sessionUpdate: 'tool_call', ...describeStart(event, view, parent) }];
      case 'call.started':
        return [{ sessionUpdate: 'tool_call_update', toolCallId: event.callId, status: 'in_progress' }];
      case 'call.output':
        return this.ofOutput(event.callId, event.text, event.at);
      case 'call.ended':
        this.outputs.delete(event.callId);
        return [{ sessionUpdate: 'tool_call_update', ...describeEnd(event, view) }];
      case 'todos.changed':
      case 'chapter.started':
      case 'chapter.renamed':
        return [{ sessionUpdate: 'plan', ...planOf(view.state()) }];
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

  /** A part that was told cannot be undone, so it is said that the answer starts again. */
  private ofRetry(stepId: string, reason: string): readonly SessionUpdate[] {
    if (this.begun !== stepId) return [this.notice('info', `${reason} Trying again.`)];
    this.begun = undefined;
    return [messageChunk(`\n\n[${reason} The answer starts again.]\n\n`, stepId)];
  }

  private ofOutput(callId: string, text: string, at: number): readonly SessionUpdate[] {
    // A terminal of the client shows it automatically.
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

  /**
   * A client that shows no sentences automatically shows them among the thoughts, where they are no part of answers.
   */
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
