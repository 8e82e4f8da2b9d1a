import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import * as gpt from '../support/responsesAnswers.ts';
import { type ResponsesServer, startResponsesServer } from '../support/responsesServer.ts';

let world: HeadlessWorld;
let server: ResponsesServer;

beforeEach(async () => {
  [world, server] = await Promise.all([HeadlessWorld.make(), startResponsesServer({ apiKey: 'test-key' })]);
});

afterEach(() => Promise.all([world.dispose(), server.dispose()]));

async function run(settings: object, env: Readonly<Record<string, string>> = { OPENAI_API_KEY: 'test-key' }) {
  const file = join(world.folder, 'settings.json');
  await writeFile(file, JSON.stringify(settings));
  server.script([gpt.text('Done.')]);
  const asked = ['--prompt', 'hi', '--provider', 'openai-responses', '--model', 'gpt-5.1'];
  return world.run([...asked, '--base-url', server.baseUrl, '--settings', file], { env });
}

it('a GPT model writes as much as the settings say, and a step that there is not is told in one sentence', async () => {
  expect((await run({ 'folio.openaiResponses.verbosity': 'low' })).code).toBe(0);
  const [{ body, fault } = { body: undefined, fault: 'never asked' }] = server.requests.slice(-1);
  expect([fault, body?.text]).toEqual([undefined, { verbosity: 'low' }]);
  const { error } = await run({ 'folio.openaiResponses.verbosity': 'chatty' });
  expect(error).toContain('"folio.openaiResponses.verbosity" must be "low", "medium" or "high", or empty.');
});

describe('with a token of Microsoft Entra ID', () => {
  const entra = { 'folio.openaiResponses.signIn': 'entra' };
  const sentKeys = () => server.requests.map(({ headers }) => headers.authorization);

  /** A program in the place of the Azure command line, which counts how often it is asked. */
  async function makeAz(script: string): Promise<Readonly<Record<string, string>>> {
    const folder = join(world.folder, 'bin');
    await mkdir(folder);
    await writeFile(
      join(folder, 'az'),
      `#!/bin/sh\necho "$@" >> "${join(world.folder, 'asked')}"\n${script}\n`,
      {
        mode: 0o755,
      },
    );
    return { PATH: `${folder}${delimiter}${process.env.PATH}` };
  }

  it('one of the environment goes to Azure in the place of a key', async () => {
    expect(await run(entra, { AZURE_OPENAI_AD_TOKEN: 'test-key' })).toMatchObject({ code: 0, error: '' });
    expect(new Set(sentKeys())).toEqual(new Set(['Bearer test-key']));
  });

  it.skipIf(process.platform === 'win32')(
    'one of the Azure command line is asked for once, and no file of the run holds it',
    async () => {
      const until = Math.floor(Date.now() / 1000) + 3600;
      const path = await makeAz(`echo '{"accessToken":"test-key","expires_on":${until}}'`);
      expect(await run(entra, { ...path, OPENAI_API_KEY: 'not this' })).toMatchObject({ code: 0, error: '' });
      expect(new Set(sentKeys())).toEqual(new Set(['Bearer test-key']));
      const asked = await readFile(join(world.folder, 'asked'), 'utf8');
      expect(asked).toBe(
        'account get-access-token --scope https://cognitiveservices.azure.com/.default --output json\n',
      );
      const sessions = await readdir(join(world.folder, 'sessions'), {
        recursive: true,
        withFileTypes: true,
      });
      const files = sessions.filter(entry => entry.isFile());
      expect(files).not.toEqual([]);
      for (const { parentPath, name } of files)
        expect(await readFile(join(parentPath, name), 'utf8')).not.toContain('test-key');
    },
  );

  it.skipIf(process.platform === 'win32')('without one says so, with the way to get one', async () => {
    const path = await makeAz("echo 'Please run az login.' >&2\nexit 1");
    const { code, error } = await run(entra, path);
    expect(code).toBe(1);
    expect(error).toContain('Microsoft Entra ID gave no token (Please run az login.).');
    expect(error).toContain('Run "az login"');
    expect(server.requests).toEqual([]);
  });
});
