import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { A2aServer } from '../support/a2aServer.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

describe('an agent on another server, in a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let far: A2aServer;
  beforeEach(async () => {
    far = await A2aServer.start();
    far.wanted = 'Bearer open-sesame';
    const folder = join(world.workspace, '.gemini', 'agents');
    await mkdir(folder, { recursive: true });
    const auth = 'auth:\n  type: http\n  scheme: Bearer\n  token: $COUNTER_TOKEN';
    const front = `kind: remote\nname: counter\ndescription: Counts\nagent_card_url: ${far.cardUrl}\n${auth}`;
    await writeFile(join(folder, 'counter.md'), `---\n${front}\n---\n`);
    world.server.script([call('invoke_agent', { agent_name: 'counter', prompt: 'count to three' })]);
    world.server.script([text('Done.')]);
  });
  afterEach(async () => {
    await far.end();
  });

  const run = (...more: readonly string[]) =>
    world.run(['--prompt', 'Count', '--trusted', '--output-format', 'stream-json', ...more], {
      env: { COUNTER_TOKEN: 'open-sesame' },
    });

  it('works where its tasks may go there, and its key is seen nowhere', async () => {
    const { code, out, error } = await run('--approval-mode', 'yolo');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(JSON.stringify(lastResults(world.server.requests[1]!))).toContain('one two three');
    expect(out).toContain('I begin.');
    expect(out + error + JSON.stringify(world.server.requests)).not.toContain('open-sesame');
  });

  it('is not asked where nobody said that it may', async () => {
    await run();
    expect(far.requests).toEqual([]);
    expect(JSON.stringify(lastResults(world.server.requests[1]!))).toContain(
      'needs approval, but there is no user to ask',
    );
  });
});
