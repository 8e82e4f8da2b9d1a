/* Every provider's requests go by the proxy of the environment, also one that reads along with a certificate of its own. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as claude from '../support/anthropicAnswers.ts';
import { startBedrockServer } from '../support/bedrockServer.ts';
import { type Certificate, hasOpenssl, makeCertificate } from '../support/certificates.ts';
import { FaultyServer, respond } from '../support/faultyServer.ts';
import { startForwardProxy } from '../support/forwardProxy.ts';
import { text } from '../support/geminiAnswers.ts';
import { startGeminiServer } from '../support/geminiServer.ts';
import { startGoogleSignIn } from '../support/googleSignIn.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { startInspectingProxy } from '../support/inspectingProxy.ts';
import { servedWires } from '../support/talkingServers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let folder: string;
let certificates: string;
let certificate: Certificate;

beforeAll(async () => {
  certificates = await mkdtemp(join(tmpdir(), 'folio-proxy-certificates-'));
  if (hasOpenssl) certificate = await makeCertificate(certificates, 'models.example');
});

afterAll(() => rm(certificates, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await temporaryFolder('folio-proxy-');
  await mkdir(join(folder, 'workspace'));
});

interface Behind extends AsyncDisposable {
  readonly origin: string;
  /** Requests for an answer. */
  readonly asked: () => number;
  /** What lets in, where that is made again for each server. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Row {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly env: Readonly<Record<string, string>>;
  readonly settings?: object;
  readonly path: '' | '/v1';
  readonly start: () => Promise<Behind>;
}

const hello = 'Hello from behind.';
const bedrockModel = 'us.anthropic.claude-sonnet-4-6';

const rows: readonly Row[] = [
  ...servedWires.map(wire => ({
    ...wire,
    name: wire.provider,
    start: () => wire.start(() => ({ text: hello })),
  })),
  {
    ...servedWires.find(({ provider }) => provider === 'openai-responses')!,
    name: 'Azure OpenAI, with a token,',
    env: { AZURE_OPENAI_AD_TOKEN: 'test-key' },
    settings: { 'folio.openaiResponses.signIn': 'entra' },
    start: () =>
      servedWires.find(({ provider }) => provider === 'openai-responses')!.start(() => ({ text: hello })),
  },
  {
    name: 'Vertex AI',
    provider: 'vertex',
    model: 'gemini-2.5-pro',
    env: {
      GOOGLE_CLOUD_PROJECT: 'a-project',
      GOOGLE_CLOUD_LOCATION: 'global',
      METADATA_SERVER_DETECTION: 'none',
    },
    path: '',
    start: async () => {
      const server = await startGeminiServer({
        vertex: { project: 'a-project', location: 'global', token: 'a-token' },
      });
      const signIn = await startGoogleSignIn('a-token');
      server.script([text(hello)]);
      return {
        origin: new URL(server.baseUrl).origin,
        asked: () => server.requests.filter(({ method }) => method !== 'models').length,
        env: { GOOGLE_APPLICATION_CREDENTIALS: signIn.file },
        [Symbol.asyncDispose]: async () => void (await Promise.all([server.dispose(), signIn.dispose()])),
      };
    },
  },
  {
    name: 'Amazon Bedrock',
    provider: 'bedrock',
    model: bedrockModel,
    env: { AWS_REGION: 'us-east-1', AWS_BEARER_TOKEN_BEDROCK: 'test-key', AWS_EC2_METADATA_DISABLED: 'true' },
    path: '',
    start: async () => {
      const server = await startBedrockServer({
        region: 'us-east-1',
        apiKey: 'test-key',
        model: bedrockModel,
        like: 'claude-sonnet-4-6',
      });
      server.script([claude.text(hello)]);
      return {
        origin: new URL(server.baseUrl).origin,
        asked: () => server.requests.length,
        [Symbol.asyncDispose]: () => server.dispose(),
      };
    },
  },
];

/** Nobody can look the host's name up: the proxy alone leads there. */
async function run(
  { provider, model, env, settings = {}, path }: Row,
  behind: Behind,
  address: string,
  more: Readonly<Record<string, string>>,
) {
  const file = join(folder, 'settings.json');
  await writeFile(file, JSON.stringify(settings));
  return runHeadless({
    args: [
      ...['--provider', provider, '--model', model, '--base-url', `${address}${path}`, '--settings', file],
      ...['--workspace', join(folder, 'workspace'), '--session-dir', join(folder, 'sessions')],
      ...['--prompt', 'Hello.'],
    ],
    env: { ...env, ...behind.env, ...more },
  });
}

describe.for(rows)('requests to $name', row => {
  /** By a proxy that inspects, each provider has gone by a proxy, too. */
  const tags = row === rows[0] ? [] : ['longer'];

  it('go by the proxy that the environment names', { tags }, async () => {
    await using server = await row.start();
    await using proxy = await startForwardProxy(Number(new URL(server.origin).port));
    const { code, out, error } = await run(row, server, 'http://models.example', {
      HTTP_PROXY: `127.0.0.1:${proxy.port}`,
      NO_PROXY: 'other.example',
    });
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain(hello);
    expect(server.asked()).toBe(1);
    expect(proxy.wanted.length).toBeGreaterThan(0);
    expect(proxy.wanted.filter(({ line }) => !line.includes('models.example'))).toEqual([]);
  });

  it.skipIf(!hasOpenssl)('are told of one that inspects them', { tags }, async () => {
    await using server = await row.start();
    await using proxy = await startInspectingProxy(certificate, server.origin);
    const refused = await run(row, server, 'https://models.example', { HTTPS_PROXY: proxy.address });
    expect(refused.code).not.toBe(0);
    expect(`${refused.out}${refused.error}`).toMatch(
      /is not trusted \(\w+\)\. If a proxy inspects .* NODE_EXTRA_CA_CERTS/,
    );
    expect(server.asked()).toBe(0);
  });

  it.skipIf(!hasOpenssl)('go by one that inspects them, once its certificate is named', async () => {
    await using server = await row.start();
    await using proxy = await startInspectingProxy(certificate, server.origin);
    const trusted = { HTTPS_PROXY: proxy.address, NODE_EXTRA_CA_CERTS: certificate.file };
    const { code, out, error } = await run(row, server, 'https://models.example', trusted);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain(hello);
    expect(server.asked()).toBe(1);
    expect(new Set(proxy.wanted)).toEqual(new Set(['models.example:443']));
  });
});

describe('a proxy', () => {
  const [row] = rows as [Row];

  it.skipIf(!hasOpenssl)('that wants a login is told as such', async () => {
    await using server = await row.start();
    await using proxy = await startInspectingProxy(certificate, server.origin, { login: true });
    const { code, out, error } = await run(row, server, 'https://models.example', {
      HTTPS_PROXY: proxy.address,
    });
    expect(code).not.toBe(0);
    expect(`${out}${error}`).toMatch(
      /A proxy between Folio and .* requires you to log in\. Check the variable HTTPS_PROXY or HTTP_PROXY/,
    );
    expect(server.asked()).toBe(0);
  });

  it('that wants one for requests that are not encrypted is told, too', async () => {
    await using server = await row.start();
    const proxy = new FaultyServer();
    proxy.always = respond(407, { 'proxy-authenticate': 'Basic' }, 'Log in.');
    await proxy.start();
    onTestFinished(() => proxy.stop());
    const { code, error } = await run(row, server, 'http://models.example', { HTTP_PROXY: proxy.origin });
    expect(code).toBe(1);
    expect(error).toMatch(
      /^A proxy between Folio and Gemini requires you to log in\. Check the variable HTTPS_PROXY or HTTP_PROXY/,
    );
  });

  it('is not asked for servers of this machine', async () => {
    await using server = await row.start();
    await using proxy = await startForwardProxy(0);
    const { code, error } = await run(row, server, server.origin, {
      HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
    });
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(proxy.wanted).toEqual([]);
  });

  it('that is no address is told, and so is one that does not run', async () => {
    await using server = await row.start();
    const none = await run(row, server, server.origin, { HTTPS_PROXY: 'http://[' });
    expect([none.code, none.error]).toEqual([
      0,
      'Requests go straight, since the proxy of HTTP_PROXY or HTTPS_PROXY is no address (http://[). Correct it, then start again.\n',
    ]);
    const proxy = await startForwardProxy(0);
    await proxy[Symbol.asyncDispose]();
    const gone = await run(row, server, 'http://models.example', {
      HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
    });
    expect(gone.code).toBe(1);
    expect(gone.error).toMatch(/^Cannot reach the proxy for Gemini at 127\.0\.0\.1:\d+ .* Start it/);
  });
});
