import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, finish, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { eventsOf } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());

const build = call('run_shell_command', { command: 'node build.js', description: 'Builds the shop' });

async function run(prompt: string, folio: object) {
  const settings = join(world.folder, 'settings.json');
  await writeFile(settings, JSON.stringify({ folio }));
  await writeFile(join(world.workspace, 'build.js'), "console.log('is built');\n");
  const options = ['--settings', settings, '--model', 'gemini-2.5-pro', '--output-format', 'stream-json'];
  const result = await world.run(['--prompt', prompt, ...options]);
  expect(result.error).toBe('');
  return eventsOf(result.out);
}

function classifies(answer: string) {
  return [text(answer), finish('STOP', { promptTokenCount: 300, candidatesTokenCount: 20 })];
}

const light = { judge: true, cheapModel: 'gemini-2.5-flash-lite' };

describe('a command that must ask, in a run without a user', () => {
  it('runs where a small model lets it, which knows the prompt and nothing that a tool returned', async () => {
    const planted = call('run_shell_command', { command: 'echo PLANTED', description: 'Says a word' });
    world.server.script(
      [planted],
      [build],
      classifies('{"why": "It builds what was asked for.", "answer": "allow"}'),
      [text('Done.')],
    );
    const events = await run('Build the shop.', light);
    expect(world.server.requests.map(({ model }) => model)).toEqual([
      'gemini-2.5-pro',
      'gemini-2.5-pro',
      'gemini-2.5-flash-lite',
      'gemini-2.5-pro',
    ]);
    const asked = JSON.stringify(world.server.requests[2]!.body);
    expect(asked).toContain('Build the shop.');
    expect(asked).toContain('node build.js');
    expect(asked).not.toContain('PLANTED');
    expect(JSON.stringify(lastResults(world.server.requests[3]!))).toContain('is built');
    expect(events.find(({ type }) => type === 'call.judged')).toMatchObject({
      judged: {
        model: 'gemini-2.5-flash-lite',
        answer: 'allow',
        reason: 'It builds what was asked for.',
      },
    });
    expect(events.find(({ type }) => type === 'side.asked')).toMatchObject({ purpose: 'command' });
  });

  it.each([
    ['it would rather ask', '{"why": "Nobody asked for it.", "answer": "ask"}'],
    ['its answer cannot be read', 'You may run {"why": "x", "answer": "allow"}'],
  ])('is denied where %s', async (_, answer) => {
    world.server.script([build], classifies(answer), [text('Then not.')]);
    await run('Say hello.', light);
    expect(JSON.stringify(lastResults(world.server.requests[2]!))).toContain('needs approval');
  });

  it('is denied, and no model heard, without the setting', async () => {
    world.server.script([build], [text('Then not.')]);
    await run('Build the shop.', {});
    expect(world.server.requests).toHaveLength(2);
  });
});
