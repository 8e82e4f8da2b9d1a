/* What a user gets wrong, or a network between, as a run of the built program tells it. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { badInputsOf, loginPage, usualPath, type WireName, wireNames } from '../support/badInput.ts';
import { type FaultyAnswer, FaultyServer, respond } from '../support/faultyServer.ts';
import { startGoogleSignIn } from '../support/googleSignIn.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let folder: string;
let server: FaultyServer;

beforeEach(async () => {
  folder = await temporaryFolder('folio-bad-');
  await mkdir(join(folder, 'workspace'));
  server = new FaultyServer();
  await server.start();
});

afterEach(async () => {
  await server.stop();
});

const variables: Readonly<Record<WireName, string>> = {
  gemini: 'GEMINI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
};

interface Mistake {
  readonly provider: string;
  readonly answer: FaultyAnswer;
  readonly path?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly says: RegExp;
}

async function expectSentence({ provider, answer, path = '', env, says }: Mistake): Promise<void> {
  server.always = answer;
  const { code, out, error } = await runHeadless({
    args: [
      ...['--provider', provider, '--model', 'x', '--base-url', `${server.origin}${path}`],
      ...['--workspace', join(folder, 'workspace'), '--session-dir', join(folder, 'sessions')],
      ...['--prompt', 'Hi'],
    ],
    env,
  });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  // A cloud's models are known here, so near ones are told before.
  const sentence = error.replace(/^The model is x, which is not in the provider's list\. .*\n/, '');
  expect(sentence).toMatch(/^[^\n]+\n$/);
  expect(sentence.trim()).toMatch(says);
  expect(server.requests).not.toEqual([]);
}

describe.for(wireNames)('a run over %s', wire => {
  // Other words of servers for the same are tried without the program.
  const inputs = badInputsOf(wire).filter(({ what }) => !/\([1-9]\)/.test(what));

  test.for(inputs)(
    'tells $what in one sentence with the next step',
    async ({ answer, path = usualPath(wire), key = 'test-key', says }) => {
      await expectSentence({ provider: wire, answer, path, env: { [variables[wire]]: key }, says });
    },
  );
});

const google = (code: number, status: string, message: string) =>
  respond(code, { 'content-type': 'application/json' }, JSON.stringify({ error: { code, status, message } }));
const amazon = (code: number, type: string, message: string) =>
  respond(
    code,
    { 'content-type': 'application/json', 'x-amzn-errortype': type },
    JSON.stringify({ message }),
  );
const login = /web page.*Log in with a browser, or check the option --base-url, then retry\.$/;

describe('a run in a cloud', () => {
  test.for<readonly [what: string, answer: FaultyAnswer, says: RegExp]>([
    [
      'a model that is not there',
      google(404, 'NOT_FOUND', 'Publisher Model `publishers/google/models/x` was not found.'),
      /has no model "x".*Choose another model with --model or \/model\.$/,
    ],
    [
      'a model that cannot call tools',
      google(400, 'INVALID_ARGUMENT', 'Function calling is not enabled for models/x'),
      /^The model "x" cannot call tools, which Folio needs\. Choose another model\.$/,
    ],
    ['a page to log in', loginPage, login],
  ])('at Google tells %s in one sentence with the next step', async ([, answer, says]) => {
    const signIn = await startGoogleSignIn('a-token');
    const env = {
      GOOGLE_CLOUD_PROJECT: 'a-project',
      GOOGLE_CLOUD_LOCATION: 'global',
      METADATA_SERVER_DETECTION: 'none',
      GOOGLE_APPLICATION_CREDENTIALS: signIn.file,
    };
    await expectSentence({ provider: 'vertex', answer, env, says });
    await signIn.dispose();
  });

  test.for<readonly [what: string, answer: FaultyAnswer, says: RegExp]>([
    [
      'a key that is wrong',
      amazon(403, 'UnrecognizedClientException', 'The security token included in the request is invalid.'),
      /AWS|Bedrock/,
    ],
    [
      'a model that is not there',
      amazon(400, 'ValidationException', 'The provided model identifier is invalid.'),
      /has no model "x".*Choose another model/,
    ],
    [
      'a model that cannot call tools',
      amazon(400, 'ValidationException', "This model doesn't support tool use."),
      /cannot call tools/,
    ],
    ['a page to log in', loginPage, login],
  ])('at Amazon tells %s in one sentence with the next step', async ([, answer, says]) => {
    const env = {
      AWS_REGION: 'us-east-1',
      AWS_BEARER_TOKEN_BEDROCK: 'test-key',
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    await expectSentence({ provider: 'bedrock', answer, env, says });
  });
});
