import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

describe('a tool that no call of which could run', () => {
  const world = eachTest(() => HeadlessWorld.make());

  async function atHome(path: string, content: object | string): Promise<void> {
    const file = join(world.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** What the first request tells the model. */
  async function offered(...more: readonly string[]) {
    world.server.afterScript(() => [text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'go', ...more], {
      env: { HOME: world.home, USERPROFILE: world.home },
    });
    expect(code, error).toBe(0);
    const [first] = world.server.requests;
    return { tools: toolNames(first!), system: JSON.stringify(first!.body.systemInstruction) };
  }

  it('is not declared where the settings exclude it, and the prompt does not speak of it', async () => {
    await atHome('.gemini/settings.json', { tools: { exclude: ['replace', 'run_shell_command'] } });
    const { tools, system } = await offered();
    expect(tools).toEqual(expect.arrayContaining(['read_file', 'write_file']));
    expect(tools).not.toEqual(expect.arrayContaining(['replace']));
    expect(tools).not.toEqual(expect.arrayContaining(['run_shell_command']));
    expect(system).not.toContain('`replace`');
    expect(system).not.toContain('Commands get no input');
    expect(system).toContain('you cannot run anything here');
  });

  it('is declared where only some of its calls are excluded', async () => {
    await atHome('.gemini/settings.json', { tools: { exclude: ['run_shell_command(rm)'] } });
    expect((await offered()).tools).toContain('run_shell_command');
  });

  it('is not declared where the settings leave only others, but for what keeps notes', async () => {
    await atHome('.gemini/settings.json', { tools: { core: ['read_file', 'run_shell_command(ls)'] } });
    const { tools, system } = await offered();
    expect(tools).toEqual(expect.arrayContaining(['read_file', 'run_shell_command', 'create_new_topic']));
    for (const name of ['replace', 'write_file', 'glob', 'grep_search', 'web_fetch'])
      expect(tools, name).not.toContain(name);
    expect(system).not.toContain('narrow a search that returns too much');
  });

  it('is not declared where an extension excludes it', async () => {
    const manifest = { name: 'tides', version: '1.0.0', excludeTools: ['web_fetch'] };
    await atHome('.gemini/extensions/tides/gemini-extension.json', manifest);
    const { tools } = await offered();
    expect(tools).toContain('glob');
    expect(tools).not.toContain('web_fetch');
  });

  it('is not declared in plan mode when it edits; commands are, since some only read', async () => {
    const { tools } = await offered('--approval-mode', 'plan');
    expect(tools).toContain('run_shell_command');
    for (const name of ['replace', 'write_file', 'save_memory']) expect(tools, name).not.toContain(name);
  });

  it('is declared where a rule lets it in spite of another one of less weight', async () => {
    const rule = (decision: string, priority: number, more = '') =>
      `[[rule]]\ntoolName = "replace"\ndecision = "${decision}"\npriority = ${priority}\n${more}`;
    await atHome('.gemini/policies/a.toml', rule('deny', 10) + rule('allow', 20, 'argsPattern = "notes"\n'));
    expect((await offered()).tools).toContain('replace');
  });

  it('is refused with the reason when the model calls it all the same', async () => {
    await atHome('.gemini/settings.json', { tools: { exclude: ['write_file'] } });
    world.server.script([call('write_file', { file_path: 'a.txt', content: 'a' })]);
    await offered();
    expect(lastResults(world.server.requests[1]!)[0]?.error).toContain(
      'write_file is disabled in a settings file',
    );
  });
});
