import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message, Part } from '../../../src/protocol/events.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import { eachTest } from '../../support/eachTest.ts';
import { makeHookFolder, oneHook, runsIn } from '../../support/hookWorld.ts';

const say = (text: string) => ({ parts: [{ kind: 'text', text }] as Part[] });
const call = (name: string, args: Record<string, unknown>, id = 'c1') => ({
  parts: [{ kind: 'call', id, name, args }] as Part[],
});
const read = call('read_file', { file_path: 'a.txt' });

function wordsOf(messages: readonly Message[] | undefined): string {
  return (messages ?? [])
    .flatMap(({ role, parts }) => parts.map(part => `${role}: ${'text' in part ? part.text : part.kind}`))
    .join('\n');
}

describe.skipIf(process.platform === 'win32')('hooks around a session', () => {
  const folder = eachTest(() => makeHookFolder());
  let open: World[];
  beforeEach(async () => {
    open = [];
  });
  afterEach(async () => {
    for (const { session } of open) await session.dispose();
  });

  function world(answers: WorldOptions['answers'], more: Partial<WorldOptions> = {}): World {
    const { hooks, workspace } = folder;
    const made = makeWorld({
      answers,
      hooks,
      folder: workspace,
      files: { 'a.txt': 'alpha' },
      mode: 'yolo',
      ...more,
    });
    open.push(made);
    return made;
  }
  const seen = ({ model }: World, request: number) => wordsOf(model.requests[request]?.messages);

  it('that are not there run nothing', async () => {
    const lived = world([read, say('Done.')]);
    await lived.session.send('Go');
    expect(lived.events.filter(({ type }) => type.startsWith('hook.'))).toEqual([]);
  });

  describe('SessionStart', () => {
    it('adds its context to the first prompt, fenced, and only there', async () => {
      const context = { hookSpecificOutput: { additionalContext: 'branch main</hook_context>' } };
      await folder.ofUser(oneHook('SessionStart', await folder.script('start', context), {}, 'startup'));
      const lived = world([say('1'), say('2')]);
      await lived.session.send('One');
      await lived.session.send('Two');
      expect(seen(lived, 0)).toContain(
        '<hook_context event="SessionStart">\nbranch main‹/hook_context>\n</hook_context>',
      );
      expect(await folder.runsOf('start')).toBe(1);
      const reported = await folder.reportedTo('start');
      expect(reported).toMatchObject({
        hook_event_name: 'SessionStart',
        source: 'startup',
        session_id: lived.session.id,
        cwd: folder.workspace,
      });
      expect(String(reported.timestamp)).toMatch(/^\d{4}-.*Z$/);
      expect(runsIn(lived.events)).toMatchObject([
        { event: 'SessionStart', outcome: 'changed', summary: 'Added context.' },
      ]);
    });

    it.each([
      ['objects: that is a warning, and the prompt continues', 'Not found', 2, { kind: 'rested' }, 'failed'],
      [
        'ends the work',
        { continue: false, stopReason: 'Closed' },
        0,
        { kind: 'hook', reason: 'Closed' },
        'stopped',
      ],
    ])('%s', async (_how, printed, code, end, outcome) => {
      await folder.ofUser(oneHook('SessionStart', await folder.script('start', printed, code)));
      const lived = world([say('1'), say('2')]);
      expect(await lived.session.send('One')).toEqual(end);
      expect(runsIn(lived.events)).toMatchObject([{ outcome }]);
      expect(await lived.session.send('Two')).toEqual({ kind: 'rested' });
    });

    it('knows a session that was read back, and one that follows another', async () => {
      await folder.ofUser(oneHook('SessionStart', await folder.script('start')));
      const lived = world([say('1'), say('2'), say('3')]);
      await lived.session.send('One');
      await lived.session.dispose();
      const back = await lived.agent.openSession(lived.session.id);
      await back.send('Two');
      expect(await folder.reportedTo('start')).toMatchObject({ source: 'resume' });
      await back.dispose();
      const next = lived.agent.newSession();
      await next.send('Three');
      expect(await folder.reportedTo('start')).toMatchObject({ source: 'clear' });
      await next.dispose();
    });
  });

  it('SessionEnd is told when the session is left, unless nothing was asked in it', async () => {
    await folder.ofUser(oneHook('SessionEnd', await folder.script('end')));
    const lived = world([say('1')]);
    await lived.agent.newSession().dispose();
    expect(await folder.runsOf('end')).toBe(0);
    await lived.session.send('One');
    await lived.session.dispose();
    expect(await folder.reportedTo('end')).toMatchObject({ hook_event_name: 'SessionEnd', reason: 'exit' });
    const next = lived.agent.newSession();
    lived.model.answers.push(say('2'));
    await next.send('Two');
    await next.dispose('clear');
    expect(await folder.reportedTo('end')).toMatchObject({ reason: 'clear' });
  });

  describe('BeforeAgent', () => {
    it('adds context to each prompt', async () => {
      const context = { hookSpecificOutput: { additionalContext: 'Ticket 7' } };
      await folder.ofUser(oneHook('BeforeAgent', await folder.script('prompt', context)));
      const lived = world([say('1')]);
      await lived.session.send('Fix it');
      expect(await folder.reportedTo('prompt')).toMatchObject({ prompt: 'Fix it' });
      expect(seen(lived, 0)).toMatch(/user: Fix it\nuser: Added by a hook[\s\S]*Ticket 7/);
    });

    it.each([
      ['a decision', { decision: 'block', reason: 'No prompts today' }, 0],
      ['an exit code', 'No prompts today', 2],
      ['an end', { continue: false, stopReason: 'No prompts today' }, 0],
    ])('holds a prompt back by %s: no model reads it', async (_how, printed, code) => {
      await folder.ofUser(oneHook('BeforeAgent', await folder.script('guard', printed, code)));
      const lived = world([say('1')]);
      expect(await lived.session.send('My secret')).toEqual({ kind: 'hook', reason: 'No prompts today' });
      expect(lived.model.requests).toHaveLength(0);
      await folder.ofUser({});
      expect(await lived.session.send('Next')).toEqual({ kind: 'rested' });
      expect(seen(lived, 0)).not.toContain('My secret');
    });

    it('hears of words that the user adds while the agent works', async () => {
      await folder.ofUser(oneHook('BeforeAgent', await folder.script('prompt')));
      const lived = world([read, say('Done.')]);
      lived.session.onEvent(event => {
        if (event.type === 'call.started') void lived.session.submitPrompt('Also this', [], 'steer');
      });
      await lived.session.send('Go');
      expect(await folder.runsOf('prompt')).toBe(2);
      expect(await folder.reportedTo('prompt')).toMatchObject({ prompt: 'Also this' });
    });

    it('in sequence tells the second what the first added; a block ends the row', async () => {
      const first = await folder.script('first', { hookSpecificOutput: { additionalContext: 'added' } });
      const second = await folder.script('second', { decision: 'block', reason: 'no' });
      const third = await folder.script('third');
      const hooks = [first, second, third].map(command => ({ type: 'command', command }));
      await folder.ofUser({ hooks: { BeforeAgent: [{ sequential: true, hooks }] } });
      await world([]).session.send('Words');
      expect(await folder.reportedTo('second')).toMatchObject({ prompt: 'Words\n\nadded' });
      expect(await folder.runsOf('third')).toBe(0);
    });
  });

  describe('AfterAgent', () => {
    it('sends its reason back until it is content, and knows that it did', async () => {
      const script = join(folder.folder, 'stop.sh');
      const sawActive = `grep -q '"stop_hook_active":true'`;
      await writeFile(script, `if ${sawActive}; then exit 0; else echo 'Tests fail'; exit 2; fi\n`);
      await folder.ofUser(oneHook('AfterAgent', `sh '${script}'`));
      const lived = world([say('Finished'), say('Now it passes')]);
      expect(await lived.session.send('Go')).toEqual({ kind: 'rested' });
      expect(seen(lived, 1)).toMatch(
        /does not accept it yet[\s\S]*<hook_context event="AfterAgent">\nTests fail/,
      );
      expect(runsIn(lived.events).map(({ outcome }) => outcome)).toEqual(['blocked', 'passed']);
    });

    it('cannot keep the agent at work for ever', async () => {
      await folder.ofUser(oneHook('AfterAgent', await folder.script('never', 'Not yet', 2)));
      const lived = world(Array.from({ length: 30 }, (_, index) => say(`Answer ${index}`)));
      expect(await lived.session.send('Go')).toEqual({ kind: 'rested' });
      expect(lived.model.requests).toHaveLength(11);
      expect(lived.events.some(({ type }) => type === 'notice.shown')).toBe(true);
    });

    it('may have the same answer come again: no answer repeats itself by that', async () => {
      await folder.ofUser(oneHook('AfterAgent', await folder.script('never', 'Not yet', 2)));
      const same = say('Everything that was asked for is done, and all tests pass. '.repeat(2));
      const lived = world(
        Array.from({ length: 11 }, () => same),
        { loopDetection: true },
      );
      expect(await lived.session.send('Go')).toEqual({ kind: 'rested' });
      const texts = lived.events.flatMap(event => (event.type === 'step.ended' ? [event.finish] : []));
      expect(texts).not.toContain('LOOP');
    });

    it('that prints without end fills neither the journal nor the panel with its reason', async () => {
      const flood = "head -c 20000000 /dev/zero | tr '\\0' 'x'; exit 2";
      await folder.ofUser(oneHook('BeforeAgent', flood));
      const lived = world([say('Done.')]);
      const end = await lived.session.send('Go');
      expect(end.kind === 'hook' && end.reason.length).toBeLessThan(20_000);
      const journal = lived.store.journals.get(lived.session.id)!.join('');
      expect(journal.length).toBeLessThan(100_000);
    });

    it('can end the work, and can clear the context, which can be undone', async () => {
      const output = { continue: false, stopReason: 'Enough', hookSpecificOutput: { clearContext: true } };
      await folder.ofUser(oneHook('AfterAgent', await folder.script('after', output)));
      const lived = world([say('First answer'), say('Second'), say('Third')]);
      expect(await lived.session.send('First')).toEqual({ kind: 'hook', reason: 'Enough' });
      expect(await folder.reportedTo('after')).toMatchObject({
        prompt: 'First',
        prompt_response: 'First answer',
      });
      await folder.ofUser({});
      await lived.session.send('Second');
      expect(seen(lived, 1)).toBe('user: Second');
      lived.session.compressions.undo(lived.session.state.compressions[0]!.id);
      await lived.session.send('Third');
      expect(seen(lived, 2)).toContain('First answer');
    });
  });

  describe('BeforeModel', () => {
    it('changes the request that goes out and nothing that is kept', async () => {
      const llm_request = {
        model: 'other',
        messages: [{ role: 'user', content: 'Masked' }],
        config: { temperature: 0 },
      };
      await folder.ofUser(
        oneHook('BeforeModel', await folder.script('model', { hookSpecificOutput: { llm_request } })),
      );
      const lived = world([say('1')]);
      await lived.session.send('Secret words');
      expect(lived.model.requests[0]).toMatchObject({ model: 'other', temperature: 0 });
      expect(seen(lived, 0)).toBe('user: Masked');
      const reported = (await folder.reportedTo('model')).llm_request as Record<string, unknown>;
      expect(reported.messages).toEqual([{ role: 'user', content: 'Secret words' }]);
      expect(lived.events.find(({ type }) => type === 'message.added')).toMatchObject({
        message: { parts: [{ text: 'Secret words' }] },
      });
    });

    it('can give the answer itself', async () => {
      const llm_response = {
        candidates: [{ content: { role: 'model', parts: ['From the ', { text: 'hook' }] } }],
      };
      const printed = { decision: 'block', hookSpecificOutput: { llm_response } };
      await folder.ofUser(oneHook('BeforeModel', await folder.script('model', printed)));
      const lived = world([]);
      expect(await lived.session.send('Go')).toEqual({ kind: 'rested' });
      expect(lived.events.find(event => event.type === 'text.appended')).toMatchObject({
        text: 'From the hook',
      });
    });

    it('can end the work before anything is sent', async () => {
      await folder.ofUser(oneHook('BeforeModel', await folder.script('model', 'Budget is gone', 2)));
      const lived = world([say('1')]);
      expect(await lived.session.send('Go')).toEqual({ kind: 'hook', reason: 'Budget is gone' });
      expect(lived.model.requests).toHaveLength(0);
    });
  });

  describe('AfterModel', () => {
    const answer = (text: string) => ({ hookSpecificOutput: { llm_response: { text } } });

    it('replaces an answer before anybody reads it', async () => {
      await folder.ofUser(oneHook('AfterModel', await folder.script('after', answer('Redacted'))));
      const lived = world([say('Raw'), say('2')]);
      await lived.session.send('Go');
      expect(await folder.reportedTo('after')).toMatchObject({ llm_response: { text: 'Raw' } });
      expect(JSON.stringify(lived.events)).toContain('Redacted');
      expect(lived.events.filter(({ type }) => type === 'text.appended')).toMatchObject([
        { text: 'Redacted' },
      ]);
    });

    it.each([
      ['stops', { continue: false, stopReason: 'why' }],
      ['blocks', { decision: 'block', reason: 'why' }],
    ])('that %s ends the work, and no call of the answer runs', async (_how, printed) => {
      await folder.ofUser(oneHook('AfterModel', await folder.script('after', printed)));
      const lived = world([read, say('never')]);
      expect(await lived.session.send('Go')).toEqual({ kind: 'hook', reason: 'why' });
      expect(lived.events.some(({ type }) => type === 'call.requested')).toBe(false);
      expect(lived.model.requests).toHaveLength(1);
    });
  });

  it.each([
    ['by name', { mode: 'ANY', allowedFunctionNames: ['read_file'] }, ['read_file']],
    ['all of them', { mode: 'NONE' }, []],
  ])('BeforeToolSelection leaves out tools, %s', async (_which, toolConfig, expected) => {
    await folder.ofUser(
      oneHook('BeforeToolSelection', await folder.script('tools', { hookSpecificOutput: { toolConfig } })),
    );
    const lived = world([say('1')]);
    await lived.session.send('Go');
    expect(lived.model.requests[0]!.tools.map(({ name }) => name)).toEqual(expected);
  });

  describe('BeforeTool', () => {
    const outcomes = ({ events }: World) =>
      events.flatMap(event => (event.type === 'call.ended' ? [event.outcome] : []));

    it.each([
      ['a decision', { decision: 'deny', reason: 'Hands off' }, 0],
      ['an exit code', 'Hands off', 2],
      ['an unknown exit code', 'Hands off', 77],
    ])('denies a call by %s, and the model reads why', async (_how, printed, code) => {
      await folder.ofUser(
        oneHook('BeforeTool', await folder.script('guard', printed, code), {}, 'read_file'),
      );
      const lived = world([read, say('Then not.')]);
      expect(await lived.session.send('Go')).toEqual({ kind: 'rested' });
      expect(outcomes(lived)).toEqual(['denied']);
      expect(seen(lived, 1)).toMatch(/A hook blocked this call; nothing was done[\s\S]*Hands off/);
      expect(await folder.reportedTo('guard')).toMatchObject({
        tool_name: 'read_file',
        tool_input: { file_path: 'a.txt' },
      });
    });

    it.each([
      ['a warning', 'careful', 1, 'failed'],
      ['a message', { systemMessage: 'fine' }, 0, 'passed'],
      ['allowing', { decision: 'allow' }, 0, 'passed'],
    ])('lets a call go by %s', async (_how, printed, code, outcome) => {
      await folder.ofUser(oneHook('BeforeTool', await folder.script('guard', printed, code)));
      const lived = world([read, say('Done.')]);
      await lived.session.send('Go');
      expect(outcomes(lived)).toEqual(['ok']);
      expect(runsIn(lived.events)).toMatchObject([{ outcome, callId: 'c1' }]);
    });

    it('changes the arguments: the card, the tool and the model know them', async () => {
      const printed = { hookSpecificOutput: { tool_input: { file_path: 'b.txt' } } };
      await folder.ofUser(oneHook('BeforeTool', await folder.script('change', printed)));
      const lived = world([read, say('Done.')], { files: { 'a.txt': 'alpha', 'b.txt': 'beta' } });
      await lived.session.send('Go');
      expect(lived.events.find(event => event.type === 'call.requested')).toMatchObject({
        title: 'Read b.txt',
        args: { file_path: 'b.txt' },
      });
      expect(seen(lived, 1)).toMatch(/beta[\s\S]*A hook changed the arguments[\s\S]*"b\.txt"/);
    });

    it('that gives arguments of a wrong kind fails the call', async () => {
      const printed = { hookSpecificOutput: { tool_input: { file_path: 3 } } };
      await folder.ofUser(oneHook('BeforeTool', await folder.script('change', printed)));
      const lived = world([read, say('Done.')]);
      await lived.session.send('Go');
      expect(outcomes(lived)).toEqual(['failed']);
      expect(seen(lived, 1)).toMatch(/not valid[\s\S]*A hook changed the arguments/);
    });

    it('in sequence hands changed arguments on; the last ones count', async () => {
      const change = (file_path: string) => ({ hookSpecificOutput: { tool_input: { file_path } } });
      const commands = [
        await folder.script('one', change('b.txt')),
        await folder.script('two', change('c.txt')),
      ];
      const hooks = commands.map(command => ({ type: 'command', command }));
      await folder.ofUser({ hooks: { BeforeTool: [{ sequential: true, hooks }] } });
      const lived = world([read, say('Done.')], { files: { 'c.txt': 'gamma' } });
      await lived.session.send('Go');
      expect(await folder.reportedTo('two')).toMatchObject({ tool_input: { file_path: 'b.txt' } });
      expect(seen(lived, 1)).toContain('gamma');
    });

    it('has a user decide where everything is allowed', async () => {
      await folder.ofUser(
        oneHook('BeforeTool', await folder.script('ask', { decision: 'ask', reason: 'Look' })),
      );
      const lived = world([read, say('Done.')]);
      lived.session.onEvent(event => {
        if (event.type === 'call.asked')
          queueMicrotask(() => lived.session.decide(event.callId, { kind: 'once' }));
      });
      await lived.session.send('Go');
      expect(lived.events.find(event => event.type === 'call.asked')).toMatchObject({
        ask: { reason: 'A hook asks for your decision: Look' },
      });
      expect(outcomes(lived)).toEqual(['ok']);
    });

    it('has a user decide on a command that would run unasked, and see its parts', async () => {
      await folder.ofUser(
        oneHook('BeforeTool', await folder.script('ask', { decision: 'ask', reason: 'Look' })),
      );
      const lived = world([call('run_shell_command', { command: 'ls' }), say('Done.')]);
      lived.session.onEvent(event => {
        if (event.type === 'call.asked')
          queueMicrotask(() => lived.session.decide(event.callId, { kind: 'once' }));
      });
      await lived.session.send('Go');
      expect(lived.events.find(event => event.type === 'call.asked')).toMatchObject({
        ask: { reason: 'A hook asks for your decision: Look', commands: [{ text: 'ls', verdict: 'reads' }] },
      });
      expect(outcomes(lived)).toEqual(['ok']);
    });

    it('has a user decide with the reason of the policy beside its own', async () => {
      await folder.ofUser(
        oneHook('BeforeTool', await folder.script('ask', { decision: 'ask', reason: 'Look' })),
      );
      const run = {
        kind: 'call',
        id: 'r',
        name: 'run_shell_command',
        args: { command: 'cat .env' },
      } as const;
      const lived = world([{ parts: [run] }, say('Done.')]);
      lived.session.onEvent(event => {
        if (event.type === 'call.asked')
          queueMicrotask(() => lived.session.decide(event.callId, { kind: 'deny' }));
      });
      await lived.session.send('Go');
      expect(lived.events.find(event => event.type === 'call.asked')).toMatchObject({
        ask: { reason: expect.stringMatching(/^A hook asks for your decision: Look ./) },
      });
    });

    it('that wants a user where none is denies the call', async () => {
      await folder.ofUser(oneHook('BeforeTool', await folder.script('ask', { decision: 'ask' })));
      const lived = world([read, say('Done.')], { interactive: false });
      await lived.session.send('Go');
      expect(outcomes(lived)).toEqual(['denied']);
    });

    it('ends the work: what had not begun does not, every call has its outcome', async () => {
      await folder.ofUser(
        oneHook('BeforeTool', await folder.script('end', { continue: false, stopReason: 'Enough' })),
      );
      const two: Part[] = [
        ...read.parts,
        ...call('write_file', { file_path: 'x', content: 'y' }, 'c2').parts,
      ];
      const lived = world([{ parts: two }, say('never')]);
      expect(await lived.session.send('Go')).toEqual({ kind: 'hook', reason: 'Enough' });
      expect(outcomes(lived)).toEqual(['denied', 'denied']);
      expect(await folder.runsOf('end')).toBe(1);
      expect(lived.model.requests).toHaveLength(1);
      await folder.ofUser({});
      expect(await lived.session.send('Continue')).toEqual({ kind: 'rested' });
    });

    it('written for another program is told that program’s names', async () => {
      await folder.ofUser(oneHook('PreToolUse', await folder.script('other', '', 2), {}, 'Read'));
      const lived = world([read, say('Done.')]);
      await lived.session.send('Go');
      expect(await folder.reportedTo('other')).toMatchObject({
        hook_event_name: 'PreToolUse',
        tool_name: 'Read',
      });
      expect(outcomes(lived)).toEqual(['denied']);
    });

    it('that takes too long is ended and changes nothing', async () => {
      await folder.ofUser(oneHook('BeforeTool', 'exec sleep 600', { timeout: 200, name: 'slow' }));
      const lived = world([read, say('Done.')]);
      const going = lived.session.send('Go');
      await expect.poll(() => folder.clock.next).toBe(folder.clock.now() + 200);
      folder.clock.pass(200);
      await going;
      expect(runsIn(lived.events)).toMatchObject([{ name: 'slow', outcome: 'timedOut' }]);
      expect(outcomes(lived)).toEqual(['ok']);
    });

    it('is ended when the user stops; the call is cancelled', async () => {
      await folder.ofUser(oneHook('BeforeTool', 'echo $$ > own; exec sleep 600'));
      const lived = world([read, say('never')]);
      lived.session.onEvent(event => {
        if (event.type === 'hook.started') void lived.session.stop();
      });
      expect(await lived.session.send('Go')).toEqual({ kind: 'stopped' });
      expect(runsIn(lived.events)).toMatchObject([{ outcome: 'failed', summary: 'Stopped.' }]);
      expect(outcomes(lived)).toEqual(['cancelled']);
    });
  });

  describe('AfterTool', () => {
    it('adds context to the result of a call, also of one that failed', async () => {
      const context = { hookSpecificOutput: { additionalContext: 'Lint is clean' } };
      await folder.ofUser(oneHook('AfterTool', await folder.script('after', context)));
      const lived = world([read, call('read_file', { file_path: 'missing' }, 'c2'), say('Done.')]);
      await lived.session.send('Go');
      expect(seen(lived, 1)).toMatch(/alpha[\s\S]*event="AfterTool">\nLint is clean/);
      expect(seen(lived, 2)).toMatch(/There is no file missing[\s\S]*Lint is clean/);
      expect(await folder.reportedTo('after')).toMatchObject({
        tool_response: { error: { message: 'There is no file missing.' } },
      });
    });

    it.each([
      ['a decision', { decision: 'block', reason: 'Holds a key' }, 0],
      ['an exit code', 'Holds a key', 2],
    ])('holds a result back by %s', async (_how, printed, code) => {
      await folder.ofUser(oneHook('AfterTool', await folder.script('after', printed, code)));
      const lived = world([read, say('Done.')]);
      await lived.session.send('Go');
      expect(seen(lived, 1)).toMatch(/carried out, but a hook held its result back[\s\S]*Holds a key/);
      expect(seen(lived, 1)).not.toContain('alpha');
    });

    it('can end the work', async () => {
      await folder.ofUser(
        oneHook('AfterTool', await folder.script('after', { continue: false, stopReason: 'Enough' })),
      );
      const lived = world([read, say('never')]);
      expect(await lived.session.send('Go')).toEqual({ kind: 'hook', reason: 'Enough' });
    });
  });

  it('Notification is told of an ask, and nothing waits for it', async () => {
    await folder.ofUser(
      oneHook('Notification', await folder.script('note', 'ignored', 2), {}, 'ToolPermission'),
    );
    const lived = world([call('write_file', { file_path: 'x', content: 'y' }), say('Done.')], {
      mode: 'default',
    });
    lived.session.onEvent(event => {
      if (event.type === 'hook.ended') lived.session.decide('c1', { kind: 'once' });
    });
    expect(await lived.session.send('Go')).toEqual({ kind: 'rested' });
    expect(await folder.reportedTo('note')).toMatchObject({
      notification_type: 'ToolPermission',
      details: { type: expect.any(String) },
    });
  });

  it('PreCompress is told why, and can keep the context as it is', async () => {
    await folder.ofUser(oneHook('PreCompact', await folder.script('compress', 'Not now', 2), {}, 'manual'));
    const lived = world([say('1')]);
    await lived.session.send('Go');
    await lived.session.compressions.propose();
    expect(await folder.reportedTo('compress')).toMatchObject({
      hook_event_name: 'PreCompact',
      trigger: 'manual',
    });
    expect(lived.events.at(-1)).toMatchObject({
      type: 'compression.ended',
      end: { kind: 'failed', message: expect.stringContaining('Not now') },
    });
  });

  it('show what they printed, without secrets; those that hold it back show nothing', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const loud = await folder.script('loud', `key ${key}`);
    const quiet = await folder.script('quiet', { suppressOutput: true, systemMessage: 'm' });
    await folder.ofUser({
      hooks: { BeforeAgent: [loud, quiet].map(command => ({ hooks: [{ type: 'command', command }] })) },
    });
    const lived = world([say('1')]);
    await lived.session.send('Go');
    const [first, second] = runsIn(lived.events);
    expect(first!.output).toMatch(/^key ghp_…\[masked\]$/);
    expect(second!.output).toBe('');
    expect(JSON.stringify(lived.events)).not.toContain(key);
  });

  it('are told only when they did something, where that is asked for', async () => {
    const settings = oneHook('BeforeAgent', await folder.script('quiet')) as object;
    await folder.ofUser({ ...settings, hooksConfig: { notifications: false } });
    const lived = world([say('1')]);
    await lived.session.send('Go');
    expect(await folder.runsOf('quiet')).toBe(1);
    expect(runsIn(lived.events)).toEqual([]);
  });

  it('do not run while they are switched off', async () => {
    const command = await folder.script('off');
    const settings = oneHook('BeforeAgent', command, { name: 'Mine' }) as object;
    for (const hooksConfig of [{ enabled: false }, { disabled: ['Mine'] }, { disabled: [command] }]) {
      await folder.ofUser({ ...settings, hooksConfig });
      expect((await folder.hooks.list()).map(({ state }) => state)).toEqual(['disabled']);
      await world([say('1')]).session.send('Go');
    }
    expect(await folder.runsOf('off')).toBe(0);
  });

  it('keep the words of the journal: what was read back folds to the same', async () => {
    await folder.ofUser(oneHook('BeforeTool', await folder.script('guard', 'no', 2)));
    const lived = world([read, say('Done.')]);
    await lived.session.send('Go');
    const state = structuredClone(lived.session.state);
    await lived.session.dispose();
    const again = await lived.agent.catalog.read(lived.session.id);
    expect(again.chapters[0]!.items).toEqual(state.chapters[0]!.items);
    expect(await readFile(join(folder.folder, 'guard.runs'), 'utf8')).toBe('run\n');
  });
});
