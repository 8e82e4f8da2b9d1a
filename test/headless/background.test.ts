import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { BackgroundWorld, until } from '../support/backgroundWorld.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, hang, text } from '../support/geminiAnswers.ts';
import { lastPrompt } from '../support/geminiServer.ts';
import { eventsOf } from '../support/headlessProgram.ts';

describe('the background host', () => {
  const world = eachTest(() => BackgroundWorld.make());

  const command = (line: string) => call('run_shell_command', { command: line });
  const isListed = (status: string) => async () => (await world.list()).includes(status);
  const address = async () => JSON.parse(await readFile(join(world.folder, 'address.json'), 'utf8'));

  it('runs a session to its end without whoever began it, and ends', async () => {
    world.server.script([text('Done in the background.')]);
    const id = await world.begin('Work');
    await world.whenHostEnded();
    expect(await world.journal(id)).toContain('Done in the background.');
    const { code, out } = await world.run('--resume', id, '--prompt', '/stats');
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(await world.list()).toBe('');
    expect(world.server.requests).toHaveLength(1);
  });

  it('waits with an ask until somebody attaches, who sees all that was missed', async () => {
    world.server.script([command('echo made > made.txt')], [text('Made.')]);
    const id = await world.begin('Make it');
    await until(isListed('waiting'));
    expect(await world.list()).toBe(`${id}  waiting  Make it\n`);
    const asked = eventsOf(await world.journal(id)).find(event => event.type === 'call.asked');
    const decision = { callId: asked!.callId, askId: asked!.ask.id, decision: { kind: 'once' } };
    const { code, out } = await world.attach(id, { type: 'call.decide', ...decision });
    expect(code).toBe(0);
    const types = eventsOf(out).map(({ type }) => type);
    expect(types.filter(type => type === 'session.started')).toHaveLength(1);
    expect(types.indexOf('turn.started')).toBeLessThan(types.indexOf('call.decided'));
    expect(types.at(-1)).toBe('turn.ended');
    const sequence = eventsOf(out).map(({ seq }) => seq);
    expect(sequence).toEqual([...new Set(sequence)].toSorted((a, b) => a - b));
    expect(await readFile(join(world.workspace, 'made.txt'), 'utf8')).toBe('made\n');
    await world.whenHostEnded();
  });

  it('shows an answer that grows from its first word on', async () => {
    let letGo = () => {};
    const awaited = new Promise<void>(resolve => {
      letGo = resolve;
    });
    world.server.script([text('The first '), { kind: 'wait', until: awaited }, text('line.\nThe end.')]);
    const id = await world.begin('Talk');
    const early = world.follow(id);
    await until(async () => early.out().includes('The first '));
    const late = world.follow(id);
    await until(async () => late.out().includes('The first '));
    letGo();
    for (const view of [early, late]) {
      expect(await view.exit).toBe(0);
      const said = eventsOf(view.out()).flatMap(each => (each.type === 'text.appended' ? [each.text] : []));
      expect(said.join('')).toBe('The first line.\nThe end.');
    }
  });

  it('stops a session, which stays on the disk', async () => {
    world.server.script([hang]);
    const id = await world.begin('Wait');
    await until(async () => world.server.requests.length === 1);
    expect(await world.run('--stop', id)).toMatchObject({ code: 0, error: '' });
    await world.whenHostEnded();
    world.server.script([text('Here again.')]);
    expect((await world.run('--resume', id, '--prompt', 'Go on')).out).toContain('Here again.');
  });

  it('goes on with what ran when a host was killed, once somebody brings the key', async () => {
    world.server.script([hang]);
    const id = await world.begin('Work');
    await until(async () => world.server.requests.length === 1);
    await world.kill();
    expect(await world.list()).toBe(`${id}  interrupted  Work\n`);
    world.server.script([text('Went on.')]);
    expect(await world.run('--background', '--resume', id)).toMatchObject({ code: 0, out: `${id}\n` });
    await world.whenHostEnded();
    expect(await world.journal(id)).toContain('Went on.');
    expect(lastPrompt(world.server.requests[1]!)).toContain('Work');
    expect(await world.list()).toBe('');
  });

  it('is one, also when several begin at the same moment, and has places for so many', async () => {
    const settings = join(world.home, 'settings.json');
    await writeFile(settings, JSON.stringify({ folio: { parallel: { max: 1 } } }));
    world.server.script([hang]);
    const ids = await Promise.all(['A', 'B', 'C'].map(name => world.begin(name, '--settings', settings)));
    await until(async () => world.server.requests.length === 1);
    const statuses = (await world.list()).split('\n').flatMap(line => line.split('  ')[1] ?? []);
    expect(statuses).toEqual(['working', 'queued', 'queued']);
    expect(world.server.requests).toHaveLength(1);
    world.server.script([text('Second.')], [text('Third.')]);
    const [first] = (await world.list()).split('  ');
    await world.run('--stop', first!);
    await world.whenHostEnded();
    expect(world.server.unplayed).toBe(0);
    expect(new Set(ids).size).toBe(3);
  });

  it('keeps no key and nothing that others can read', async () => {
    world.server.script([hang]);
    await world.begin('Work');
    expect((await stat(world.folder)).mode & 0o777).toBe(0o700);
    for (const name of ['address.json', 'sessions.json', 'host.log', 'lock']) {
      expect((await stat(join(world.folder, name))).mode & 0o777).toBe(0o600);
      expect(await readFile(join(world.folder, name), 'utf8')).not.toContain('GEMINI_API_KEY');
    }
  });

  it('hangs up on who has another token', async () => {
    world.server.script([hang]);
    await world.begin('Work');
    const { socket, token } = await address();
    for (const given of ['', 'x'.repeat(token.length), undefined]) {
      const channel = connect(socket);
      channel.write(`${JSON.stringify({ token: given, order: { type: 'list' } })}\n`);
      expect(await readAll(channel)).toBe('');
    }
    expect(await world.list()).toContain('Work');
  });

  it('is not used where others can open its folder', async () => {
    await mkdir(world.folder, { recursive: true });
    await chmod(world.folder, 0o755);
    const { code, error } = await world.run('--background', '--prompt', 'Work');
    expect(code).toBe(2);
    expect(error).toContain('Other users can open');
  });

  it('comes up beside the remains of one that was killed', async () => {
    world.server.script([hang]);
    const id = await world.begin('Work');
    await until(async () => world.server.requests.length === 1);
    const before = await address();
    await world.kill();
    expect(await world.run('--stop', id)).toMatchObject({ code: 0, error: '' });
    world.server.script([text('Fresh.')]);
    const next = await world.begin('Again');
    await world.whenHostEnded();
    expect(await world.journal(next)).toContain('Fresh.');
    await rm(before.socket, { force: true });
  });

  it('pauses what others have spent the money of the day for, and lets one go on', async () => {
    const settings = join(world.home, 'settings.json');
    await writeFile(settings, JSON.stringify({ 'folio.budget.dayCost': 0.005 }));
    world.server.script([text('Expensive.')]);
    await world.begin('First', '--settings', settings);
    await world.whenHostEnded();
    const id = await world.begin('Second', '--settings', settings);
    await world.whenHostEnded();
    expect(world.server.requests).toHaveLength(1);
    const end = eventsOf(await world.journal(id)).find(event => event.type === 'turn.ended');
    expect(end).toMatchObject({ end: { kind: 'budget', budget: { scope: 'day', kind: 'money' } } });
    world.server.script([text('Went on.')]);
    await world.run('--background', '--resume', id, '--settings', settings);
    await world.whenHostEnded();
    expect(await world.journal(id)).toContain('Went on.');
  });

  it('takes no session of a restricted workspace', async () => {
    const { code, error } = await world.run('--background', '--untrusted', '--prompt', 'Work');
    expect(code).toBe(2);
    expect(error).toContain('--untrusted');
  });
});
