import { describe, expect, it } from 'vitest';
import { maskEvent } from '../../../src/extension/core/recording/maskEvent.ts';
import { parseJournalLine } from '../../../src/extension/core/recording/parseEvent.ts';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { eventOf } from '../../../src/protocol/fold/agents.ts';
import { newestChapter } from '../../../src/protocol/state.ts';
import { report, say, send } from '../../support/castModel.ts';
import { callOf, castWorld } from '../../support/castWorld.ts';
import { secrets } from '../../support/secrets.ts';

/** What a journal of an earlier version has of an event of a subagent. */
function lineOf(event: unknown): string {
  return JSON.stringify({ type: 'agent.event', callId: 'a', agent: 'generalist', event, seq: 1, at: 1 });
}

describe('the journal of what agents do', () => {
  it('is a file of its own, while the journal of the session has the call and the report', async () => {
    const lived = castWorld({ go: [send(['generalist', 'Look']), say('.')], Look: [report('Found.')] });
    await lived.session.send('go');
    const { store, session } = lived;
    const { id: callId } = callOf(lived);
    const types = (lines: readonly string[]) => lines.map(line => JSON.parse(line).type as string);
    const own = store.agentJournals.get(session.id)!.get(callId)!;
    expect(types(own).at(0)).toBe('session.started');
    expect(types(own).at(-1)).toBe('turn.ended');
    expect(own.join()).toContain('complete_task');
    const ofSession = store.journals.get(session.id)!;
    expect(ofSession.join()).not.toContain('complete_task');
    const ended = ofSession.map(line => JSON.parse(line)).find(({ type }) => type === 'call.ended');
    expect(ended).toMatchObject({ callId, display: { detail: { kind: 'report' } } });
  });

  it('continues with the numbers of the session, so that one order holds for both', async () => {
    const lived = castWorld({ go: [send(['generalist', 'Look']), say('.')], Look: [report('Found.')] });
    await lived.session.send('go');
    const numbers = lived.reported.map(reported => eventOf(reported).seq);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it('has lost nothing and hides nothing where it was broken in the middle of a line', async () => {
    const lived = castWorld({ go: [send(['generalist', 'Look']), say('.')], Look: [report('Found.')] });
    await lived.session.send('go');
    const lines = lived.store.agentJournals.get(lived.session.id)!.get(callOf(lived).id)!;
    lines[2] = lines[2]!.slice(0, 20);
    const again = await lived.agent.openSession(lived.session.id);
    const { agent, status } = callOf({ ...lived, session: again });
    expect(status).toMatchObject({ outcome: 'ok' });
    expect(agent!.session.activity).toEqual({ status: 'resting' });
    const notices = JSON.stringify(again.state.chapters);
    expect(notices).toContain('1 line of this session could not be read');
  });

  it('is copied with its session, also while that continues', async () => {
    const scan = send(['generalist', 'Look']);
    const lived = castWorld({
      go: [scan, say('.'), scan, say('.')],
      Look: [report('Found.'), report('Again.')],
    });
    await lived.session.send('go');
    const copyId = await lived.agent.catalog.copy(lived.session.id, 'As it was');
    const { session: work } = callOf(lived).agent!;
    await lived.session.send('and again');
    const copy = await lived.agent.openSession(copyId);
    const { agent } = callOf({ ...lived, session: copy });
    expect(agent!.session.usage).toEqual(work.usage);
    expect(newestChapter(agent!.session).items.length).toBe(newestChapter(work).items.length);
    expect(copy.state.title).toBe('As it was');
  });

  it('masks arguments and results', () => {
    const { text: secret } = secrets['a Google API key']!;
    const event: SessionEvent = {
      type: 'call.requested',
      callId: 'n',
      stepId: 's',
      tool: 'write_file',
      effect: 'edit',
      title: 'Write',
      args: { content: `KEY=${secret}`, password: 'hunter2' },
      seq: 1,
      at: 1,
    };
    const masked = maskEvent(event);
    expect(JSON.stringify(masked)).not.toContain(secret);
    expect(JSON.stringify(masked)).not.toContain('hunter2');
    expect(masked).toMatchObject({ tool: 'write_file', callId: 'n' });
  });

  it('masks what a report holds, under whatever name it stands there', () => {
    const { text: secret } = secrets['a Google API key']!;
    const report = { path: secret, password: 'hunter2', parts: [{ data: secret }] };
    const masked = maskEvent({
      type: 'call.ended',
      callId: 'a',
      outcome: 'ok',
      durationMs: 1,
      seq: 1,
      at: 1,
      display: { summary: 'Done', detail: { kind: 'report', report } },
    });
    expect(JSON.stringify(masked)).not.toContain(secret);
    expect(JSON.stringify(masked)).not.toContain('hunter2');
    expect(masked).toMatchObject({ display: { detail: { report: { parts: [{}] } } } });
  });

  it.each([
    ['nothing', undefined],
    ['a word', 'text.appended'],
    ['no type', { stepId: 's' }],
    ['half a step', { type: 'text.appended', stepId: 's' }],
    ['a message of nobody', { type: 'message.added', message: { role: 'system', parts: [] } }],
  ])('leaves out a line of an earlier version whose event is %s', (_name, event) => {
    expect(parseJournalLine(lineOf(event))).toBeUndefined();
  });
});
