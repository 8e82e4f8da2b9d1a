import { expect, test } from 'vitest';
import { NodeTransport } from '../src/extension/node/http/nodeTransport.ts';
import { SystemClock } from '../src/extension/node/systemClock.ts';
import { SessionObservers } from '../src/extension/observers/sessionObservers.ts';
import { defaultSettings, type SettingValues } from '../src/extension/platform/settings.ts';

function wants(env: Readonly<Record<string, string>>, managed: Partial<SettingValues>): boolean {
  const values = { ...defaultSettings, ...managed };
  const observers = new SessionObservers({
    machine: { env, home: '/home/user' },
    settings: { get: name => values[name], managedNames: Object.keys(managed) },
    transport: new NodeTransport(),
    clock: new SystemClock(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    version: '0',
  });
  return observers.follow('s') !== undefined;
}

test('no variable switches off a collector, or on another one, where an organisation has decided', () => {
  const endpoint = { 'telemetry.endpoint': 'http://127.0.0.1:9' };
  expect(wants({ OTEL_SDK_DISABLED: 'true' }, endpoint)).toBe(true);
  expect(wants({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, { 'telemetry.endpoint': '' })).toBe(
    false,
  );
  expect(wants({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, {})).toBe(true);
  expect(wants({}, {})).toBe(false);
});
