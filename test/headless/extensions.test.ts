import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe.skipIf(process.platform === 'win32')('an extension in a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let home: string;
  beforeEach(async () => {
    home = await temporaryFolder('folio-extended-');
    const hook = { type: 'command', command: 'echo "$TIDE_PORT" > "${extensionPath}/ran"' };
    await install({
      'gemini-extension.json': JSON.stringify({
        contextFileName: 'TIDES.md',
        excludeTools: ['run_shell_command(touch)'],
        settings: [{ envVar: 'TIDE_PORT' }, { name: 'API key', envVar: 'TIDE_KEY', sensitive: true }],
        mcpServers: { tide: { command: 'true' } },
      }),
      'TIDES.md': 'Tides come twice a day.',
      'hooks/hooks.json': JSON.stringify({ hooks: { BeforeAgent: [{ hooks: [hook] }] } }),
      '.env': 'TIDE_PORT=7\n',
    });
  });

  const folder = () => join(home, '.gemini', 'extensions', 'tides');

  async function install(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder(), name)), { recursive: true });
      await writeFile(join(folder(), name), content);
    }
  }

  async function run() {
    world.server.script([call('run_shell_command', { command: 'touch made' })]);
    world.server.script([text('Done.')]);
    const result = await world.run(['--prompt', 'Make it', '--approval-mode', 'yolo'], {
      env: { HOME: home, USERPROFILE: home },
    });
    const [first, second] = world.server.requests;
    return {
      ...result,
      system: JSON.stringify(first!.body.systemInstruction),
      denial: JSON.stringify(lastResults(second!)),
    };
  }

  it('brings memory, hooks with what is set, and tools that it switches off', async () => {
    const { system, denial, error, code } = await run();
    expect(code).toBe(0);
    expect(system).toContain('Tides come twice a day.');
    expect(denial).toContain('disabled by the extension tides');
    expect(await readFile(join(folder(), 'ran'), 'utf8')).toBe('7\n');
    expect(error).toContain(
      'The server tide does not run: The extension tides needs API key (TIDE_KEY). Name it in the .env of the extension.',
    );
  });

  it('brings nothing while it is switched off', async () => {
    await mkdir(join(home, '.gemini'), { recursive: true });
    await writeFile(join(home, '.gemini', 'settings.json'), '{ "folio.disabled": ["tides"] }');
    const { system, denial, error } = await run();
    expect(system).not.toContain('Tides come');
    expect(denial).not.toContain('disabled by the extension');
    expect(error).not.toContain('TIDE_KEY');
    await expect(readFile(join(folder(), 'ran'))).rejects.toThrow('ENOENT');
  });
});
