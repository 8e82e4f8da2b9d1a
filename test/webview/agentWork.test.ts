import { expect, test } from 'vitest';
import { iterate } from '../../src/protocol/pagedList.ts';
import type { PanelAgent, PanelCall } from '../../src/protocol/panel/panelState.ts';
import { newestChapter } from '../../src/protocol/state.ts';
import {
  agentFacts,
  callsThatAsk,
  endInterruptedCall,
  newestRows,
  taskOf,
} from '../../src/webview/agents/agentWork.ts';
import { iterateCalls } from '../../src/webview/panel/iterateCalls.ts';
import { rowsOf } from '../../src/webview/transcript/rows/rows.ts';
import { agentAsks, agentsEnded, agentsWork } from '../panel/agentScenes.ts';
import { fold, shownState } from '../panel/journal.ts';

function agentCall(events: typeof agentsWork, id: string): PanelCall & { agent: PanelAgent } {
  for (const item of iterate(newestChapter(shownState(fold(events))).items))
    if (item.type === 'call' && item.id === id && item.agent) return { ...item, agent: item.agent };
  throw new Error(`No agent was sent out by ${id}.`);
}

test('an agent is told from its adjacent entries by the first line of its task', () => {
  const call = agentCall(agentsWork, 'i1');
  expect(taskOf(call)).toBe('Find out where the total of an invoice is rounded.');
  expect(taskOf({ ...call, args: { script: 'return 1;\nreturn 2;' } })).toBe('return 1;');
  expect(taskOf({ ...call, args: { prompt: ' \n' } })).toBe('Agent codebase_investigator');
});

test('its facts count also after its turn has ended', () => {
  const running = agentCall(agentsWork, 'i1');
  const since = running.status.kind === 'running' ? running.status.startedAt : 0;
  expect(agentFacts(running, since + 5_000)).toEqual(['2 steps', '19k tokens', '$0.02', '5 s']);
  expect(agentFacts(agentCall(agentsEnded, 'i1'), 0)).toEqual([
    '3 steps',
    '28k tokens',
    '$0.04',
    '1 min 4 s',
  ]);
});

test('at a glance are its three newest rows, and what it asks apart from them', () => {
  expect(newestRows(agentCall(agentsWork, 'i1').agent)).toHaveLength(3);
  const { agent } = agentCall(agentAsks, 'i2');
  expect(newestRows(agent).map(row => row.kind === 'item' && row.item.id)).toEqual(['i2r1']);
  expect(callsThatAsk(agent).map(({ id }) => id)).toEqual(['i2run']);
});

test('calls of an agent are found with its name', () => {
  const calls = [...iterateCalls(newestChapter(shownState(fold(agentAsks))).items)];
  expect(calls.find(({ call }) => call.id === 'i2run')?.agent).toBe('generalist');
  expect(calls.find(({ call }) => call.id === 'i2')?.agent).toBeUndefined();
});

test('what an agent that is gone left open has ended, and what had ended stays as it was', () => {
  const items = [...iterate(newestChapter(agentCall(agentAsks, 'i2').agent.session).items)];
  const after = items.map(endInterruptedCall);
  expect(after.every(item => item.type !== 'call' || item.status.kind === 'ended')).toBe(true);
  const read = items.find(item => item.type === 'call' && item.id === 'i2r1');
  expect(after).toContain(read);
});

test('an agent that only reads is no reader among others', () => {
  const rows = rowsOf([...iterate(newestChapter(shownState(fold(agentsEnded))).items)]);
  expect(rows.filter(({ kind }) => kind === 'readers')).toEqual([]);
});
