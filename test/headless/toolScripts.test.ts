/* Tools of servers called from a script of the model, in a real run with real servers and the real sandbox. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { estimateText } from '../../src/extension/core/context/tokens.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { issuesOf, repositories, shifts } from '../mcp/support/officeServer.ts';
import { eachTest } from '../support/eachTest.ts';
import { type Answer, call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import type { HeadlessOptions } from '../support/headlessProgram.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { mustHaveSandbox } from '../support/sandboxWorld.ts';

const office = join(import.meta.dirname, '../mcp/support/officeServer.ts');
const names = ['tracker', 'code', 'chat', 'calendar', 'files'];

/** A line of the output. */
type ReportedLine = SessionEvent | { readonly type: 'agent.event'; readonly event: SessionEvent };

describe('scripts of tools', () => {
  beforeAll(mustHaveSandbox);

  const world = eachTest(() => HeadlessWorld.make());

  async function run(
    answers: readonly Answer[],
    { trust = true, ...settings }: Readonly<Record<string, unknown>> = {},
    env: Readonly<Record<string, string>> = {},
    more: readonly string[] = [],
    onStart: HeadlessOptions['onStart'] = undefined,
  ) {
    const mcpServers = Object.fromEntries(
      names.map(name => [name, { command: process.execPath, args: [office, name], trust }]),
    );
    await writeFile(
      join(world.home, '.gemini', 'settings.json'),
      JSON.stringify({ mcpServers, ...settings }),
    );
    world.server.script(...answers);
    const args = ['--prompt', 'Go', '--output-format', 'stream-json', '--server-start', '240', ...more];
    const ran = await world.run(args, {
      env: { HOME: world.home, USERPROFILE: world.home, ...env },
      onStart,
    });
    const events = ran.out
      .trim()
      .split('\n')
      // A kill breaks the last line off.
      .filter(line => line.endsWith('}'))
      .map(line => JSON.parse(line) as ReportedLine);
    return { ...ran, events, requests: world.server.requests };
  }

  const script = (lines: string): Answer => [call('run_tool_script', { script: lines })];

  it('get what they call, and return what matters', async () => {
    const { code, error, events, requests } = await run([
      script(`const { issues } = await servers.tracker.list_issue({ repository: 'orders' });
print('seen', issues.length);
return issues.filter(each => each.kind === 'bug').map(({ number }) => number);`),
      [text('Done.')],
    ]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(toolNames(requests[0]!).filter(name => /mcp_|tool/.test(name))).toEqual([
      'find_tools',
      'run_tool_script',
    ]);
    expect(lastResults(requests[1]!)).toMatchObject([
      {
        name: 'run_tool_script',
        output: '<untrusted_content>\nseen 20\n[100,103,106,109,112,115,118]\n</untrusted_content>\n[1 call]',
      },
    ]);
    expect(callsUnder(events)).toEqual(['mcp_tracker_list_issue', 'ok']);
  });

  it('read signatures in place of schemas', async () => {
    const { requests } = await run([[call('find_tools', { query: 'list shift' })], [text('Done.')]]);
    const [found] = lastResults(requests[1]!);
    expect(found!.output).toContain(
      'servers.calendar.list_shift(args?: { id?: string /* Number of the shift, as other tools give it */; state?: "open" | "closed" | "all"',
    );
    expect(toolNames(requests[1]!)).not.toContain('mcp_calendar_list_shift');
  });

  it('pass the same rules and asks: what nobody allows is denied, and the script continues', async () => {
    const ask = `const { shifts } = await servers.calendar.list_shift();
const said = await servers.chat.create_message({ text: 'hello' }).catch(error => error.message);
return [shifts.length, said];`;
    const { events, requests } = await run([script(ask), [text('Done.')]], { trust: false });
    expect(callsUnder(events)).toEqual([
      'mcp_calendar_list_shift',
      'ok',
      'mcp_chat_create_message',
      'denied',
    ]);
    expect(lastResults(requests[1]!)[0]!.output).toMatch(
      /\[5,".+"\]\n<\/untrusted_content>\n\[2 calls, 1 failed\]/,
    );
  });

  it('run the hooks of each call: one denies, one changes arguments, one reads the result', async () => {
    const log = join(world.folder, 'after');
    const changed = { hookSpecificOutput: { tool_input: { text: 'changed' } } };
    const command = (line: string) => [{ type: 'command', command: line }];
    const hooks = {
      BeforeTool: [
        { matcher: 'mcp_files_create_file', hooks: command("echo 'No files' >&2; exit 2") },
        { matcher: 'mcp_chat_create_message', hooks: command(`echo '${JSON.stringify(changed)}'`) },
      ],
      AfterTool: [{ matcher: 'mcp_chat_create_message', hooks: command(`cat > '${log}'`) }],
    };
    const lines = `const refused = await servers.files.create_file({}).catch(error => error.message);
const { given } = await servers.chat.create_message({ text: 'as written' });
return [refused, given.text];`;
    const { events, requests } = await run([script(lines), [text('Done.')]], { hooks });
    expect(callsUnder(events)).toEqual(['mcp_files_create_file', 'denied', 'mcp_chat_create_message', 'ok']);
    const [result] = lastResults(requests[1]!);
    expect(result!.output).toContain('No files');
    expect(result!.output).toContain('"changed"');
    expect(result!.output).not.toContain('as written');
    expect(JSON.parse(await readFile(log, 'utf8'))).toMatchObject({
      tool_name: 'mcp_chat_create_message',
      tool_input: { text: 'changed' },
    });
  });

  it('that are killed in the middle of a call are not run again', async () => {
    const lines = `await servers.chat.create_message({ text: 'once' });
for (;;) await servers.tracker.list_issue({ repository: 'orders' });`;
    let ended = 0;
    const killed = await run([script(lines)], {}, {}, [], child => {
      child.stdout.on('data', (chunk: string) => {
        ended += chunk.split('"call.ended"').length - 1;
        if (ended >= 3) child.kill('SIGKILL');
      });
    });
    expect(killed.code).toBe(null);
    const before = world.server.requests.length;
    const again = await run([[text('Then not.')]], {}, {}, ['--resume', 'latest']);
    expect({ code: again.code, error: again.error }).toEqual({ code: 0, error: '' });
    // No call is made again: what was open is closed, and the model is asked once.
    expect(world.server.requests).toHaveLength(before + 1);
    expect(again.events.filter(({ type }) => type === 'call.requested')).toEqual([]);
    expect(callsUnder(again.events).filter(each => each.startsWith('mcp_'))).toEqual([]);
    expect(JSON.stringify(world.server.requests.at(-1)!.body)).toContain('whether it took effect is unknown');
  });

  it('follow the rules of each tool in plan mode, too', async () => {
    const lines = `const { shifts } = await servers.calendar.list_shift();
const said = await Promise.allSettled([servers.chat.create_message({}), servers.files.create_file({})]);
return [shifts.length, ...said.map(each => each.status)];`;
    const plan = ['--approval-mode', 'plan'];
    const { requests } = await run([script(lines), [text('Done.')]], {}, {}, plan);
    expect(JSON.stringify(lastResults(requests[1]!))).toMatch(
      /\[5,\\*"rejected\\*",\\*"rejected\\*"\]|has no tool/,
    );
  });

  it('have no tool that is excluded, nor one of Folio', async () => {
    const tools = { exclude: ['mcp_chat_create_message'] };
    const { requests } = await run(
      [script(`await servers.chat.create_message({})`), script(`await servers.folio.x({})`), [text('Done.')]],
      { tools },
    );
    expect(JSON.stringify(lastResults(requests[1]!))).toContain('chat has no tool create_message.');
    expect(JSON.stringify(lastResults(requests[2]!))).toContain('There is no server folio.');
    expect(JSON.stringify(requests[0]!.body)).not.toContain('create_message');
  });

  it('are not offered where there is no sandbox, which is said in one sentence', async () => {
    const folio = { 'folio.mcp.byCode': 'on' };
    const { code, error, requests } = await run([[text('Done.')]], folio, { PATH: world.folder });
    expect(code).toBe(0);
    expect(error).toMatch(/^Tools of servers are not called from scripts, since there is no sandbox\. .+\n$/);
    expect(toolNames(requests[0]!)).not.toContain('run_tool_script');
  });

  it('take at least 70 % fewer tokens than calls one by one, with 5 servers and 120 tools', async () => {
    const onCall = shifts.filter(({ week }) => week === 'this').map(({ user }) => user);
    const totals = repositories.map(name => {
      const bugs = issuesOf(name).filter(({ kind, assignee }) => kind === 'bug' && onCall.includes(assignee));
      return `${name}: ${bugs.length}`;
    });
    const find = [call('find_tools', { query: 'list repository issue shift, create message' })];
    const message = { id: 'triage', text: totals.join(', ') };
    const lists = repositories.map(repository => call('mcp_tracker_list_issue', { repository }));
    const first = [find, [call('mcp_code_list_repository')], [call('mcp_calendar_list_shift')]];
    const last = [[call('mcp_chat_create_message', message)], [text('Posted.')]];
    const off = { 'folio.mcp.byCode': 'off' };
    const oneByOne = await cost([...first, ...lists.map(each => [each]), ...last], off);
    const atOnce = await cost([...first, lists, ...last], off);
    const byCode = await cost(
      [
        find,
        script(`const { repositories } = await servers.code.list_repository({});
const { shifts } = await servers.calendar.list_shift({});
const onCall = shifts.filter(each => each.week === 'this').map(each => each.user);
const totals = await Promise.all(repositories.map(async ({ name }) => {
  const { issues } = await servers.tracker.list_issue({ repository: name });
  return name + ': ' + issues.filter(each => each.kind === 'bug' && onCall.includes(each.assignee)).length;
}));
const { given } = await servers.chat.create_message({ id: 'triage', text: totals.join(', ') });
return given.text;`),
        [text('Posted.')],
      ],
      {},
    );
    expect(byCode.last).toContain(totals.join(', '));
    expect(byCode.tokens).toBeLessThan(0.3 * oneByOne.tokens);
    expect(byCode.tokens).toBeLessThan(0.3 * atOnce.tokens);
  });

  /** Tokens of all requests of a run. */
  async function cost(answers: readonly Answer[], settings: Readonly<Record<string, unknown>>) {
    const before = world.server.requests.length;
    const { code } = await run(answers, settings);
    expect(code).toBe(0);
    const requests = world.server.requests.slice(before);
    expect(requests).toHaveLength(answers.length);
    return {
      tokens: requests.reduce((sum, { body }) => sum + estimateText(JSON.stringify(body)), 0),
      bytes: requests.map(({ bytes }) => bytes),
      last: JSON.stringify(lastResults(requests.at(-1)!)),
    };
  }
});

/** Names and outcomes of the calls under the script's. */
function callsUnder(events: readonly ReportedLine[]): readonly string[] {
  return events.flatMap(reported => {
    if (reported.type !== 'agent.event') return [];
    const { event } = reported;
    if (event.type === 'call.requested') return [event.tool];
    return event.type === 'call.ended' ? [event.outcome] : [];
  });
}
