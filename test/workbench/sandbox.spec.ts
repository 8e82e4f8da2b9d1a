import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startForwardProxy } from '../support/forwardProxy.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { mustHaveSandbox } from '../support/sandboxWorld.ts';
import { ask, asked, button, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a command that the sandbox contains runs unasked, and one that needs a folder or a host asks for it', async ({
  open,
  makeWorkspace,
  startGemini,
  onTestFinished,
}) => {
  await mustHaveSandbox();
  const folder = await makeWorkspace({ 'a.txt': 'alpha\n' });
  // The sandbox has a /tmp of its own, so the folder outside is elsewhere.
  const outside = await realpath(await mkdtemp('/var/lib/folio-outside-'));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  const gemini = await startGemini();
  const run = (command: string, more: object = {}) => call('run_shell_command', { command, ...more });
  gemini.script(
    [run('sed -i s/alpha/beta/ a.txt')],
    [run(`name=kept; echo x > ${outside}/$name`)],
    [run(`name=kept; echo x > ${outside}/$name`, { needs_write: [outside] })],
    [run(`name=free; echo x > ${outside}/$name`, { needs_write: [outside] })],
    [run('name=pypi.org; curl --max-time 2 https://$name', { needs_hosts: ['pypi.org'] })],
    [text('All are through.')],
  );
  const window = await open({
    settings: {
      'folio.baseUrl': gemini.baseUrl,
      'folio.approvalMode': 'default',
      'folio.sandbox': 'on',
    },
  });
  const panel = await window.openPanel();
  await ask(panel, 'Continue.');

  // Nobody was asked about the first two, and the second was held back.
  await panel.getByText(`write to ${outside}`).first().waitFor();
  await button(panel, 'Run').waitFor();
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('beta\n');
  expect(await readdir(outside)).toEqual([]);
  await window.screenshot('sandbox-folder');
  await button(panel, 'Run').click();

  // The grant held for that command alone. The next is let out as a whole.
  await panel.getByText('name=free').first().waitFor();
  await button(panel, 'All choices').click();
  await window.screenshot('sandbox-outside');
  await panel.getByRole('menuitem', { name: 'Run outside the sandbox, this once' }).click();

  await panel.getByText('connect to pypi.org').first().waitFor();
  await window.screenshot('sandbox-host');
  await button(panel, 'Deny…').click();
  await button(panel, 'Deny').click();
  await panel.getByText('All are through.').waitFor();
  expect(await readdir(outside)).toEqual(['free', 'kept']);
  const [, first, second, granted, free] = asked(gemini).map(request => lastResults(request)[0]);
  expect(JSON.stringify(first)).toContain('It ran in the sandbox.');
  expect(JSON.stringify(second)).toContain('needs_write');
  expect(JSON.stringify(granted)).toContain('It ran in the sandbox.');
  expect(JSON.stringify(free)).not.toContain('in the sandbox');

  // What a command changed in the sandbox waits for review as any.
  await until('the change waits for review', async () =>
    panel.getByRole('region', { name: 'Changes to review' }).isVisible(),
  );
  await window.screenshot('sandbox-done');
  expectPlayed(gemini);
});

test('a command that wants a host waits while its user is asked, and continues in the same run', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini, onTestFinished }) => {
  await mustHaveSandbox();
  await makeWorkspace({ 'a.txt': 'alpha\n' });
  const server = createServer((_request, answer) => void answer.end('hello from far\n'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  await using proxy = await startForwardProxy((server.address() as AddressInfo).port);
  const gemini = await startGemini();
  // The first line is not known in advance to want a host, and the second wants another one.
  const run = (host: string) =>
    call('run_shell_command', { command: `echo begun; curl -sS --max-time 100 http://${host}/` });
  gemini.script(
    [run('far.example')],
    [run('far.example')],
    [run('other.example')],
    [text('All are through.')],
  );
  const window = await open({
    settings: {
      'folio.baseUrl': gemini.baseUrl,
      'folio.approvalMode': 'default',
      'folio.sandbox': 'on',
      'http.proxy': `http://127.0.0.1:${proxy.port}`,
      'http.noProxy': ['127.0.0.1', 'localhost'],
    },
  });
  const panel = await window.openPanel();
  await ask(panel, 'Continue.');
  await panel.getByText('Connect to far.example').first().waitFor();
  expect(proxy.wanted).toEqual([]);
  await window.screenshot('sandbox-connect');
  await button(panel, 'Always connect to far.example').click();
  // The next command to that host is not asked about.
  await panel.getByText('Connect to other.example').first().waitFor();
  expect(proxy.wanted.map(({ line }) => line)).toEqual([
    'GET http://far.example/',
    'GET http://far.example/',
  ]);
  await button(panel, 'Deny…').click();
  await button(panel, 'Deny').click();
  await panel.getByText('All are through.').waitFor();
  const [, first, second, third] = asked(gemini).map(request => lastResults(request)[0]);
  for (const granted of [first, second]) expect(JSON.stringify(granted)).toContain('begun\\nhello from far');
  expect(JSON.stringify(third)).toContain('did not let it connect to other.example');
  expectPlayed(gemini);
});
