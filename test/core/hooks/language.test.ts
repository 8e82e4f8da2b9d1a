import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { pseudo } from '../../../scripts/l10n/pseudo.ts';
import { readCatalog } from '../../../scripts/l10n/readCatalog.ts';
import { defineReadTool, ToolFailure } from '../../../src/extension/core/tool.ts';
import type { Part } from '../../../src/protocol/events.ts';
import { setLanguage, t } from '../../../src/protocol/language.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/conversation.ts';
import { eachTest } from '../../support/eachTest.ts';
import { makeHookFolder, oneHook, runsIn } from '../../support/hookWorld.ts';

const say = (text: string) => ({ parts: [{ kind: 'text', text }] as Part[] });
const call = (name: string, args: Record<string, unknown>, id = 'c1') => ({
  parts: [{ kind: 'call', id, name, args }] as Part[],
});

describe.skipIf(process.platform === 'win32')('hooks are programs and read English', () => {
  const folder = eachTest(() => makeHookFolder());
  let open: World[];

  beforeEach(async () => {
    open = [];
    const messages = Object.values(await readCatalog('l10n/bundle.l10n.json'));
    const catalog = Object.fromEntries(messages.map(message => [message, pseudo(message)]));
    setLanguage({ tag: 'en', catalog });
  });

  afterEach(async () => {
    setLanguage({ tag: 'en', catalog: {} });
    for (const { session } of open) await session.dispose();
  });

  function world(answers: WorldOptions['answers'], more: Partial<WorldOptions> = {}): World {
    const { hooks, workspace } = folder;
    const files = { 'a.txt': 'alpha' };
    const made = makeWorld({ answers, hooks, folder: workspace, files, mode: 'yolo', ...more });
    open.push(made);
    return made;
  }

  it.each([
    ['of a call that went well', { text: 'No match for x.', ok: true }, 'No matches'],
    ['of one that failed', { text: 'There is none.', ok: false }, 'No matches'],
  ])('AfterTool, the summary %s', async (_how, { text, ok }, english) => {
    const said: string[] = [];
    const summary = () => {
      said.push(t('No matches'));
      return said.at(-1)!;
    };
    const tool = defineReadTool({
      name: 'look',
      description: 'Looks.',
      input: () => z.object({}),
      title: () => 'Look',
      run: async () => {
        if (!ok) throw new ToolFailure(text, summary);
        return { text, display: { summary } };
      },
    });
    await folder.ofUser(oneHook('AfterTool', await folder.script('after')));
    const lived = world([call('look', {}), say('Done.')], { tools: [tool] });
    await lived.session.send('Go');
    expect(await folder.reportedTo('after')).toMatchObject({ tool_response: { returnDisplay: english } });
    const ended = lived.events.find(event => event.type === 'call.ended');
    expect(ended).toMatchObject({ display: { summary: pseudo(english) } });
    // Once to each of them.
    expect(said).toEqual([english, pseudo(english)]);
  });

  it('Notification, why a user is asked', async () => {
    await folder.ofUser(oneHook('Notification', await folder.script('note'), {}, 'ToolPermission'));
    const lived = world([call('run_shell_command', { command: 'npm test' }), say('Done.')], {
      mode: 'default',
    });
    lived.session.onEvent(event => {
      if (event.type === 'hook.ended') lived.session.decide('c1', { kind: 'deny' });
    });
    await lived.session.send('Go');
    const asked = lived.events.find(event => event.type === 'call.asked');
    expect(asked).toMatchObject({ ask: { reason: expect.stringMatching(/lorem|[åéïöü]/) } });
    const { message, details } = await folder.reportedTo('note');
    expect(`${message} ${JSON.stringify(details)}`).not.toMatch(/lorem|[åéïöü]/);
    expect(message).toMatch(/^npm can run project scripts/);
  });

  it('and the model reads English where one gave no reason, whose card says so to the user', async () => {
    await folder.ofUser(oneHook('BeforeTool', await folder.script('before', '', 2)));
    const lived = world([call('read_file', { file_path: 'a.txt' }), say('Done.')]);
    await lived.session.send('Go');
    expect(JSON.stringify(lived.model.requests[1]?.messages)).toContain(
      'It ended with exit code 2 and gave no reason.',
    );
    expect(runsIn(lived.events)).toMatchObject([{ summary: expect.stringMatching(/ït éndéd|[åéïöü]/i) }]);
  });
});
