import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { png } from '../support/pictures.ts';
import { processesIn } from '../support/processesIn.ts';
import { ExternalWorld } from './support/externalWorld.ts';

const memoryServer = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/server-memory/dist/index.js',
);

const world = eachTest(() => ExternalWorld.make());

describe('a session that another agent drives', () => {
  it('shows its text, thoughts and tools as those of Folio, and asks no model', async () => {
    const ran = await world.run(['think Hm.', 'say Hello', 'tool Find it', 'say Done']);
    expect(ran.end).toEqual({ kind: 'rested' });
    expect(ran.of('agent.chosen').at(-1)).toMatchObject({ session: 'scripted-1' });
    expect(ran.of('thought.appended').map(({ text }) => text)).toEqual(['Hm.']);
    expect(ran.text).toBe('Hello\nDone');
    expect(ran.of('call.requested')).toMatchObject([{ tool: 'grep_search', title: 'Find it' }]);
    expect(ran.of('call.ended')).toMatchObject([{ outcome: 'ok', display: { summary: 'two' } }]);
    expect(world.inner.server.requests).toEqual([]);
  });

  it('begins a chapter with each entry of the plan that is at work, and keeps the list', async () => {
    const script = ['plan First Second', 'say a', 'plan Second', 'plan Second', 'say b'];
    // A title that is only the beginning of the prompt says nothing.
    const ran = await world.run(['title <workspace> (The upper levels', ...script]);
    expect(ran.of('chapter.started').map(({ title }) => title)).toEqual(['First', 'Second']);
    expect(ran.of('todos.changed')[0]!.todos).toEqual([
      { description: 'First', status: 'in_progress' },
      { description: 'Second', status: 'pending' },
    ]);
  });

  it('passes over lines that are no message and updates that nobody knows yet', async () => {
    const ran = await world.run(['garbage', 'unknown', 'say Still here']);
    expect(ran.end).toEqual({ kind: 'rested' });
    expect(ran.text).toBe('Still here');
    expect(ran.result.error).toBe('');
  });

  it('gets the pictures and PDFs that it says it takes, and is told of the others', async () => {
    await world.write('b.pdf', '%PDF-1.7');
    await writeFile(join(world.inner.workspace, 'a.png'), png({ width: 2, height: 2 }));
    const prompt = ['See @a.png and @b.pdf'];
    await world.run(prompt);
    const told = (await world.asked()).filter(line => line.startsWith('['));
    expect(told).toEqual([
      '[A picture was left out, since you take none.]',
      '[A file of the type application/pdf was left out, since you take none.]',
    ]);
    await world.run(prompt, [], { SCRIPTED_CAN: 'files' });
    expect((await world.asked()).filter(line => line.startsWith('['))).toEqual(['[image]', '[resource]']);
  });

  it('takes thousands of updates in a row, in order', async () => {
    const ran = await world.run(['flood 3000', 'say Through']);
    expect(ran.end).toEqual({ kind: 'rested' });
    expect(ran.text.replaceAll('\n', '')).toBe(`${'.'.repeat(3000)}Through`);
    expect(ran.of('todos.changed').at(-1)?.todos).toMatchObject([{ description: 'Entry 2' }]);
  });

  it('gets none of the keys of Folio', async () => {
    await world.run(['say Hello']);
    expect((await world.asked())[0]).toBe('new key=none own=fine');
  });

  it('gets the servers whose every tool may run unasked, as their entries say, and is named with them', async () => {
    const home = join(world.inner.folder, 'home');
    const entry = { command: process.execPath, args: [memoryServer], env: { OWN: 'its' } };
    const mcpServers = {
      allowed: { ...entry, trust: true },
      asking: entry,
      partial: { ...entry, trust: true, includeTools: ['read_graph'] },
    };
    await mkdir(join(home, '.gemini'), { recursive: true });
    await writeFile(join(home, '.gemini/settings.json'), JSON.stringify({ mcpServers }));
    const env = { HOME: home, USERPROFILE: home };
    const ran = await world.run(['say Hello'], ['--server-start', '240'], env);
    const { command, args } = entry;
    const passed = [{ name: 'allowed', command, args, env: [{ name: 'OWN', value: 'its' }] }];
    expect((await world.asked())[1]).toBe(`servers ${JSON.stringify(passed)}`);
    expect(ran.of('notice.shown').map(({ text }) => text)).toEqual([
      expect.stringMatching(/can use these servers, because your rules allow their tools: allowed\.$/),
    ]);
  });

  it('is not started in a restricted workspace', async () => {
    const ran = await world.run(['say Hello'], ['--untrusted']);
    expect(ran.end).toMatchObject({ kind: 'failed', trouble: { kind: 'external.restricted' } });
  });
});

describe('what the agent asks of its client', () => {
  it('writes a file as a call of Folio, whose hunks wait for review', async () => {
    const ran = await world.run(['write b.txt two words']);
    expect(await world.read('b.txt')).toBe('two words\n');
    const [call] = ran.of('call.requested');
    expect(call).toMatchObject({ tool: 'write_file', title: 'Write b.txt' });
    const writers = ran.of('review.changed').at(-1)?.review?.hunks[0]?.writers;
    expect(writers).toMatchObject([{ kind: 'call', callId: call!.callId }]);
  });

  it('keeps to the rules: what asks is denied where nobody is there, and the agent reads why', async () => {
    const ran = await world.run(['write b.txt two', 'run touch made.txt'], ['--approval-mode', 'default']);
    expect(ran.of('call.ended').map(({ outcome }) => outcome)).toEqual(['denied', 'denied']);
    expect(ran.text).toMatch(/error: write_file needs approval.*\nerror: run_shell_command needs approval/);
    await expect(world.read('b.txt')).rejects.toThrow();
    await expect(world.read('made.txt')).rejects.toThrow();
  });

  it('reads a file exactly, and none outside of the workspace or kept from agents', async () => {
    await world.write('.geminiignore', 'kept.txt\n');
    await world.write('kept.txt', 'mine\n');
    const ran = await world.run(['read a.txt', 'read ../agent.log', 'read kept.txt']);
    expect(ran.text).toMatch(/^one\n\nerror: .*outside the workspace.*\nerror: .*not for agents to read/);
  });

  it('writes nothing outside of the workspace, whatever the mode', async () => {
    const ran = await world.run(['write ../outside.txt x', 'say Next'], ['--approval-mode', 'yolo']);
    expect(ran.of('call.ended').map(({ outcome }) => outcome)).toEqual(['failed']);
    expect(ran.text).toMatch(/^error: .*outside the workspace.*\nNext$/);
    await expect(readFile(join(world.inner.workspace, '..', 'outside.txt'))).rejects.toThrow('ENOENT');
  });

  it('runs a command in Folio, with its output and exit code for the agent', async () => {
    const ran = await world.run(['run echo hi; exit 3'], ['--approval-mode', 'yolo']);
    expect(ran.text).toBe('exit 3: hi');
    expect(ran.of('call.ended')).toMatchObject([{ display: { detail: { kind: 'command', exitCode: 3 } } }]);
  });

  it('reviews what the agent wrote past Folio as changes of a command', async () => {
    const ran = await world.run(['past c.txt from elsewhere', 'write b.txt two']);
    const last = ran.of('call.requested').at(-1)!;
    expect(last.title).toMatch(/^Files that .* changed outside Folio$/);
    const changed = ran.of('review.changed').filter(({ path }) => path.endsWith('c.txt'));
    expect(changed.at(-1)?.review?.hunks[0]?.writers).toMatchObject([
      { kind: 'command', callId: last.callId },
    ]);
    expect(
      ran
        .of('call.ended')
        .at(-1)
        ?.display.touched?.map(({ path }) => path),
    ).toEqual(['c.txt']);
  });

  it('answers its ask by the rules, and the write that it was for asks no second time', async () => {
    const allowed = await world.run(['ask a.txt one two']);
    expect(allowed.text).toBe('yes');
    const details = allowed.of('call.ended').map(({ display }) => display.detail);
    expect(details.map(detail => detail?.kind === 'diff' && detail.diff.path)).toEqual(['a.txt']);
    // Nobody has seen it.
    const writers = allowed.of('review.changed').at(-1)?.review?.hunks[0]?.writers;
    expect(writers).toMatchObject([{ kind: 'call', callId: allowed.of('call.requested')[0]!.callId }]);
    expect(await world.read('a.txt')).toBe('two\n');
    const denied = await world.run(['ask a.txt two three'], ['--approval-mode', 'default']);
    expect(denied.text).toBe('no');
    expect(await world.read('a.txt')).toBe('two\n');
  });

  it('asks the user on a card, and what they allow holds for that text alone', async () => {
    const talk = world.converse();
    talk.send({ type: 'prompt.send', text: 'ask a.txt one two\nwrite a.txt three' });
    const first = await talk.asked(1);
    expect(first.ask.subject).toMatchObject({ kind: 'edit', diff: { path: 'a.txt', added: 1, removed: 1 } });
    talk.decide(first, 'once');
    const second = await talk.asked(2);
    expect(await world.read('a.txt')).toBe('two\n');
    talk.decide(second, 'deny');
    await talk.rests();
    expect(await world.read('a.txt')).toBe('two\n');
  });
});

describe('what the agent lets the user choose', () => {
  it.each([
    ['options', 'm'],
    ['lists', 'session/set_mode'],
  ])('is known, changes with the agent, and is chosen: by %s', async (can, mode) => {
    const talk = world.converse(can);
    talk.send({ type: 'prompt.send', text: 'switch code' });
    await talk.rested(1);
    const offered = () =>
      talk.ran
        .of('agent.offered')
        .at(-1)!
        .options.filter(({ kind }) => kind !== 'other')
        .map(({ kind, value }) => [kind, value]);
    expect(offered()).toEqual([
      ['mode', 'code'],
      ['model', 'small'],
    ]);
    const { id } = talk.ran.of('agent.offered')[0]!.options.find(({ kind }) => kind === 'model')!;
    talk.send({ type: 'agent.set', option: id, value: 'large' });
    talk.send({ type: 'agent.set', option: id, value: 'of nobody' });
    talk.send({ type: 'agent.set', option: mode, value: 'plan' });
    await expect.poll(offered).toEqual([
      ['mode', 'plan'],
      ['model', 'large'],
    ]);
    talk.send({ type: 'prompt.send', text: 'chosen' });
    await talk.rested(2);
    expect(talk.ran.text).toBe('plan large');
    await talk.rests();
    // Another run opens the session, and the agent begins one of its own.
    const ran = await world.run(['chosen'], ['--resume', 'latest'], { SCRIPTED_CAN: can });
    expect(ran.text).toBe('plan large');
  });

  it('may be a switch, whose value the agent gets as a boolean', async () => {
    const talk = world.converse('options');
    talk.send({ type: 'prompt.send', text: 'switch plan' });
    await talk.rested(1);
    const fast = () =>
      talk.ran
        .of('agent.offered')
        .at(-1)!
        .options.find(({ id }) => id === 'fast');
    const values = [
      { value: 'true', label: 'Fast: on' },
      { value: 'false', label: 'Fast: off' },
    ];
    expect(fast()).toEqual({ id: 'fast', name: 'Fast', kind: 'other', value: 'false', values });
    talk.send({ type: 'agent.set', option: 'fast', value: 'true' });
    await expect.poll(() => fast()?.value).toBe('true');
    talk.send({ type: 'prompt.send', text: 'chosen' });
    await talk.rested(2);
    expect(talk.ran.text).toBe('plan small fast');
    await talk.rests();
    expect((await world.run(['chosen'], ['--resume', 'latest'], { SCRIPTED_CAN: 'options' })).text).toBe(
      'plan small fast',
    );
  });

  it('stays as it is where the agent refuses, which the user reads', async () => {
    const talk = world.converse('options,refuse');
    talk.send({ type: 'prompt.send', text: 'say One' });
    await talk.rested(1);
    talk.send({ type: 'agent.set', option: 'model', value: 'large' });
    const notices = () => talk.ran.of('notice.shown').map(({ text }) => text);
    await expect.poll(notices).toEqual([expect.stringMatching(/rejected your choice: .*sold out/)]);
    expect(
      talk.ran
        .of('agent.offered')
        .at(-1)!
        .options.map(({ value }) => value),
    ).toEqual(['plan', 'small', 'false']);
    talk.send({ type: 'prompt.send', text: 'say Two' });
    await talk.rests();
  });
});

describe('an end in the middle', () => {
  it('by an error says what the agent says of it', async () => {
    const ran = await world.run(['fail The model is gone.']);
    expect(ran.end).toMatchObject({
      kind: 'failed',
      trouble: { message: expect.stringContaining('Internal error: The model is gone.') },
    });
  });

  it('by a crash says what happened and what to do, once', async () => {
    const ran = await world.run(['say Half', 'past c.txt left', 'crash']);
    expect(ran.end).toMatchObject({
      kind: 'failed',
      trouble: {
        kind: 'external.ended',
        message: expect.stringMatching(/ended unexpectedly.*code 3: It broke in two\. Retry/s),
      },
    });
    expect(ran.of('review.changed').at(-1)?.path).toMatch(/c\.txt$/);
    expect(ran.of('message.added').at(-1)?.message.parts).toEqual([{ kind: 'text', text: 'Half' }]);
    expect(ran.result.code).toBe(1);
  });

  it('while an ask is open ends the ask with the turn', async () => {
    const talk = world.converse();
    talk.send({ type: 'prompt.send', text: 'pid\nask a.txt one two' });
    await talk.asked(1);
    process.kill(Number(talk.ran.text), 'SIGKILL');
    await talk.rests();
    expect(talk.ran.of('call.ended').map(({ outcome }) => outcome)).toEqual(['cancelled']);
    expect(talk.ran.end).toMatchObject({ kind: 'failed', trouble: { kind: 'external.ended' } });
    expect(await world.read('a.txt')).toBe('one\n');
  });

  it('by a command that does not exist is said at once', async () => {
    const args = ['--agent-command', 'no-such-agent-anywhere', '--prompt', 'hi'];
    const { error, code } = await world.inner.run(args);
    expect(error).toContain('no-such-agent-anywhere could not be started.');
    expect(code).toBe(1);
  });

  it('by a stop cancels at the agent, ends its command, and leaves nothing that runs', async () => {
    const args = ['--agent-command', world.line, '--approval-mode', 'yolo', '--output-format', 'stream-json'];
    let stop = () => {};
    const running = world.inner.run([...args, '--prompt', 'say Begun\nhang'], {
      env: { SCRIPTED_LOG: world.log },
      onStart: child => {
        stop = () => void child.kill('SIGINT');
        child.stdout.on('data', piece => String(piece).includes('text.appended') && stop());
      },
    });
    const { code } = await running;
    expect(code).toBe(130);
    expect((await world.asked()).at(-1)).toBe('cancel');
    expect((await processesIn(world.inner.workspace)).filter(line => line.includes('scripted'))).toEqual([]);
  });
});

describe('a session that is continued', () => {
  const again = ['--resume', 'latest'];

  it('is loaded where the agent can, without what it says of the past', async () => {
    const env = { SCRIPTED_CAN: 'load' };
    await world.run(['say One'], [], env);
    const ran = await world.run(['say Two'], again, env);
    const asked = await world.asked();
    expect(asked[0]).toBe('load scripted-1');
    expect(asked.join('\n')).not.toContain('One');
    expect(ran.text).toBe('Two');
    expect(ran.of('notice.shown')).toEqual([]);
  });

  it('is resumed where the agent can do that', async () => {
    const env = { SCRIPTED_CAN: 'load,resume' };
    await world.run(['say One'], [], env);
    await world.run(['say Two'], again, env);
    expect((await world.asked())[0]).toBe('resume scripted-1');
  });

  it('begins again with the conversation as text where it cannot, and says so', async () => {
    await world.run(['say One']);
    const ran = await world.run(['say Two'], again);
    const asked = (await world.asked()).join('\n');
    expect(asked).toMatch(
      /^new .*earlier conversation.*say One.*You: One.*<\/earlier_conversation>.*say Two$/s,
    );
    expect(ran.of('notice.shown').map(({ text }) => text)).toEqual([
      expect.stringContaining('gets the conversation as text'),
    ]);
  });

  it('is told what is left of the conversation after a rewind, though the agent could load its own', async () => {
    const env = { SCRIPTED_CAN: 'load' };
    await world.run(['say One'], [], env);
    await world.run(['say Two'], again, env);
    await world.run(['say Three'], [...again, '--rewind', '2'], env);
    const asked = (await world.asked()).join('\n');
    expect(asked).toMatch(/^new /);
    expect(asked).toContain('You: One');
    expect(asked).not.toContain('Two');
  });

  it('names the agent that the settings no longer have', async () => {
    const settings = join(world.inner.folder, 'settings.json');
    const command = { command: process.execPath, args: ['-e', ''] };
    await writeFile(settings, JSON.stringify({ 'folio.agents.external': { mine: command } }));
    await world.inner.run(['--settings', settings, '--agent', 'mine', '--prompt', 'hi']);
    const { error } = await world.inner.run([...again, '--prompt', 'hi']);
    expect(error).toContain('folio.agents.external no longer has an agent mine.');
  });
});
