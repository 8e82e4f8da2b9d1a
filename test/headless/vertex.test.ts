import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import * as claude from '../support/anthropicAnswers.ts';
import { startClaudeOnVertex } from '../support/anthropicServer.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, finish, text } from '../support/geminiAnswers.ts';
import { lastResults, startGeminiServer } from '../support/geminiServer.ts';
import { startGoogleSignIn } from '../support/googleSignIn.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const place = { project: 'a-project', location: 'global' };
const token = 'ya29.a-token-of-the-test';
const server = eachTest(() => startGeminiServer({ vertex: { ...place, token } }));
const signIn = eachTest(() => startGoogleSignIn(token));
let folder: string;
let workspace: string;

beforeEach(async () => {
  folder = await temporaryFolder('folio-vertex-');
  workspace = join(folder, 'workspace');
  await mkdir(workspace);
});

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return runHeadless({
    args: [
      '--provider',
      'vertex',
      '--base-url',
      server.baseUrl,
      '--workspace',
      workspace,
      '--session-dir',
      join(folder, 'sessions'),
      ...args,
    ],
    env: {
      GOOGLE_APPLICATION_CREDENTIALS: signIn.file,
      GOOGLE_CLOUD_PROJECT: place.project,
      GOOGLE_CLOUD_LOCATION: '',
      METADATA_SERVER_DETECTION: 'none',
      ...env,
    },
  });
}

describe('a headless run with Vertex AI', () => {
  it('works with a tool, knows what it cost, and leaves no token anywhere', async () => {
    await writeFile(join(workspace, 'a.txt'), 'one\n');
    server.script(
      [call('read_file', { file_path: 'a.txt' })],
      [text('It says one.'), finish('STOP', { promptTokenCount: 1000, candidatesTokenCount: 10 })],
    );
    const { code, out, error } = await run(['--prompt', 'Read a.txt.', '--output-format', 'stream-json']);
    expect([code, error]).toEqual([0, '']);
    expect(server.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
    expect(lastResults(server.requests[1]!)[0]?.output).toContain('one');
    expect(out).toMatch(/"cost":0\.00\d/);
    expect(out).not.toContain(token);
    expect(await filesWith(token, join(folder, 'sessions'))).toEqual([]);
  });

  it("works with a Claude model of the same project, and knows Anthropic's price", async () => {
    const model = 'claude-sonnet-4-6';
    const anthropic = await startClaudeOnVertex({ ...place, token }, model);
    anthropic.script([
      claude.text('Done.'),
      claude.finish('end_turn', { input_tokens: 1_000_000, output_tokens: 0 }),
    ]);
    const address = ['--base-url', anthropic.baseUrl.replace(/\/v1$/, '')];
    const done = await run([...address, '--model', model, '--prompt', 'Go', '--output-format', 'json']);
    await anthropic.dispose();
    expect(done).toMatchObject({ code: 0, error: '' });
    expect(anthropic.requests.map(({ fault }) => fault)).toEqual([undefined]);
    expect(JSON.stringify(anthropic.requests[0]!.body.tools)).toContain('google_web_search');
    expect(JSON.parse(done.out).cost).toBeCloseTo(3);
    expect(await filesWith(token, join(folder, 'sessions'))).toEqual([]);
  });

  it('says what is missing', async () => {
    const noProject = await run(['--prompt', 'Hi'], { GOOGLE_CLOUD_PROJECT: '' });
    expect([noProject.code, noProject.error]).toEqual([1, expect.stringContaining('folio.vertex.project')]);
    const noFile = { GOOGLE_APPLICATION_CREDENTIALS: '', CLOUDSDK_CONFIG: signIn.emptyFolder };
    const noCredentials = await run(['--prompt', 'Hi'], noFile);
    expect(noCredentials.code).toBe(1);
    expect(noCredentials.error).toContain('gcloud auth application-default login');
    expect(server.requests).toEqual([]);
  });

  it("refuses VS Code's own models, which need a window", async () => {
    const settings = join(folder, 'settings.json');
    await writeFile(settings, JSON.stringify({ folio: { provider: 'vscode' } }));
    const args = ['--prompt', 'Hi', '--workspace', workspace, '--settings', settings];
    const { code, error } = await runHeadless({ args });
    expect([code, error]).toEqual([2, expect.stringContaining('need a window')]);
  });
});

/** Files of a folder in which a text stands. */
async function filesWith(what: string, where: string): Promise<readonly string[]> {
  const entries = await readdir(where, { recursive: true, withFileTypes: true });
  const paths = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  expect(paths.length).toBeGreaterThan(0);
  const found = await Promise.all(paths.map(async path => (await readFile(path)).includes(what)));
  return paths.filter((_path, at) => found[at]);
}
