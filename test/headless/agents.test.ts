import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readJournals } from '../../src/extension/core/recording/readEvents.ts';
import { readSession } from '../../src/extension/core/recording/restore.ts';
import { NodeSessionStore } from '../../src/extension/node/sessions/nodeSessionStore.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { type GeminiServer, lastResults, toolNames } from '../support/geminiServer.ts';
import type { HeadlessResult } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const own = `---
name: proof-reader
description: Reads texts for mistakes
tools: Read
model: haiku
---
You look for mistakes in texts.
`;

/** What the lines on standard output tell of subagents. */
function agentLines(out: string): readonly { readonly event: { readonly type: string } }[] {
  const lines = out.split('\n').filter(Boolean);
  return lines.map(line => JSON.parse(line)).filter(({ type }) => type === 'agent.event');
}

const asked = ['--prompt', 'Check a.txt', '--output-format', 'stream-json'];

describe('subagents in a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let server: GeminiServer;
  beforeEach(async () => {
    ({ server } = world);
    await mkdir(join(world.workspace, '.claude', 'agents'), { recursive: true });
    await writeFile(join(world.workspace, '.claude', 'agents', 'proof-reader.md'), own);
    await writeFile(join(world.workspace, 'a.txt'), 'alhpa');
  });

  function run(...more: readonly string[]): Promise<HeadlessResult> {
    return world.run([...asked, ...more]);
  }

  it('of the workspace work with a prompt, tools and a history of their own', async () => {
    server.script([call('invoke_agent', { agent_name: 'proof-reader', prompt: 'Read a.txt' })]);
    server.script([call('read_file', { file_path: 'a.txt' })]);
    server.script([call('complete_task', { result: 'One letter is in the wrong place.' })]);
    server.script([text('It says alhpa.')]);
    const { code, out, error } = await run('--trusted');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const [first, second, , last] = server.requests.map(request => JSON.stringify(request));
    expect(first).toContain('proof-reader: Reads texts for mistakes');
    expect(second).toContain('You look for mistakes in texts.');
    expect(second).not.toContain('Check a.txt');
    expect(second).not.toContain('"write_file"');
    expect(last).toContain('Check a.txt');
    expect(JSON.stringify(lastResults(server.requests[3]!))).toContain('One letter is in the wrong place.');
    const inside = agentLines(out);
    expect(inside.at(0)).toMatchObject({ agent: 'proof-reader', event: { type: 'session.started' } });
    expect(inside.at(-1)).toMatchObject({ event: { type: 'turn.ended' } });
    const numbers = out
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line).seq as number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  it('the investigator begins with the tree and the standing instructions, and may read the web', async () => {
    await writeFile(join(world.workspace, 'AGENTS.md'), 'Count in dozens.');
    server.script([call('invoke_agent', { agent_name: 'codebase_investigator', prompt: 'Look around.' })]);
    const report = { SummaryOfFindings: 'It is small.', ExplorationTrace: [], RelevantLocations: [] };
    server.script([call('complete_task', report)]);
    server.script([text('Done.')]);
    const { code } = await run('--trusted');
    expect(code).toBe(0);
    const agent = server.requests[1]!;
    expect(toolNames(agent)).toContain('web_fetch');
    expect(toolNames(agent)).not.toContain('write_file');
    expect(JSON.stringify(agent.body)).toContain('Count in dozens.');
    expect(JSON.stringify(agent.body.contents)).toContain('a.txt');
  });

  it('one answers how Folio works from the documentation that is part of it', async () => {
    const docs = join(import.meta.dirname, '..', '..', 'docs');
    server.script([call('invoke_agent', { agent_name: 'folio_help', prompt: 'How do I compress?' })]);
    server.script([call('grep_search', { pattern: '/compress', dir_path: docs })]);
    server.script([call('read_file', { file_path: join(docs, 'commands.md'), end_line: 5 })]);
    server.script([call('complete_task', { result: 'By /compress (commands.md).' })]);
    server.script([text('By /compress.')]);
    const { code } = await run();
    expect(code).toBe(0);
    expect(JSON.stringify(server.requests[1]!.body)).toContain(`is in ${docs},`);
    expect(JSON.stringify(lastResults(server.requests[2]!))).toContain('commands.md');
    expect(JSON.stringify(lastResults(server.requests[3]!))).toContain('# ');
  });

  it.each([
    ['agents.overrides', { agents: { overrides: { codebase_investigator: { enabled: false } } } }],
    [
      'agents.overrides, written the other way',
      { agents: { overrides: { codebase_investigator: { disabled: true } } } },
    ],
    ['its own switch', { experimental: { codebaseInvestigatorSettings: { enabled: false } } }],
    ['tools.exclude', { tools: { exclude: ['codebase_investigator'] } }],
    ['folio.disabled', { folio: { disabled: ['codebase_investigator'] } }],
  ])('that Folio brings along are switched off by %s', async (_how, settings) => {
    const home = join(world.folder, 'home');
    await mkdir(join(home, '.gemini'), { recursive: true });
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    server.script([call('invoke_agent', { agent_name: 'codebase_investigator', prompt: 'Look' })]);
    server.script([text('Then not.')]);
    const args = ['--prompt', 'Check a.txt', '--trusted'];
    const { code, error } = await world.run(args, { env: { HOME: home, USERPROFILE: home } });
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(JSON.stringify(server.requests[0])).toContain('generalist');
    expect(JSON.stringify(server.requests[0])).not.toContain('codebase_investigator');
    expect(JSON.stringify(lastResults(server.requests[1]!))).toContain('There is no agent');
  });

  it('take the limits of the settings that a run is given, and get one last step to hand in', async () => {
    const settings = join(world.folder, 'given.json');
    const generalist = { runConfig: { maxTurns: 2 } };
    await writeFile(settings, JSON.stringify({ agents: { overrides: { generalist } } }));
    const list = [call('list_directory', { dir_path: '.' })];
    server.script(
      [call('invoke_agent', { agent_name: 'generalist', prompt: 'List' })],
      ...[list, list],
      [call('complete_task', { result: 'Half of it.' })],
      [text('Done.')],
    );
    const { code, error } = await world.run(['--prompt', 'go', '--settings', settings, '--trusted']);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const requests = server.requests.map(({ body }) => JSON.stringify(body.contents));
    expect(requests.map(each => each.includes('Call `complete_task` now'))).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    expect(requests[4]).toContain('Half of it.');
  });

  it('that Folio brings along are switched off by a workspace, too, which has no say over the user’s', async () => {
    const home = join(world.folder, 'home');
    await mkdir(join(home, '.gemini', 'agents'), { recursive: true });
    await writeFile(join(home, '.gemini', 'agents', 'mine.md'), own.replace('proof-reader', 'mine'));
    await mkdir(join(world.workspace, '.gemini'));
    const off = { enabled: false };
    const overrides = {
      generalist: off,
      codebase_investigator: off,
      folio_help: off,
      'proof-reader': off,
      mine: off,
    };
    await writeFile(
      join(world.workspace, '.gemini', 'settings.json'),
      JSON.stringify({ agents: { overrides } }),
    );
    const { code, out } = await world.run(['--prompt', '/agents', '--trusted'], {
      env: { HOME: home, USERPROFILE: home },
    });
    expect({ code, names: [...out.matchAll(/- `(.*?)`/g)].map(([, name]) => name) }).toEqual({
      code: 0,
      names: ['mine'],
    });
  });

  it('get their model and limits by a command, which writes them into the user’s settings beside what stands there', async () => {
    const home = join(world.folder, 'home');
    const path = join(home, '.gemini', 'settings.json');
    await mkdir(join(home, '.gemini'), { recursive: true });
    await writeFile(path, '{\n  // Mine.\n  "ui": {}\n}\n');
    const command = (words: string) =>
      world.run(['--trusted', '--prompt', `/agents config ${words}`], {
        env: { HOME: home, USERPROFILE: home },
      });
    const set = await command('generalist --model fast-1 --turns 5 --minutes 2');
    expect(set).toMatchObject({ code: 0, error: '' });
    expect(set.out).toContain('generalist: the model fast-1, 5 steps and 2 minutes.');
    const written = await readFile(path, 'utf8');
    expect(written).toContain('// Mine.');
    expect(written).toContain('"maxTurns": 5');
    expect((await command('generalist')).out).toContain('the model fast-1, 5 steps and 2 minutes');
    expect((await command('generalist --turns 0')).error).toContain('--turns cannot be 0.');
    expect((await command('generalizt')).error).toContain('Did you mean generalist?');
    expect((await command('')).error).toContain('Add a name: /agents config NAME.');
    const reset = await command('generalist --reset --temperature 0.5');
    expect(reset.out).toContain("generalist: the session's model, temperature 0.5, 20 steps and 10 minutes.");
    expect(await readFile(path, 'utf8')).not.toContain('maxTurns');
  });

  it('that are broken are told with their file, and so are skills; the others work', async () => {
    const home = join(world.folder, 'home');
    const agents = join(home, '.gemini', 'agents');
    const skill = join(home, '.claude', 'skills', 'tidy', 'SKILL.md');
    await mkdir(agents, { recursive: true });
    await mkdir(join(skill, '..'), { recursive: true });
    await writeFile(join(agents, 'mute.md'), 'You look for mistakes.');
    await writeFile(join(agents, 'bold.md'), own.replace('tools: Read', 'temperature: high'));
    await writeFile(skill, '---\nname: [tidy\n---\nTidy up.');
    const args = ['--prompt', '/agents', '--trusted'];
    const { code, out, error } = await world.run(args, { env: { HOME: home, USERPROFILE: home } });
    expect({ code, isThere: out.includes('proof-reader') }).toEqual({ code: 0, isThere: true });
    expect(error.trimEnd().split('\n').sort()).toEqual([
      `The agent ${join(agents, 'bold.md')} needs a number from 0 to 2 as \`temperature\`. It is ignored.`,
      `The agent ${join(agents, 'mute.md')} needs a description, so that the model knows what to send it out for. It is ignored.`,
      expect.stringContaining(`The skill ${skill} has frontmatter that is not valid YAML`),
    ]);
  });

  it('that nobody has let count yet are told, and so are skills', async () => {
    const skill = join(world.workspace, '.claude', 'skills', 'tidy');
    await mkdir(skill, { recursive: true });
    await writeFile(join(skill, 'SKILL.md'), '---\ndescription: Tidies up\n---\nTidy up.');
    const { code, error } = await world.run(['--prompt', '/agents']);
    const advice = 'does not count. Look at it, then let it count in a window or run with --trusted.\n';
    const [agent, other] = ['agents/proof-reader.md', 'skills/tidy/SKILL.md'];
    expect({ code, error }).toEqual({
      code: 0,
      error: `The agent ${join(world.workspace, '.claude', agent!)} ${advice}The skill ${join(world.workspace, '.claude', other!)} ${advice}`,
    });
  });

  it.skipIf(process.platform === 'win32')(
    'that are killed in the middle of a call come back closed, with what they had done',
    async () => {
      server.script([call('invoke_agent', { agent_name: 'generalist', prompt: 'Wait' })]);
      server.script([call('read_file', { file_path: 'a.txt' })]);
      server.script([call('run_shell_command', { command: 'echo begun && sleep 1000' })]);
      const killed = await world.run([...asked, '--trusted', '--approval-mode', 'yolo'], {
        onStart: child => {
          let out = '';
          child.stdout.on('data', (piece: string) => {
            out += piece;
            if (/"call\.output".*begun/.test(out)) child.kill('SIGKILL');
          });
        },
      });
      expect(killed.code).toBe(null);
      server.script([text('Then not.')]);
      const again = await world.run([
        '--trusted',
        '--resume',
        'latest',
        '--prompt',
        'And?',
        '--output-format',
        'stream-json',
      ]);
      expect({ code: again.code, error: again.error }).toEqual({ code: 0, error: '' });
      const ends = agentLines(again.out).map(({ event }) => event.type);
      expect(ends).toEqual(['call.ended', 'turn.ended']);
      expect(JSON.stringify(server.requests.at(-1))).toContain('whether it took effect is unknown');
      const store = new NodeSessionStore(join(world.folder, 'sessions'));
      const [stored] = await store.list();
      const { state, unreadable } = readSession(await readJournals(store, stored!.sessionId));
      const items = state.chapters.flatMap(chapter => [...iterate(chapter.items)]);
      const sent = items.find(item => item.type === 'call' && item.agent);
      const work = sent?.type === 'call' ? sent.agent!.session : undefined;
      expect({ unreadable, activity: work?.activity }).toEqual({
        unreadable: 0,
        activity: { status: 'resting' },
      });
      const shown = JSON.stringify(work?.chapters);
      expect(shown).toContain('Read a.txt');
      expect(shown).toContain('begun');
    },
  );

  it('of a workspace that nobody vouches for are not known', async () => {
    server.script([call('invoke_agent', { agent_name: 'proof-reader', prompt: 'Read a.txt' })]);
    server.script([text('Then not.')]);
    const { code } = await run('--untrusted');
    expect(code).toBe(0);
    expect(JSON.stringify(server.requests[0])).not.toContain('Reads texts for mistakes');
    const results = JSON.stringify(lastResults(server.requests[1]!));
    expect(results).toContain('There is no agent');
    expect(results).toContain('generalist');
  });
});
