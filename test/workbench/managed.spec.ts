/* Settings of an organisation, in a window whose machine has them. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { ask, asked, button, expectPlayed, reported, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

/** The machine of the test alone has the file: a mount that no other process sees puts the folder over `/etc`. */
function inOwnPlace(folder: string): readonly string[] {
  const script = `mount -t overlay overlay -o "lowerdir=${folder}:/etc" /etc && exec "$@"`;
  return ['unshare', '--mount', 'sh', '-c', script, 'sh'];
}

/** It takes the rights of an administrator, on Linux. */
const hasPlaces = spawnSync('unshare', ['--mount', 'true']).status === 0 && process.getuid?.() === 0;

const idle = `require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answers = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tide', version: '1' } },
    'tools/list': { tools: [{ name: 'table', inputSchema: { type: 'object' } }] },
  };
  const rest = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'Unknown' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
});`;

test.skipIf(!hasPlaces)(
  'what an organisation manages is shown as that, and neither settings nor files of the user weaken it',
  { tags: ['journey'] },
  async ({ openOwn, makeFolder, startGemini, writeHome }) => {
    const gemini = await startGemini();
    const audit = await makeFolder({});
    const tides = { command: process.execPath, args: ['-e', idle] };
    const managed = {
      allowedModes: ['default'],
      allowedProviders: ['gemini'],
      allowedModels: ['gemini-2.5-flash*'],
      allowedServers: [{ serverName: 'tides', serverCommand: [tides.command, ...tides.args] }],
      'audit.path': audit,
    };
    const etc = await makeFolder({ 'folio/settings.json': JSON.stringify({ folio: managed }) });
    await chmod(etc, 0o755);
    const weaker = {
      allowedModes: ['yolo'],
      allowedModels: ['*'],
      allowedServers: [{ serverName: '*' }],
      'audit.path': '',
    };
    const mcpServers = { tides, other: tides };
    await writeHome({ '.gemini/settings.json': JSON.stringify({ folio: weaker, mcpServers }) });
    const folder = await makeFolder({ 'note.txt': 'one\n' });
    const window = await openOwn({
      folder,
      settings: {
        'folio.baseUrl': gemini.baseUrl,
        'folio.model': 'gemini-2.5-pro',
        'folio.approvalMode': 'yolo',
        'folio.audit.path': '',
        'folio.allowedModels': ['*'],
      },
      launcher: inOwnPlace(etc),
    });
    const { page } = window;
    const panel = await window.openPanel();

    // The session begins in a mode that is allowed, without the question of the one that was set.
    const mode = panel.getByRole('combobox', { name: 'Approval mode' });
    await until('the session asks first', async () => (await mode.inputValue()) === 'default');
    for (const name of ['Auto-edit', 'Allow all']) {
      const option = mode.locator('option', { hasText: name });
      expect(await option.getAttribute('title')).toBe('Managed by your organization');
      expect(await option.isDisabled()).toBe(true);
    }
    await window.runCommand('Folio: Set Approval Mode');
    const row = page.locator('.quick-input-list [role="option"][aria-label^="Allow all"]').first();
    await row.getByText('Managed by your organization').waitFor();
    await window.savePicture('managed-modes');
    await row.click();
    await reported(window, 'Your organization does not allow the mode');
    expect(await mode.inputValue()).toBe('default');

    // A model that is set and not allowed is asked nothing.
    await ask(panel, 'Hello?');
    await panel.getByText('Your organization does not allow the model gemini-2.5-pro.').first().waitFor();
    expect(asked(gemini)).toEqual([]);
    await window.savePicture('managed-model');
    const models = panel.getByRole('combobox', { name: 'Model', exact: true }).locator('option');
    await until('the list has what is allowed', async () =>
      /2\.5 Flash/i.test((await models.allInnerTexts()).join()),
    );
    await ask(panel, '/model gemini-2.5-flash');
    gemini.script(
      [call('run_shell_command', { command: 'touch made.txt', description: 'Makes it' })],
      [text('It is made.')],
    );
    await ask(panel, 'Make it.');
    await button(panel, 'Run').waitFor();
    expect(existsSync(join(folder, 'made.txt'))).toBe(false);
    await button(panel, 'Run').click();
    await panel.getByText('It is made.').waitFor();
    expectPlayed(gemini);

    await ask(panel, '/mcp');
    const server = (name: string) => panel.locator('.mcp-server', { hasText: name });
    await server('tides').locator('.mcp-state', { hasText: '1 tool' }).waitFor();
    await server('other').getByText('Your organization does not allow the server other.').waitFor();
    await window.savePicture('managed-servers');

    // The audit log is kept where the organisation wants it.
    const [log] = (await readdir(audit)).filter(each => each.endsWith('.jsonl'));
    const events = (await readFile(join(audit, log!), 'utf8')).trimEnd().split('\n');
    expect(events.map(line => JSON.parse(line).event)).toContain('call.decided');
    const { code, out } = await runHeadless({ args: ['--verify-audit', join(audit, log!)] });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('is as it was written') });
  },
);
