import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());
beforeEach(async () => {
  const tools = { discoveryCommand: './tools list', callCommand: './tools call' };
  await mkdir(join(world.workspace, '.gemini'));
  await writeFile(join(world.workspace, '.gemini', 'settings.json'), JSON.stringify({ tools }));
  const list = JSON.stringify([{ name: 'greet', description: 'Greets.', parameters: { type: 'OBJECT' } }]);
  await writeFile(
    join(world.workspace, 'tools'),
    `#!/bin/bash\nif [ "$1" = list ]; then echo '${list}'; else echo "$2 got $(cat)"; fi\n`,
  );
  await chmod(join(world.workspace, 'tools'), 0o755);
});

it('tools that a command of the workspace lists are declared, and run where that is allowed', async () => {
  world.server.script([call('discovered_tool_greet', { who: 'Ada' })], [text('Greeted.')]);
  const run = await world.run(['--prompt', 'Greet', '--trusted', '--approval-mode', 'yolo']);
  expect(run).toMatchObject({ code: 0 });
  const [first, second] = world.server.requests;
  expect(JSON.stringify(first?.body.tools)).toContain('discovered_tool_greet');
  expect(JSON.stringify(second?.body.contents)).toMatch(/greet got .{1,10}who.{1,10}Ada/);
});

it('and are not there before the user has let them count, nor run where no user can be asked', async () => {
  world.server.script([text('None.')]);
  await world.run(['--prompt', 'Greet']);
  expect(JSON.stringify(world.server.requests[0]?.body.tools)).not.toContain('discovered_tool');
  world.server.script([call('discovered_tool_greet', {})], [text('Denied.')]);
  await world.run(['--prompt', 'Greet', '--trusted']);
  expect(JSON.stringify(world.server.requests.at(-1)?.body.contents)).toContain('there is no user to ask');
});
