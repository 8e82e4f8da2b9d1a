/*
 * The events of journals, a piece of a journal at a time: neither the file nor its lines ever stand in memory as a
 * whole beside what is made of them.
 */

import type { SessionEvent } from '../../../protocol/events.ts';
import { type EmittedEvent, isOfAgent } from '../../../protocol/fold/agents.ts';
import type { JournalChunk, SessionStore } from '../../platform/storage.ts';
import { parseEvent, parseLine } from './parseEvent.ts';

/** An entry for each line of a journal, in order; `undefined`: it is no event. */
export type ReadJournal = readonly (EmittedEvent | undefined)[];

/** The session's journal, and those of the subagents that it sent out. Rejects when there is no such session. */
export async function readJournals(
  store: Pick<SessionStore, 'scanJournal' | 'scanAgentJournal'>,
  sessionId: string,
): Promise<readonly ReadJournal[]> {
  const own: (EmittedEvent | undefined)[] = [];
  const media = new Map<string, string>();
  for await (const line of linesOf(store.scanJournal(sessionId, 0))) {
    const reported = parseLine(line);
    own.push(reported && !isOfAgent(reported) ? withSharedMedia(reported, media) : reported);
  }
  const journals: ReadJournal[] = [own];
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

/** The lines of the same journals. */
export interface JournalLines {
  readonly own: readonly string[];
  /** By the call that sent the subagent out. */
  readonly agents: ReadonlyMap<string, readonly string[]>;
}

/** Reads the journals of a session and of its agents. Rejects when there is no such session. */
export async function readJournalLines(
  store: Pick<SessionStore, 'readJournal' | 'scanAgentJournal'>,
  sessionId: string,
): Promise<JournalLines> {
  const own = await store.readJournal(sessionId);
  const agents = new Map<string, readonly string[]>();
  for (const callId of agentsIn(own.map(parseLine)).keys()) {
    const lines: string[] = [];
    for await (const line of linesOf(store.scanAgentJournal(sessionId, callId))) lines.push(line);
    if (lines.length > 0) agents.set(callId, lines);
  }
  return { own, agents };
}

/** Calls that send somebody out, with the name of whom. */
function agentsIn(journal: ReadJournal): ReadonlyMap<string, string> {
  const sent = new Map<string, string>();
  for (const reported of journal) {
    if (!reported || isOfAgent(reported) || reported.type !== 'call.requested') continue;
    const { agent_name: name } = reported.args;
    if (reported.tool === 'invoke_agent' && typeof name === 'string') sent.set(reported.callId, name.trim());
  }
  return sent;
}

async function* linesOf(pieces: AsyncIterable<JournalChunk>): AsyncGenerator<string> {
  // An empty line lacks nothing.
  for await (const { lines } of pieces) yield* lines.filter(line => /\S/.test(line));
}

/** A picture stands in its prompt and in the message that the model gets: once is enough in memory. */
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
