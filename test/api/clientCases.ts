/* What Folio gives to other extensions and VS Code, and takes from them, with a real one and a model of our own. */

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readExposedMcpServer } from '../../src/extension/compose/otherExtensions.ts';
import { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import { LoadedCustomizations } from '../../src/extension/core/customizations/loadedCustomizations.ts';
import { allSeen } from '../../src/extension/headless/editorStandIns.ts';
import { NodeCustomFiles } from '../../src/extension/node/customizations/customFiles.ts';
import { NodeSettingsDocuments } from '../../src/extension/node/settings/settingsDocuments.ts';
import type { FolioApi, FolioConnection } from '../../src/extension/vscode/api/folioApi.ts';
import { listExposedMcpServers } from '../../src/extension/vscode/features/otherExtensions/offerServers.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { type GeminiServer, startGeminiServer } from '../support/geminiServer.ts';
import type { ApiCase } from './cases.ts';
import type { ClientExports } from './client/extension.ts';

export const clientCases: readonly ApiCase[] = [
  {
    name: 'who is not installed gets no connection to Folio',
    async run() {
      const api = await folioApi();
      assert.equal(api.version, '1.0');
      assert.ok(Object.isFrozen(api));
      await assert.rejects(api.connect('nobody.there'), { name: 'FolioApiError', code: 'unknownExtension' });
      await assert.rejects(api.connect('nobody'), { name: 'FolioApiError', code: 'input' });
    },
  },
  withModel(
    'tool, context, hook and events of another extension take part in its prompt',
    async (gemini, folio, { examples }) => {
      const lines: string[] = [];
      const registered = [
        examples.offerTickets(folio, async () => []),
        examples.tellOfBranch(folio, () => 'ticket-1'),
        examples.guardGenerated(folio),
        examples.logCalls(folio, line => lines.push(line)),
      ];
      gemini.script(
        [
          call('create_new_topic', { title: 'Tickets' }),
          call('write_file', { file_path: 'generated/a.ts', content: 'x' }),
        ],
        [text('It cannot be done here.')],
      );
      assert.equal(await examples.fixTicket(folio, 'Login'), 'Done.');
      const [first, second] = asked(gemini);
      assert.match(first ?? '', /From the extension folio-tests\.guest, the branch of the ticket.*ticket-1/);
      assert.match(first ?? '', /ext_folio-tests_guest_find_tickets/);
      assert.match(second ?? '', /npm run generate/);
      await until(() => lines.length === 2);
      assert.match(lines.join('\n'), /Blocked by a hook: Change the schema/);
      for (const each of registered) each.dispose();
      gemini.script([text('Nothing to add.')]);
      await folio.sendPrompt('Again');
      const third = asked(gemini)[2] ?? '';
      assert.equal(third.split('ticket-1').length, 2, 'The context was added once more');
      assert.doesNotMatch(third, /find_tickets/);
    },
  ),
  withModel('another extension can stop the agent', async (gemini, folio, { examples }) => {
    let stopping: Promise<void> | undefined;
    gemini.script(() => {
      stopping = examples.stopFolio(folio);
      return [text('Too late.')];
    });
    assert.match(await examples.fixTicket(folio, 'Login'), /has stopped/);
    await stopping;
  }),
  withModel('the tools that VS Code knows are declared where the user allows it', async (gemini, folio) => {
    // However many VS Code brings itself: all are declared, none has to be looked for.
    for (const limit of findLimits) await setting(limit, 0);
    gemini.script([text('No tools.')], [text('One tool.')]);
    await folio.sendPrompt('Look', { newSession: true });
    assert.doesNotMatch(asked(gemini)[0] ?? '', /vscode_guest_echo/);
    await setting('useVscodeTools', true);
    await folio.sendPrompt('Look again');
    assert.match(asked(gemini)[1] ?? '', /vscode_guest_echo/);
    assert.doesNotMatch(asked(gemini)[1] ?? '', /vscode_folio/);
  }),
  withModel(
    "VS Code's own browser is used instead of Folio's, where it is offered",
    async (gemini, folio) => {
      for (const limit of findLimits) await setting(limit, 0);
      await setting('browser.path', process.execPath);
      const before = process.env[browserSwitch];
      process.env[browserSwitch] = 'on';
      try {
        gemini.script([text('One browser.')], [text('The other one.')]);
        await folio.sendPrompt('Look', { newSession: true });
        const opensPages = /"(?:vscode_open_browser_page|browser_open)"/g;
        assert.deepEqual(asked(gemini)[0]?.match(opensPages), ['"browser_open"']);
        await setting('useVscodeTools', true);
        await folio.sendPrompt('Look again');
        assert.deepEqual(asked(gemini)[1]?.match(opensPages), ['"vscode_open_browser_page"']);
      } finally {
        if (before === undefined) delete process.env[browserSwitch];
        else process.env[browserSwitch] = before;
      }
    },
  ),
  {
    name: 'VS Code can use the tools of Folio that read, within the workspace',
    async run() {
      await folioApi();
      const own = vscode.lm.tools.filter(({ name }) => name.startsWith('folio_'));
      assert.equal(own.length, 5);
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(folder, 'No folder is open');
      const path = join(folder.uri.fsPath, 'offered.txt');
      await writeFile(path, 'alpha\nbeta\n');
      try {
        assert.match(await read('offered.txt'), /alpha\s+.*beta/s);
        await assert.rejects(read('/etc/passwd'), /outside the workspace/);
        assert.match(await invoke('folio_grep_search', { pattern: 'bet.' }), /offered\.txt/);
        assert.match(await invoke('folio_list_directory', { dir_path: '.' }), /offered\.txt/);
      } finally {
        await rm(path);
      }
    },
  },
  {
    name: "VS Code is offered the user's own servers, and no others",
    async run() {
      const root = await mkdtemp(join(tmpdir(), 'folio-servers-'));
      const [home, folder] = [join(root, 'home'), join(root, 'workspace')];
      const servers = {
        local: { command: 'node', args: ['server.js'], env: { LEVEL: '1' }, cwd: root },
        web: { httpUrl: 'https://example.com/mcp', headers: { 'X-Team': 'a' } },
        asking: { command: 'node', args: ['${input:key}'] },
        broken: { args: ['x'] },
      };
      try {
        await writeSettings(home, servers);
        await writeSettings(folder, { theirs: { command: 'node' } });
        const additions = new LoadedCustomizations({
          files: new NodeCustomFiles({ home, folders: () => [folder] }, new NodeSettingsDocuments()),
          consent: new ConsentService(allSeen, () => true),
          disabled: () => [],
        });
        const [local, web, ...others] = await listExposedMcpServers(
          { get: async () => additions },
          readExposedMcpServer,
        );
        assert.ok(local instanceof vscode.McpStdioServerDefinition);
        const { label, command, args, env, cwd } = local;
        assert.deepEqual(
          { label, command, args, env, cwd: cwd?.fsPath },
          { label: 'local', ...servers.local },
        );
        assert.ok(web instanceof vscode.McpHttpServerDefinition);
        assert.deepEqual(
          [web.label, web.uri.toString(), web.headers],
          ['web', servers.web.httpUrl, servers.web.headers],
        );
        assert.deepEqual(others, []);
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    },
  },
];

async function writeSettings(root: string, mcpServers: object): Promise<void> {
  await mkdir(join(root, '.gemini'), { recursive: true });
  await writeFile(join(root, '.gemini', 'settings.json'), JSON.stringify({ mcpServers }));
}

/** Bodies of the requests for an answer, oldest first. */
function asked({ requests }: GeminiServer): readonly string[] {
  return requests
    .filter(({ method }) => method === 'streamGenerateContent')
    .map(({ body }) => JSON.stringify(body));
}

async function read(path: string): Promise<string> {
  return await invoke('folio_read_file', { file_path: path });
}

async function invoke(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

async function folioApi(): Promise<FolioApi> {
  const folio = vscode.extensions.getExtension<FolioApi>('folio.folio');
  assert.ok(folio, 'Folio is not installed');
  return await folio.activate();
}

/** Edits go through unasked, since nobody is there to click. */
function withModel(
  name: string,
  check: (gemini: GeminiServer, folio: FolioConnection, clientExtension: ClientExports) => Promise<void>,
): ApiCase {
  return {
    name,
    async run() {
      process.env.GEMINI_API_KEY ??= 'test';
      const clientExtension = await vscode.extensions
        .getExtension<ClientExports>('folio-tests.guest')
        ?.activate();
      assert.ok(clientExtension, 'The test extension is not installed');
      const gemini = await startGeminiServer();
      try {
        await setting('baseUrl', gemini.baseUrl);
        await setting('approvalMode', 'autoEdit');
        const folio = await clientExtension.examples.connectToFolio(clientExtension.context);
        assert.ok(folio, 'Folio is not installed');
        try {
          await check(gemini, folio, clientExtension);
        } finally {
          folio.dispose();
        }
        assert.deepEqual(gemini.requests.map(({ fault }) => fault).filter(Boolean), []);
      } finally {
        for (const key of ['baseUrl', 'approvalMode', 'useVscodeTools', 'browser.path', ...findLimits])
          await setting(key, undefined);
        await gemini.dispose();
      }
    },
  };
}

/** The machine of the tests may have switched the browser off. */
const browserSwitch = 'FOLIO_BROWSER';

const findLimits = ['findTools.fromTools', 'findTools.fromTokens'];

/** Of the user, as those must be that a workspace cannot set. */
async function setting(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('folio').update(name, value, vscode.ConfigurationTarget.Global);
}

/** Events are told after the turn's end has been. */
async function until(holds: () => boolean): Promise<void> {
  for (let left = 600; !holds() && left > 0; left--) await new Promise(resolve => setTimeout(resolve, 100));
  assert.ok(holds());
}
