import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoredKeys } from '../../src/extension/node/keyring/storedKeys.ts';
import { MemorySecrets } from '../../src/extension/node/memorySecrets.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

test('a keyring is asked for the keys alone that were stored there, and no file holds one', async () => {
  const home = await temporaryFolder('folio-keys-');
  const keyring = new MemorySecrets();
  let opened = 0;
  const keys = new StoredKeys(home, async () => {
    opened++;
    return keyring;
  });
  expect(await keys.read('gemini')).toBeUndefined();
  expect(opened).toBe(0);
  await keys.keep(keyring, 'gemini', 'AIza-secret');
  expect([await keys.read('gemini'), await keys.read('anthropic')]).toEqual(['AIza-secret', undefined]);
  expect(opened).toBe(1);
  expect(await readFile(join(home, '.folio', 'keys.json'), 'utf8')).toBe('{"stored":["gemini"]}\n');
  expect(await keys.dropAll(keyring)).toEqual(['gemini']);
  expect([await keys.read('gemini'), await keyring.find('key.gemini')]).toEqual([undefined, undefined]);
});

test('a keyring that does not open is an error about the key, with what to do', async () => {
  const home = await temporaryFolder('folio-keys-');
  const keys = new StoredKeys(home, () => Promise.reject(new Error('it is locked')));
  await keys.keep(new MemorySecrets(), 'anthropic', 'sk-ant-secret');
  await expect(keys.read('anthropic')).rejects.toMatchObject({
    message:
      'The keyring of this system gave no key (it is locked). Unlock it, or set the variable ANTHROPIC_API_KEY, then retry.',
  });
});

test('signing in asks in a terminal, never by a pipe', async () => {
  const { code, error, out } = await runHeadless({
    args: ['--acp', '--sign-in'],
    input: 'AIza-secret-secret\n',
  });
  expect([code, out]).toEqual([2, '']);
  expect(error).toMatch(/terminal|keyring/);
});
