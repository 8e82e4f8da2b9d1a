import { isAbsolute } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConsoleLog } from '../../src/extension/node/consoleLog.ts';
import { EnvironmentKeys } from '../../src/extension/node/environmentKeys.ts';
import { findHome } from '../../src/extension/node/homeFolder.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';

describe('the system clock', () => {
  const clock = new SystemClock();

  test('ids are short, unique and safe in an address', () => {
    const ids = Array.from({ length: 2000 }, () => clock.newId());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[\w-]{12}$/);
  });

  test('sleeping ends with the reason of the abort, also when it came before', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const sleeping = clock.sleep(1_000_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(clock.sleep(0, controller.signal)).rejects.toBe(reason);
    await clock.sleep(1);
  });

  test('a sleep of more milliseconds than the system counts does not end at once', async () => {
    const controller = new AbortController();
    const sleeping = clock.sleep(1e15, controller.signal).then(
      () => 'woke',
      () => 'aborted',
    );
    await clock.sleep(30);
    controller.abort();
    expect(await sleeping).toBe('aborted');
  });
});

describe('the home folder', () => {
  test.each(['', 'relative', undefined])('is absolute also when HOME is %j', home => {
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(isAbsolute(findHome() ?? '/')).toBe(true);
  });
});

describe('keys from the environment', () => {
  test('the specific variable wins, blank ones do not count', async () => {
    const read = (environment: Record<string, string>) => new EnvironmentKeys(environment).read('gemini');
    expect(await read({ GEMINI_API_KEY: 'a', GOOGLE_API_KEY: 'b' })).toBe('a');
    expect(await read({ GEMINI_API_KEY: ' ', GOOGLE_API_KEY: ' b\n' })).toBe('b');
    expect(await read({})).toBeUndefined();
  });
});

describe('the log on the console', () => {
  test('only messages of the level and above are written, a cause as its message', () => {
    const lines: string[] = [];
    const log = new ConsoleLog('warn', line => lines.push(line));
    log.debug('d');
    log.info('i');
    log.warn('w');
    log.error('e', new Error('why'));
    expect(lines).toEqual(['warn: w\n', 'error: e (why)\n']);
  });
});
