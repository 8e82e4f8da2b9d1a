import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, startGeminiServer } from '../support/geminiServer.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('memory files in a headless run', () => {
  const server = eachTest(() => startGeminiServer());
  let folder: string;
  let workspace: string;
  beforeEach(async () => {
    folder = await temporaryFolder('folio-memory-');
    workspace = join(folder, 'repository', 'workspace');
    await mkdir(join(workspace, 'src'), { recursive: true });
    await mkdir(join(folder, 'repository', '.git'));
    await writeFile(join(folder, 'settings.json'), '{ "context": { "fileName": "NOTES.md" } }');
    await writeFile(join(folder, 'NOTES.md'), 'beyond the repository');
    await writeFile(join(folder, 'repository', 'NOTES.md'), 'root of the repository, @style.md');
    await writeFile(join(folder, 'repository', 'style.md'), 'imported style');
    await writeFile(join(workspace, 'GEMINI.md'), 'a name that is not asked for');
    await writeFile(join(workspace, 'src', 'NOTES.md'), 'rules for sources');
    await writeFile(join(workspace, 'src', 'a.txt'), 'text');
  });

  async function readInFolder(...more: readonly string[]): Promise<{ system: string; result: string }> {
    server.script([call('read_file', { file_path: 'src/a.txt' })]);
    server.script([text('Done.')]);
    const basics = ['--workspace', workspace, '--base-url', server.baseUrl, '--prompt', 'Read'];
    const places = ['--session-dir', join(folder, 'sessions'), '--settings', join(folder, 'settings.json')];
    const args = [...basics, ...places, ...more];
    const { code, error } = await runHeadless({ args, env: { GEMINI_API_KEY: 'test' } });
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const [first, second] = server.requests;
    return {
      system: JSON.stringify(first!.body.systemInstruction),
      result: JSON.stringify(lastResults(second!)),
    };
  }

  it('come by the names of the settings, from the repository down, and just in time below', async () => {
    const { system, result } = await readInFolder();
    expect(system).toContain('root of the repository');
    expect(system).toContain('imported style');
    expect(system).not.toMatch(/beyond the repository|not asked for|rules for sources/);
    const key = /memory key=\\+"([\w-]+)\\+"/.exec(system)?.[1];
    expect(result).toContain('rules for sources');
    expect(result).toMatch(new RegExp(`memory key=\\\\+"${key}\\\\+"`));
  });

  it('come by each of several names', async () => {
    const fileName = ['AGENTS.md', 'NOTES.md', 'GEMINI.md'];
    await writeFile(join(folder, 'settings.json'), JSON.stringify({ context: { fileName } }));
    await writeFile(join(workspace, 'AGENTS.md'), 'words for agents');
    const { system } = await readInFolder();
    for (const words of ['words for agents', 'root of the repository', 'a name that is not asked for'])
      expect(system).toContain(words);
  });

  it('do not count in a restricted workspace', async () => {
    const { system, result } = await readInFolder('--untrusted');
    expect(system + result).not.toMatch(/root of the repository|imported style|rules for sources|<memory/);
  });
});
