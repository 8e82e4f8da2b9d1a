import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { hasGoogleCredentials } from '../../src/extension/node/googleCredentialFiles.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const nowhere = { METADATA_SERVER_DETECTION: 'none' };
let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder('folio-credentials-');
});

test('without files and away from Google there are no credentials', async () => {
  expect(await hasGoogleCredentials({ ...nowhere, HOME: folder, APPDATA: folder })).toBe(false);
});

test('the file that the environment names counts, and no other where it names one', async () => {
  await writeFile(join(folder, 'application_default_credentials.json'), '{}');
  const named = join(folder, 'mine.json');
  const env = { ...nowhere, CLOUDSDK_CONFIG: folder, GOOGLE_APPLICATION_CREDENTIALS: named };
  expect(await hasGoogleCredentials(env)).toBe(false);
  await writeFile(named, '{}');
  expect(await hasGoogleCredentials(env)).toBe(true);
});

test("gcloud's file counts, in its own folder and in the one that the environment names", async () => {
  const own = process.platform === 'win32' ? join(folder, 'gcloud') : join(folder, '.config', 'gcloud');
  await mkdir(own, { recursive: true });
  const env = { ...nowhere, HOME: folder, APPDATA: folder };
  expect(await hasGoogleCredentials(env)).toBe(false);
  await writeFile(join(own, 'application_default_credentials.json'), '{}');
  expect(await hasGoogleCredentials(env)).toBe(true);
  expect(await hasGoogleCredentials({ ...env, CLOUDSDK_CONFIG: folder })).toBe(false);
  expect(await hasGoogleCredentials({ ...nowhere, CLOUDSDK_CONFIG: own })).toBe(true);
});

test('a machine at Google has credentials of its own, unless looking for them is switched off', async () => {
  const env = { HOME: folder, APPDATA: folder, GCE_METADATA_HOST: '127.0.0.1:1' };
  expect(await hasGoogleCredentials(env)).toBe(true);
  expect(await hasGoogleCredentials({ ...env, ...nowhere })).toBe(false);
});
