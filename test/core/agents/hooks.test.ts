import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInAgents } from '../../../src/extension/core/agents/builtInAgents.ts';
import { ask, CastModel, report, say, send } from '../../support/castModel.ts';
import { makeWorld, type World } from '../../support/conversation.ts';
import { eachTest } from '../../support/eachTest.ts';
import { inside } from '../../support/emitted.ts';
import { makeHookFolder, oneHook } from '../../support/hookWorld.ts';

describe.skipIf(process.platform === 'win32')('hooks around the work of an agent', () => {
  const folder = eachTest(() => makeHookFolder());
  let open: World[];
  beforeEach(async () => {
    open = [];
  });
  afterEach(async () => {
    for (const { session } of open) await session.dispose();
  });

  function world(
    cast = new CastModel({
      go: [send(['generalist', 'Work']), say('Done.')],
      Work: [ask(['read_file', { file_path: 'a.txt' }]), report('Read it.')],
    }),
  ): World & { readonly cast: CastModel } {
    const { hooks, workspace } = folder;
    const made = makeWorld({
      answers: [],
      agents: builtInAgents,
      provider: cast,
      hooks,
      folder: workspace,
      files: { 'a.txt': 'alpha' },
    });
    open.push(made);
    return { ...made, cast };
  }

  it('hold a call of it back, and its journal reports the run', async () => {
    await folder.ofUser(
      oneHook('BeforeTool', await folder.script('no', 'Not this file', 2), {}, 'read_file'),
    );
    const lived = world();
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    const results = JSON.stringify(lived.cast.requestsOf('Work')[1]!.messages);
    expect(results).toContain('Not this file');
    expect(results).not.toContain('alpha');
    expect(inside(lived.reported)).toContainEqual(
      expect.objectContaining({ type: 'hook.ended', outcome: 'blocked' }),
    );
    expect(lived.events.filter(({ type }) => type === 'hook.ended')).toEqual([]);
  });

  it('hear of its calls and its requests', async () => {
    const command = async (name: string) => ({ type: 'command', command: await folder.script(name) });
    await folder.ofUser({
      hooks: {
        AfterTool: [{ matcher: 'read_file', hooks: [await command('after')] }],
        BeforeModel: [{ hooks: [await command('model')] }],
      },
    });
    const lived = world();
    await lived.session.send('go');
    expect(await folder.reportedTo('after')).toMatchObject({ tool_name: 'read_file' });
    expect(await folder.runsOf('model')).toBe(4);
  });

  it('send its report back until they accept it, and are told of the second time', async () => {
    const objection = JSON.stringify({ decision: 'block', reason: 'Name the file' });
    const isSecond = `grep -q '"stop_hook_active":true' '${folder.folder}/wants.json'`;
    const command = `${await folder.script('wants')}; ${isSecond} || echo '${objection}'`;
    await folder.ofUser(oneHook('SubagentStop', command, {}, 'generalist'));
    const cast = new CastModel({
      go: [send(['generalist', 'Work']), say('Done.')],
      Work: [report('Read it.'), report('Read a.txt.')],
    });
    const lived = world(cast);
    expect(await lived.session.send('go')).toEqual({ kind: 'rested' });
    expect(await folder.reportedTo('wants')).toMatchObject({
      hook_event_name: 'SubagentStop',
      agent_name: 'generalist',
      prompt: 'Work',
      prompt_response: 'Read a.txt.',
      stop_hook_active: true,
    });
    const [, second] = cast.requestsOf('Work');
    expect(JSON.stringify(second!.messages.at(-1))).toContain('does not accept it yet. Its reason:');
    expect(JSON.stringify(second!.messages.at(-1))).toContain('Name the file');
    const results = JSON.stringify(cast.requestsOf('go').at(-1)!.messages.at(-1));
    expect(results).toContain('Read a.txt.');
    expect(results).not.toContain('Read it.');
  });

  it('that end the work end the turn as well, with everything closed', async () => {
    const stop = await folder.script('stop', { continue: false, stopReason: 'Out of office' });
    await folder.ofUser(oneHook('AfterTool', stop, {}, 'read_file'));
    const lived = world();
    expect(await lived.session.send('go')).toEqual({ kind: 'hook', reason: 'Out of office' });
    expect(inside(lived.reported).at(-1)).toMatchObject({ type: 'turn.ended', end: { kind: 'hook' } });
    expect(lived.cast.requestsOf('go')).toHaveLength(1);
  });
});
