import { expect, test } from 'vitest';
import { VscodeApiKeys } from '../../src/extension/vscode/ports/vscodeApiKeys.ts';

/** VS Code's storage of secrets, as far as it is used, whose page answers only when it is let. */
class SlowStorage {
  private readonly stored = new Map<string, string>();
  private readonly listeners: ((event: { key: string }) => void)[] = [];
  private waiting: (() => void)[] = [];
  isBusy = false;

  readonly onDidChange = (listener: (event: { key: string }) => void) => {
    this.listeners.push(listener);
    return { dispose: () => undefined };
  };

  async get(key: string): Promise<string | undefined> {
    const value = this.stored.get(key);
    if (this.isBusy) await new Promise<void>(done => this.waiting.push(done));
    return value;
  }

  async store(key: string, value: string): Promise<void> {
    this.stored.set(key, value);
    for (const listener of this.listeners) listener({ key });
  }

  /** Another window, of which nothing is told. */
  storeElsewhere(key: string, value: string): void {
    this.stored.set(key, value);
  }

  async delete(key: string): Promise<void> {
    this.stored.delete(key);
  }

  keys = async () => [...this.stored.keys()];

  answer(): void {
    this.isBusy = false;
    for (const done of this.waiting.splice(0)) done();
  }
}

const place = 'folio.key.gemini';

test('a key that was read once is there while the page is busy', async () => {
  const storage = new SlowStorage();
  await storage.store(place, 'one');
  const secrets = new VscodeApiKeys(storage, {});
  expect(await secrets.read('gemini')).toBe('one');
  storage.isBusy = true;
  expect(await secrets.read('gemini')).toBe('one');
  expect(await secrets.read('gemini')).toBe('one');
  storage.answer();
});

test('a key that was stored or cleared here counts at once', async () => {
  const secrets = new VscodeApiKeys(new SlowStorage(), { GEMINI_API_KEY: 'of the environment' });
  expect(await secrets.read('gemini')).toBe('of the environment');
  await secrets.write('gemini', 'one');
  expect(await secrets.read('gemini')).toBe('one');
  await secrets.write('gemini', 'two');
  expect(await secrets.read('gemini')).toBe('two');
  await secrets.clear('gemini');
  expect(await secrets.read('gemini')).toBe('of the environment');
});

test('a key that another window stores counts at once where VS Code reports it, else at the read after the next', async () => {
  const storage = new SlowStorage();
  const secrets = new VscodeApiKeys(storage, {});
  await storage.store(place, 'one');
  expect(await secrets.read('gemini')).toBe('one');
  await storage.store(place, 'two');
  expect(await secrets.read('gemini')).toBe('two');
  storage.storeElsewhere(place, 'three');
  await secrets.read('gemini');
  expect(await secrets.read('gemini')).toBe('three');
});

test('a storage that cannot be read says so each time, and is asked again', async () => {
  const storage = new SlowStorage();
  await storage.store(place, 'one');
  const secrets = new VscodeApiKeys(storage, {});
  const get = storage.get.bind(storage);
  storage.get = () => Promise.reject(new Error('locked'));
  await expect(secrets.read('gemini')).rejects.toThrow('locked');
  await expect(secrets.read('gemini')).rejects.toThrow('locked');
  storage.get = get;
  expect(await secrets.read('gemini')).toBe('one');
});
