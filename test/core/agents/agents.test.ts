import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../../../src/extension/core/agents/agentDefinition.ts';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { ModelError } from '../../../src/extension/core/model.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { newestChapter } from '../../../src/protocol/state.ts';
import { ask, report, say, send } from '../../support/castModel.ts';
import { callOf, castWorld, resultOf } from '../../support/castWorld.ts';
import { callFaults } from '../../support/checkHistory.ts';
import type { World } from '../../support/conversation.ts';
import { all, inside, onEmitted } from '../../support/emitted.ts';
import { panelFacts } from '../prompt/facts.ts';

const generalist = builtInAgents.find(({ name }) => name === 'generalist')!;

function onAsk({ session }: World, decide: (callId: string) => void): void {
  onEmitted(session, reported => {
    if (reported.type === 'call.asked') setImmediate(() => decide(reported.callId));
  });
}

describe('an agent', () => {
  it('is told its task and nothing of what was said before', async () => {
    const lived = castWorld(
      {
        'a secret plan': [say('Noted.'), send(['generalist', 'Count to one']), say('Done.')],
        'Count to one': [report('1')],
      },
      { readPrompt: async () => facts => `system of ${facts.toolNames.join()}` },
    );
    await lived.session.send('a secret plan');
    await lived.session.send('go');
    const [request] = lived.cast.requestsOf('Count to one');
    expect(request!.messages).toEqual([{ role: 'user', parts: [{ kind: 'text', text: 'Count to one' }] }]);
    expect(request!.system).toBe('system of complete_task,read_file,write_file,run_shell_command');
  });

  it('has a system prompt of its own, with the rules that keep it safe', async () => {
    const lived = castWorld(
      { go: [send(['codebase_investigator', 'Look']), say('.')], Look: [say('.'), say('.')] },
      {
        readPrompt: async () => (_facts, write) => write?.(panelFacts) ?? 'the system prompt of the session',
      },
    );
    await lived.session.send('go');
    const { system, temperature, tools } = lived.cast.requestsOf('Look')[0]!;
    expect(system).toMatch(/^You are codebase_investigator, /);
    expect(system).toContain('# Safety');
    expect(temperature).toBe(0.1);
    expect(tools.map(({ name }) => name)).toEqual(['complete_task', 'read_file']);
  });

  it('works on its own model, where it names one', async () => {
    const kind: AgentDefinition = { ...generalist, name: 'small', model: 'small-model' };
    const lived = castWorld(
      { go: [send(['small', 'Look']), say('.')], Look: [report('ok')] },
      { agents: [kind] },
    );
    await lived.session.send('go');
    expect(lived.cast.requestsOf('Look')[0]!.model).toBe('small-model');
    expect(lived.cast.requestsOf('go')[1]!.model).toBe('scripted');
  });

  it('counts for the session, its chapter, its prompt and the budgets, but not for the context', async () => {
    const lived = castWorld(
      {
        go: [send(['generalist', 'Work']), say('Never said.')],
        Work: [ask(['read_file', { file_path: 'a.txt' }]), report('ok')],
      },
      {
        files: { 'a.txt': 'alpha' },
        costOf: () => 0.01,
        budgets: [{ kind: 'money', scope: 'turn', limit: 0.03 }],
      },
    );
    expect(await lived.session.send('go')).toMatchObject({ kind: 'budget', budget: { kind: 'money' } });
    const { state } = lived.session;
    expect(state.cost).toBeCloseTo(0.03);
    expect(newestChapter(state).cost).toBeCloseTo(0.03);
    expect(state.contextTokens).toBe(110);
    const prompt = [...iterate(newestChapter(state).items)].find(item => item.type === 'prompt');
    expect(prompt).toMatchObject({ spent: { steps: 1, usage: { output: 30 } } });
    expect(callOf(lived).agent!.session.cost).toBeCloseTo(0.02);
  });

  it("has spent what is the session's also after a resume", async () => {
    const lived = castWorld(
      {
        go: [send(['generalist', 'Work']), say('Done.'), say('Never said.')],
        Work: [ask(['read_file', { file_path: 'a.txt' }]), report('ok')],
      },
      {
        files: { 'a.txt': 'alpha' },
        costOf: () => 0.01,
        budgets: [{ kind: 'money', scope: 'session', limit: 0.04 }],
      },
    );
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    await lived.session.dispose();
    const again = await lived.agent.openSession(lived.session.id);
    expect(await again.send('more')).toMatchObject({ kind: 'budget', budget: { scope: 'session' } });
    expect(lived.cast.requestsOf('go')).toHaveLength(2);
  });

  it('rests when the budget of the turn is used up, with what it has said', async () => {
    const lived = castWorld(
      {
        go: [send(['generalist', 'Work'])],
        Work: [
          {
            parts: [
              { kind: 'text', text: 'Half of it.' },
              ...(ask(['read_file', { file_path: 'x' }]) as { parts: [] }).parts,
            ],
          },
        ],
      },
      { costOf: () => 0.01, budgets: [{ kind: 'money', scope: 'turn', limit: 0.02 }] },
    );
    expect(await lived.session.send('go')).toMatchObject({ kind: 'budget' });
    const { status } = callOf(lived);
    expect(status).toMatchObject({ kind: 'ended', outcome: 'failed' });
    expect(lived.cast.requestsOf('Work')).toHaveLength(1);
    expect(JSON.stringify(lived.events.findLast(({ type }) => type === 'message.added'))).toContain(
      'Half of it.',
    );
  });

  it('works on in the last step that the turn has', async () => {
    const lived = castWorld({ go: [send(['generalist', 'Work'])], Work: [report('ok')] }, { maxSteps: 1 });
    expect(await lived.session.send('go')).toMatchObject({ kind: 'budget', budget: { kind: 'steps' } });
    expect(callOf(lived).status).toMatchObject({ kind: 'ended', outcome: 'ok' });
  });

  it('continues with the model that took over, when it and another one met the same problem', async () => {
    const error = new ModelError('quota', () => 'The quota is used up.', { retryable: false });
    const lived = castWorld(
      {
        go: [send(['generalist', 'One'], ['generalist', 'Two']), say('Done.')],
        One: [{ error }, report('1')],
        Two: [{ error }, report('2')],
      },
      { model: 'chosen', models: { strong: 'chosen', fast: 'other' } },
    );
    let asks = 0;
    lived.session.onEvent(({ type }) => {
      if (type !== 'model.asked') return;
      asks++;
      setImmediate(() => lived.session.decideFallback('switch'));
    });
    await lived.session.send('go');
    expect(asks).toBe(1);
    const asked = (name: string) => lived.cast.requestsOf(name).map(({ model }) => model);
    expect([asked('One'), asked('Two')]).toEqual([
      ['chosen', 'other'],
      ['chosen', 'other'],
    ]);
    expect(callFaults(lived.events)).toEqual([]);
  });

  it('has no more than its steps, and then one to hand in what it has', async () => {
    const kind: AgentDefinition = { ...generalist, maxTurns: 2 };
    const read = ask(['read_file', { file_path: 'a.txt' }]);
    const lived = castWorld(
      { go: [send(['generalist', 'Work']), say('.')], Work: [read, read, report('As far as I came.')] },
      { agents: [kind] },
    );
    await lived.session.send('go');
    expect(resultOf(lived)).toMatchObject({ ok: true, text: expect.stringContaining('As far as I came.') });
    const [, , last] = lived.cast.requestsOf('Work');
    expect(last!.tools.map(({ name }) => name)).toEqual(['complete_task']);
    expect(JSON.stringify(last!.messages.at(-1))).toContain('You have used up your steps');
    const steps = inside(lived.reported).flatMap(event =>
      event.type === 'step.started' ? event.number : [],
    );
    expect(steps).toEqual([1, 2, 3]);
  });

  it('cannot use other tools in its last step, and then fails with all it said', async () => {
    const lived = castWorld(
      {
        go: [send(['generalist', 'Work']), say('.')],
        Work: [say('First finding.'), ask(['write_file', { file_path: 'a', content: 'b' }])],
      },
      { mode: 'yolo' },
    );
    await lived.session.send('go');
    expect([...lived.files]).toEqual([]);
    expect(resultOf(lived)).toMatchObject({ ok: false, text: expect.stringContaining('First finding.') });
  });

  it('whose model fails says why, and the turn continues', async () => {
    const error = new ModelError('badRequest', () => 'The model does not like it.', { retryable: false });
    const lived = castWorld({ go: [send(['generalist', 'Work']), say('Then not.')], Work: [{ error }] });
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(resultOf(lived)).toMatchObject({ ok: false, text: expect.stringContaining('does not like it') });
  });

  it('whose request no longer fits is not sent', async () => {
    const lived = castWorld(
      {
        go: [send(['generalist', 'Work']), say('.')],
        Work: [ask(['read_file', { file_path: 'a.txt' }]), report('Never.')],
      },
      { files: { 'a.txt': 'word '.repeat(9_000) }, limitOf: () => 5_000, outputLimit: 100_000 },
    );
    await lived.session.send('go');
    expect(resultOf(lived)).toMatchObject({ ok: false, text: expect.stringContaining('It read too much') });
    expect(lived.cast.requestsOf('Work')).toHaveLength(1);
  });

  it('that does the same over and over is nudged, and then ended', async () => {
    const again = Array.from({ length: 20 }, () => ask(['read_file', { file_path: 'a.txt' }]));
    const lived = castWorld(
      { go: [send(['generalist', 'Work']), say('.')], Work: again },
      { loopDetection: true, files: { 'a.txt': 'alpha' } },
    );
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(inside(lived.reported).findLast(({ type }) => type === 'turn.ended')).toMatchObject({
      end: { kind: 'loop' },
    });
    expect(lived.cast.requestsOf('Work').length).toBeLessThan(20);
  });
});

describe('what holds for the session holds for its agents', () => {
  const writes = {
    go: [send(['generalist', 'Write']), say('.')],
    Write: [ask(['write_file', { file_path: 'a', content: 'b' }]), report('Tried.')],
  };

  function outcomeOf({ reported }: World): unknown {
    return inside(reported).find(event => event.type === 'call.ended');
  }

  it('plan mode', async () => {
    const lived = castWorld(writes, { mode: 'plan' });
    await lived.session.send('go');
    expect(outcomeOf(lived)).toMatchObject({ outcome: 'denied' });
    expect(lived.files.size).toBe(0);
  });

  it('an untrusted workspace, also in the mode that allows all', async () => {
    const lived = castWorld(writes, { mode: 'yolo', trusted: false });
    await lived.session.send('go');
    expect(outcomeOf(lived)).toMatchObject({ outcome: 'denied' });
    expect(lived.files.size).toBe(0);
  });

  it('nobody there to be asked', async () => {
    const lived = castWorld(writes, { interactive: false });
    await lived.session.send('go');
    expect(outcomeOf(lived)).toMatchObject({ outcome: 'denied' });
  });

  it('a lasting permission that the user gave to another agent meanwhile', async () => {
    const write = ask(['write_file', { file_path: 'a.txt', content: 'b' }]);
    const lived = castWorld({
      go: [send(['generalist', 'One'], ['generalist', 'Two']), say('.')],
      One: [write, report('1')],
      Two: [write, report('2')],
    });
    let asked = 0;
    onAsk(lived, callId => {
      asked++;
      lived.session.decide(callId, { kind: 'always', choice: 'session' });
    });
    await lived.session.send('go');
    expect(asked).toBe(1);
    expect(callFaults(inside(lived.reported))).toEqual([]);
  });
});

describe('agents side by side', () => {
  it('ask one at a time, and what one waits for keeps no other from reading', async () => {
    const write = (path: string) => ask(['write_file', { file_path: path, content: 'b' }]);
    const lived = castWorld(
      {
        go: [
          send(['generalist', 'One'], ['generalist', 'Two'], ['codebase_investigator', 'Three']),
          say('.'),
        ],
        One: [write('1.txt'), report('1')],
        Two: [write('2.txt'), report('2')],
        Three: [
          ask(['read_file', { file_path: 'a.txt' }]),
          ask(['complete_task', { SummaryOfFindings: 'x', ExplorationTrace: [], RelevantLocations: [] }]),
        ],
      },
      { files: { 'a.txt': 'alpha' } },
    );
    const open = new Set<string>();
    let most = 0;
    let readerIsBack = false;
    onEmitted(lived.session, (reported, of) => {
      if (reported.type === 'call.asked') most = Math.max(most, open.add(reported.callId).size);
      if (reported.type === 'call.decided') open.delete(reported.callId);
      // The reader's report comes while nothing was decided yet.
      if (!of && reported.type === 'call.ended' && reported.display.detail?.kind === 'report')
        readerIsBack ||= open.size === 1;
      if (readerIsBack)
        for (const callId of open) setImmediate(() => lived.session.decide(callId, { kind: 'once' }));
    });
    lived.session.onAgentEvent(() => {
      // While one waits, so does the session.
      if (open.size > 0) expect(lived.session.state.activity.status).toBe('waiting');
    });
    await lived.session.send('go');
    expect({ most, readerIsBack }).toEqual({ most: 1, readerIsBack: true });
    expect([...lived.files.keys()].sort()).toEqual(['1.txt', '2.txt', 'a.txt']);
  });

  it('write and run one at a time, and the second sees what the first wrote', async () => {
    const steps: string[] = [];
    const lived = castWorld(
      {
        go: [send(['generalist', 'One'], ['generalist', 'Two']), say('.')],
        One: [ask(['run_shell_command', { command: 'one' }]), report('1')],
        Two: [ask(['run_shell_command', { command: 'two' }]), report('2')],
      },
      { mode: 'yolo' },
    );
    lived.session.onAgentEvent(({ event: reported }) => {
      if (reported.type === 'call.requested' && reported.tool === 'run_shell_command') steps.push('begins');
      if (reported.type === 'call.ended' && reported.display.summary === 'Exit code 0') steps.push('ends');
    });
    await lived.session.send('go');
    expect(steps).toEqual(['begins', 'ends', 'begins', 'ends']);
  });

  it('never give two calls of a session the same id', async () => {
    const read = ask(['read_file', { file_path: 'a.txt' }]);
    const lived = castWorld(
      {
        go: [send(['generalist', 'One'], ['generalist', 'Two']), read, say('.')],
        One: [read, report('1')],
        Two: [read, report('2')],
      },
      { files: { 'a.txt': 'alpha' } },
    );
    await lived.session.send('go');
    const ids = all(lived.reported).flatMap(event => (event.type === 'call.requested' ? event.callId : []));
    expect(ids).toHaveLength(7);
    expect(new Set(ids).size).toBe(7);
  });
});
