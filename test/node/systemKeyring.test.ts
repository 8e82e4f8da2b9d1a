import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SystemKeyring } from '../../src/extension/node/keyring/systemKeyring.ts';
import { MemorySecrets } from '../../src/extension/node/memorySecrets.ts';

/** With FOLIO_KEYRING=1 entries of a test are put into the keyring of whoever runs it, which may ask to be unlocked. */
const keyring = process.env.FOLIO_KEYRING ? SystemKeyring.open(process.platform) : undefined;

describe.each([
  ['of a process', new MemorySecrets()],
  ['of the system', keyring],
])('a place for secrets %s', (_name, secrets) => {
  test.skipIf(!secrets)('has what was put there, until it is taken out', async () => {
    const name = `test.${process.pid}`;
    onTestFinished(() => secrets!.drop(name));
    expect(await secrets!.find(name)).toBeUndefined();
    await secrets!.keep(name, 'AIza-one');
    await secrets!.keep(name, 'sk-ant-two_=+/"\'\\');
    expect(await secrets!.find(name)).toBe('sk-ant-two_=+/"\'\\');
    expect(await secrets!.find(`${name}.other`)).toBeUndefined();
    await secrets!.drop(name);
    await secrets!.drop(name);
    expect(await secrets!.find(name)).toBeUndefined();
  });
});

test('a system without a program for it has none', () => {
  expect(SystemKeyring.open('win32')).toBeUndefined();
});

test.skipIf(!SystemKeyring.open('linux'))('what the program says is the reason of a failure', async () => {
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/nowhere');
  const broken = SystemKeyring.open('linux')!;
  await expect(broken.find('key')).rejects.toThrow(/nowhere|connect/i);
  await expect(broken.keep('key', 'value')).rejects.toThrow(/nowhere|connect/i);
});
