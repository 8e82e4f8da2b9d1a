/*
 * What Google's libraries find credentials at, on 127.0.0.1 and in a folder of the test's own: a server that exchanges
 * the token of another sign-in (workload identity federation), which is also a metadata server.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface GoogleSignIn {
  /** A file as GOOGLE_APPLICATION_CREDENTIALS names it. */
  readonly file: string;
  /** As CLOUDSDK_CONFIG names it; its file of credentials is like the other. */
  readonly configFolder: string;
  /** A folder without credentials. */
  readonly emptyFolder: string;
  /** Host and port, as GCE_METADATA_HOST names them. */
  readonly host: string;
  /** How often a token was asked for, by either way. */
  readonly asked: () => number;
  /** From now on. */
  readonly answerWith: (answer: SignInAnswer) => void;
  readonly dispose: () => Promise<void>;
}

export type SignInAnswer =
  | { readonly kind: 'token'; readonly token: string; readonly seconds?: number }
  | { readonly kind: 'refusal'; readonly status: number; readonly body: object };

const subject = 'token-of-another-sign-in';

export async function startGoogleSignIn(token: string): Promise<GoogleSignIn> {
  let asked = 0;
  let current: SignInAnswer = { kind: 'token', token };
  const server = createServer((request, response) => {
    answer(request, response).catch(error => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (path.startsWith('/computeMetadata/v1/')) response.setHeader('Metadata-Flavor', 'Google');
    const isExchange = path === '/token' && (await readText(request)).includes(subject);
    const isMetadata = path.startsWith('/computeMetadata/v1/instance/service-accounts/default/token');
    if (!isExchange && !isMetadata) {
      return void response.writeHead(path.startsWith('/computeMetadata') ? 200 : 404).end('{}');
    }
    asked++;
    const { status, body } = bodyOf(current);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  const folder = await mkdtemp(join(tmpdir(), 'folio-sign-in-'));
  const configFolder = join(folder, 'gcloud');
  const emptyFolder = join(folder, 'empty');
  await Promise.all([mkdir(configFolder), mkdir(emptyFolder), writeFile(join(folder, 'subject'), subject)]);
  const file = join(folder, 'credentials.json');
  const credentials = JSON.stringify(credentialsOf(host, join(folder, 'subject')));
  await writeFile(file, credentials);
  await writeFile(join(configFolder, 'application_default_credentials.json'), credentials);
  return {
    file,
    configFolder,
    emptyFolder,
    host,
    asked: () => asked,
    answerWith: next => {
      current = next;
    },
    dispose: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function bodyOf(answer: SignInAnswer): { status: number; body: object } {
  if (answer.kind === 'refusal') return answer;
  const body = {
    access_token: answer.token,
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: answer.seconds ?? 3600,
  };
  return { status: 200, body };
}

function credentialsOf(host: string, subjectFile: string): object {
  return {
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/test',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `http://${host}/token`,
    credential_source: { file: subjectFile },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
