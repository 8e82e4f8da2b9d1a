import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import * as claude from '../support/anthropicAnswers.ts';
import { startBedrockServer } from '../support/bedrockServer.ts';
import { eachTest } from '../support/eachTest.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const region = 'us-east-1';
const model = 'us.anthropic.claude-sonnet-4-6';
const keys = {
  accessKeyId: 'AKIAOFTHETEST',
  secretAccessKey: 'a-secret-of-the-test',
  sessionToken: 'a-session',
};
const server = eachTest(() => startBedrockServer({ region, keys, model, like: 'claude-sonnet-4-6' }));
let folder: string;
let workspace: string;

beforeEach(async () => {
  folder = await temporaryFolder('folio-bedrock-');
  workspace = join(folder, 'workspace');
  await mkdir(workspace);
});

function run(env: Readonly<Record<string, string>>) {
  return runHeadless({
    args: [
      ...['--provider', 'bedrock', '--base-url', server.baseUrl.replace(/\/v1$/, '')],
      ...['--workspace', workspace, '--session-dir', join(folder, 'sessions')],
      ...['--prompt', 'What is in a.txt?', '--model', model, '--output-format', 'json'],
    ],
    env: { AWS_EC2_METADATA_DISABLED: 'true', ...env },
  });
}

describe('a headless run with Amazon Bedrock', () => {
  it('works with a tool, knows what it cost, and leaves no secret anywhere', async () => {
    await writeFile(join(workspace, 'a.txt'), 'one\n');
    const usage = { input_tokens: 1000, output_tokens: 10 };
    server.script(
      [claude.call('read_file', { file_path: 'a.txt' }), claude.finish('tool_use', usage)],
      [claude.text('It says one.'), claude.finish('end_turn', usage)],
    );
    const result = await run({
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
      AWS_SESSION_TOKEN: keys.sessionToken,
    });
    expect(result).toMatchObject({ code: 0, error: '' });
    expect(server.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
    expect(result.out).toContain('It says one.');
    expect(result.out).toMatch(/"cost": ?0\.\d/);
    const written = await Promise.all(
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter(entry => entry.isFile())
        .map(entry => readFile(join(entry.parentPath, entry.name), 'utf8')),
    );
    const everything = [result.out, result.error, ...written].join('\n');
    for (const secret of [keys.secretAccessKey, keys.sessionToken]) expect(everything).not.toContain(secret);
  });

  it('says what is missing: a region, then credentials', async () => {
    expect((await run({})).error).toContain('No AWS region is set. Set folio.bedrock.region');
    expect((await run({ AWS_REGION: region })).error).toContain('No AWS credentials were found.');
  });
});
