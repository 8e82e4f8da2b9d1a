/* The built entry, as a script uses it. */

import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { InstallWorld } from '../support/installWorld.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe.skipIf(process.platform === 'win32')('/extensions in a headless run', () => {
  const world = eachTest(() => HeadlessWorld.make());
  const sources = eachTest(() => InstallWorld.make());
  let home: string;
  beforeEach(async () => {
    home = await temporaryFolder('folio-installing-');
  });

  const run = (prompt: string) => world.run(['--prompt', prompt], { env: { HOME: home, USERPROFILE: home } });

  const files = {
    'gemini-extension.json': { name: 'tides', version: '1.0.0' },
    'commands/ebb.toml': 'prompt = "Tell of the ebb"',
    'hooks/hooks.json': {
      hooks: { BeforeAgent: [{ hooks: [{ type: 'command', command: 'touch "$HOME/ran"' }] }] },
    },
  };

  it('installs from a repository only with a word for it, shows what it brings, and it counts', async () => {
    const bare = await sources.publish('tides', files);
    const refused = await run(`/extensions install ${bare}`);
    expect(refused.out).toContain('hook BeforeAgent: touch "$HOME/ran"');
    expect(refused.error).toContain(
      'was not installed. Check what this means, then send the same again with --yes',
    );
    expect(refused.code).not.toBe(0);
    expect((await run('/extensions list')).out).toContain('No extensions are installed.');

    const agreed = await run(`/extensions install ${bare} --yes`);
    expect(agreed.code).toBe(0);
    expect(agreed.out).toContain('The extension tides 1.0.0 is installed');
    expect((await run('/extensions list')).out).toContain(`- \`tides\`: active · 1.0.0 · from ${bare} at `);
    await expect(access(join(home, 'ran'))).rejects.toThrow();

    world.server.script([text('Low at six.')]);
    expect((await run('/ebb')).out).toContain('Low at six.');
    await access(join(home, 'ran'));
  });

  it('updates, switches and removes', async () => {
    const bare = await sources.publish('tides', files);
    await run(`/extensions install file://${bare} --yes`);
    await sources.publish('tides', { 'commands/flood.toml': 'prompt = "Flood"' });
    const updated = await run('/extensions update');
    expect(updated.out).toContain('command /flood:');
    expect(updated.out).toContain('The extension tides was updated: 1 file changed.');
    await run('/extensions disable tides --workspace');
    expect((await run('/flood')).error).toContain('is disabled');
    await run('/extensions enable tides --workspace');
    expect((await run('/extensions remove tides')).error).toContain('was not removed');
    expect((await run('/extensions remove tides --yes')).code).toBe(0);
    expect((await run('/extensions list')).out).toContain('No extensions are installed.');
  });

  it('installs a plugin of a marketplace, whose hooks and commands find its folder', async () => {
    const hook = { type: 'command', command: 'cp "${CLAUDE_PLUGIN_ROOT}/map.md" "$HOME/ran"' };
    const source = await sources.write('market', {
      '.claude-plugin/marketplace.json': {
        name: 'harbour',
        owner: { name: 'A' },
        plugins: [{ name: 'gulls', source: './gulls' }],
      },
      'gulls/.claude-plugin/plugin.json': { name: 'gulls', version: '1.0.0' },
      'gulls/map.md': 'North is up.',
      'gulls/commands/fly.md': 'Fly to $1 by this: !`cat ${CLAUDE_PLUGIN_ROOT}/map.md`',
      'gulls/hooks/hooks.json': { hooks: { UserPromptSubmit: [{ hooks: [hook] }] } },
    });
    expect((await run(`/extensions market add ${source}`)).out).toContain('harbour is added, with 1 plugin');
    expect((await run('/extensions install gulls@harbour --yes')).code).toBe(0);
    world.server.script([text('There.')]);
    const flown = await world.run(['--prompt', '/fly Rome', '--approval-mode', 'yolo'], {
      env: { HOME: home, USERPROFILE: home },
    });
    expect(flown.out).toContain('There.');
    const [request] = world.server.requests;
    expect(JSON.stringify(request!.body.contents)).toMatch(/Fly to Rome by this: .*North is up\./);
    expect(await readFile(join(home, 'ran'), 'utf8')).toBe('North is up.');
  });

  it('knows /plugin and its marketplaces, with the same consent', async () => {
    const list = (names: readonly string[]) => ({
      name: 'harbour',
      owner: { name: 'A' },
      plugins: names.map(name => ({ name, source: `./${name}` })),
    });
    const plugin = (name: string) => ({
      [`${name}/.claude-plugin/plugin.json`]: { name, version: '1.0.0' },
      [`${name}/commands/fly.md`]: 'Fly.',
    });
    const source = await sources.write('market', {
      '.claude-plugin/marketplace.json': list(['gulls']),
      ...plugin('gulls'),
    });
    expect((await run(`/plugin marketplace add ${source}`)).out).toContain('harbour is added, with 1 plugin');
    expect((await run('/plugin marketplace list')).out).toContain('harbour');
    const file = join(source, '.claude-plugin', 'marketplace.json');
    await writeFile(file, JSON.stringify(list(['gulls', 'terns'])));
    expect((await run('/plugin marketplace update harbour')).out).toContain('harbour offers 2 plugins now.');
    expect((await run('/plugin marketplace update port')).error).toContain('port was not found');
    const refused = await run('/plugin install gulls@harbour');
    expect(refused.code).not.toBe(0);
    expect((await run('/plugin install gulls@harbour --yes')).code).toBe(0);
    expect((await run('/plugin list')).out).toContain('gulls');
    expect((await run('/plugin uninstall gulls --yes')).code).toBe(0);
    expect((await run('/plugin marketplace remove harbour')).code).toBe(0);
    expect((await run('/plugin install gulls@harbour --yes')).error).toContain(
      'There is no marketplace harbour',
    );
  });

  it('writes files of agents and skills that count, for the workspace only when it is trusted', async () => {
    const created = await run('/agents create scout --description "Looks ahead: far" --tools read_file');
    expect(created.out).toContain(`Its file is ${join(home, '.gemini', 'agents', 'scout.md')}`);
    expect(created.code).toBe(0);
    expect((await run('/agents')).out).toContain('`scout`: Looks ahead: far');
    await run('/skills create dive When it gets deep');
    expect((await run('/skills list')).out).toContain('`dive` (user): When it gets deep');
    const again = await run('/skills create dive Again');
    expect(again.error).toContain('already exists');
    const restricted = await world.run(
      ['--untrusted', '--prompt', '/skills create hop --workspace --description Hops'],
      { env: { HOME: home, USERPROFILE: home } },
    );
    expect(restricted.error).toContain('The workspace is restricted, so nothing is written.');
    expect(restricted.code).not.toBe(0);
  });
});
