/* What a tool of a server changes on the disk. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask, CastModel, say } from '../support/castModel.ts';
import { CheckpointedFolder } from '../support/checkpointedFolder.ts';
import { makeWorld } from '../support/conversation.ts';
import { initRepository } from '../support/gitRepository.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import { mcpWorld } from './support/mcpWorld.ts';

const program = join(import.meta.dirname, 'support/hostileServer.ts');
const hasGit = spawnSync('git', ['--version']).status === 0;

async function serve(cwd?: string) {
  const world = await mcpWorld();
  onTestFinished(world.end);
  const server = { command: process.execPath, args: [program, 'writes'] };
  world.set({ disk: { ...server, cwd: cwd ?? world.folder } });
  await world.until('disk', 'ready');
  return world;
}

test.skipIf(!hasGit)('files that a server writes are told, and going back takes them back', async () => {
  const folder = await CheckpointedFolder.make();
  onTestFinished(() => folder.dispose());
  await initRepository(folder.root, { 'a.txt': 'a\n' });
  const world = await serve(folder.root);
  const call = await RecordingCall.make();
  onTestFinished(() => call.dispose());
  const before = await folder.tree();
  const place = folder.beginTurn();
  const { touched, uncovered } = await folder.command(() => call.use(world.tool('mcp_disk_act'), {}));
  expect(touched.map(({ path }) => path).sort()).toEqual(['a.txt', 'new.txt']);
  expect(uncovered).toBeUndefined();
  await folder.restoreTo(place);
  expect(await folder.tree()).toEqual(before);
});

test('what is not covered of servers and commands is one sentence, which names neither', async () => {
  const world = await serve();
  const calls = ask(
    ['mcp_disk_act', {}],
    ['run_shell_command', { command: 'npm test' }],
    ['mcp_disk_say', {}],
  );
  const { session, events } = makeWorld({
    answers: [],
    mode: 'yolo',
    provider: new CastModel({ go: [calls, say('Done.')] }),
    tools: world.tools(),
  });
  expect(await session.send('go')).toEqual({ kind: 'rested' });
  const said = events.flatMap(event => (event.type === 'call.ended' ? event.display.uncovered : []));
  expect(said).toHaveLength(3);
  expect(new Set(said)).toEqual(new Set(['Without Git, a rewind restores only files that Folio wrote.']));
  await session.dispose();
});
