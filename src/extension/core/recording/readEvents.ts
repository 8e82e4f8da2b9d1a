/* Reads journals chunk by chunk, so that neither a file nor all its lines are in memory at once. */

import type { SessionEvent } from '../../../protocol/events.ts';
import { type EmittedEvent, isAgentEvent } from '../../../protocol/fold/agents.ts';
import type { JournalChunk, SessionStore } from '../../platform/storage.ts';
import { parseEvent, parseJournalLine } from './parseEvent.ts';

/** One entry per line, in order; `undefined`: it is no event. */
export type ParsedJournal = readonly (EmittedEvent | undefined)[];

/** Reads the journals of a session and its subagents. Rejects if the session does not exist. */
export async function readJournals(
  store: Pick<SessionStore, 'scanJournal' | 'scanAgentJournal'>,
  sessionId: string,
): Promise<readonly ParsedJournal[]> {
  const own: (EmittedEvent | undefined)[] = [];
  const media = new Map<string, string>();
  for await (const line of linesOf(store.scanJournal(sessionId, 0))) {
    const reported = parseJournalLine(line);
    own.push(reported && !isAgentEvent(reported) ? withSharedMedia(reported, media) : reported);
  }
  const journals: ParsedJournal[] = [own];
  for (const [callId, agent] of agentsIn(own)) {
    const journal: (EmittedEvent | undefined)[] = [];
    for await (const line of linesOf(store.scanAgentJournal(sessionId, callId))) {
      const event = parseEvent(line);
      journal.push(event && { callId, agent, event });
    }
    if (journal.length > 0) journals.push(journal);
  }
  return journals;
}

/** Lines of the journals of a session and its subagents. */
export interface JournalLines {
  readonly own: readonly string[];
  /** By the call of the subagent. */
  readonly agents: ReadonlyMap<string, readonly string[]>;
}

/** Reads the journals of a session and its subagents. Rejects if the session does not exist. */
export async function readJournalLines(
  store: Pick<SessionStore, 'readJournal' | 'scanAgentJournal'>,
  sessionId: string,
): Promise<JournalLines> {
  const own = await store.readJournal(sessionId);
  const agents = new Map<string, readonly string[]>();
  for (const callId of agentsIn(own.map(parseJournalLine)).keys()) {
    const lines: string[] = [];
    for await (const line of linesOf(store.scanAgentJournal(sessionId, callId))) lines.push(line);
    if (lines.length > 0) agents.set(callId, lines);
  }
  return { own, agents };
}

/** Returns calls that started subagents, with the agents' names. */
function agentsIn(journal: ParsedJournal): ReadonlyMap<string, string> {
  const sent = new Map<string, string>();
  for (const reported of journal) {
    if (!reported || isAgentEvent(reported) || reported.type !== 'call.requested') continue;
    const { agent_name: name } = reported.args;
    if (reported.tool === 'invoke_agent' && typeof name === 'string') sent.set(reported.callId, name.trim());
  }
  return sent;
}

async function* linesOf(pieces: AsyncIterable<JournalChunk>): AsyncGenerator<string> {
  // Empty lines are not damage.
  for await (const { lines } of pieces) yield* lines.filter(line => /\S/.test(line));
}

/** Pictures occur in the prompt and in the message; this shares one copy in memory. */
function withSharedMedia(event: SessionEvent, media: Map<string, string>): SessionEvent {
  const share = (data: string) => {
    const known = media.get(data);
    if (known === undefined) media.set(data, data);
    return known ?? data;
  };
  if (event.type === 'turn.started' && event.attachments.some(({ kind }) => kind === 'image')) {
    const attachments = event.attachments.map(each =>
      each.kind === 'image' ? { ...each, blob: { ...each.blob, data: share(each.blob.data) } } : each,
    );
    return { ...event, attachments };
  }
  if (event.type !== 'message.added' || !event.message.parts.some(({ kind }) => kind === 'blob'))
    return event;
  const parts = event.message.parts.map(part =>
    part.kind === 'blob' ? { ...part, blob: { ...part.blob, data: share(part.blob.data) } } : part,
  );
  return { ...event, message: { ...event.message, parts } };
}
