/*
 * Journals as they were written while the work of a subagent stood in the journal of its session, each event as an
 * `agent.event`. The user sees in them what they saw then: the files beside them say what that is.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { sessionMarkdown } from '../../../src/extension/core/export/sessionMarkdown.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import type { Item, SessionState } from '../../../src/protocol/state.ts';
import { say } from '../../support/castModel.ts';
import { historyFaults } from '../../support/checkHistory.ts';
import { makeWorld } from '../../support/conversation.ts';

const folder = join(import.meta.dirname, '../../fixtures/agentJournals');
const names = readdirSync(folder).filter(name => name.endsWith('.jsonl'));

/** A line for each item and for each count; the work of an agent stands below its call. */
function shown(state: SessionState): readonly string[] {
  const { activity, usage, cost, compressions, compression, contextTokens } = state;
  const counts = { activity, usage, cost, contextTokens, compressions: compressions.length, compression };
  const chapters = state.chapters.flatMap(({ items, ...chapter }) => [
    line(chapter),
    ...[...iterate(items)].flatMap(item => below(shownItem(item))),
  ]);
  return [line(counts), ...chapters];
}

function shownItem(item: Item): readonly string[] {
  if (item.type !== 'call' || !item.agent) return [line(item)];
  const { agent, ...call } = item;
  return [line(call), ...below([agent.name, ...shown(agent.session)])];
}

function line(value: object): string {
  return JSON.stringify(value);
}

function below(lines: readonly string[]): readonly string[] {
  return lines.map(each => `  ${each}`);
}

describe('a journal of an earlier version with the work of agents in it', () => {
  it.each(names)('shows and exports what it did: %s', async name => {
    const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
    const next = makeWorld({ answers: [say('ok')], agents: builtInAgents });
    next.store.journals.set('earlier', lines);
    const session = await next.agent.openSession('earlier');
    const text = [...shown(session.state), '', sessionMarkdown(session.state), ''].join('\n');
    await expect(text).toMatchFileSnapshot(join(folder, `${basename(name, '.jsonl')}.shown.txt`));
    await session.send('and now?');
    expect(historyFaults(next.model.requests[0]!.messages)).toEqual([]);
  });
});
