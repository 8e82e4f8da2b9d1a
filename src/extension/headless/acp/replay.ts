/* Replays an earlier session for a client that loads it. */

import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import { iterate } from '../../../protocol/pagedList.ts';
import type { CallItem, Item, PromptItem, SessionState } from '../../../protocol/state.ts';
import { describeTurnEnd } from '../../../protocol/words/turnEnd.ts';
import { describeCallEnd, describeCallStart } from './callUpdates.ts';
import { toAcpPlan } from './plan.ts';
import { messageChunk, type SessionUpdateFacts, thoughtChunk } from './sessionUpdates.ts';

export function* replaySession(state: SessionState, view: SessionUpdateFacts): Generator<SessionUpdate> {
  yield { sessionUpdate: 'session_info_update', title: state.title };
  for (const { items } of state.chapters) {
    for (const item of iterate(items)) yield* updatesOf(item, view);
  }
  const plan = toAcpPlan(state);
  if (plan.entries.length > 0) yield { sessionUpdate: 'plan', ...plan };
}

function updatesOf(item: Item, view: SessionUpdateFacts): readonly SessionUpdate[] {
  switch (item.type) {
    case 'prompt':
      return promptBlocks(item).map(content => ({
        sessionUpdate: 'user_message_chunk',
        content,
        messageId: item.id,
      }));
    case 'text':
      return [messageChunk(item.text, item.stepId)];
    case 'thought':
      return [thoughtChunk(item.text, item.stepId)];
    case 'call':
      return callUpdates(item, view);
    case 'notice':
      return [thoughtChunk(`${item.text}\n`)];
    case 'end':
      return [messageChunk(`[${describeTurnEnd(item.end)}]\n`, item.id)];
    case 'compression':
    case 'hook':
      return [];
  }
}

function promptBlocks({ text, attachments }: PromptItem): readonly ContentBlock[] {
  const images = attachments.filter(attachment => attachment.kind === 'image');
  return [...images.map(({ blob }): ContentBlock => ({ type: 'image', ...blob })), { type: 'text', text }];
}

/** Replays a call as two updates, however many it had. */
function callUpdates(call: CallItem, view: SessionUpdateFacts): readonly SessionUpdate[] {
  const { id: callId, status } = call;
  const started = describeCallStart({ ...call, callId }, view);
  if (status.kind !== 'ended') return [{ sessionUpdate: 'tool_call', ...started }];
  const ended = describeCallEnd({ callId, ...status }, view);
  return [
    { sessionUpdate: 'tool_call', ...started },
    { sessionUpdate: 'tool_call_update', ...ended },
  ];
}
