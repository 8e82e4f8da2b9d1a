import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Certificate, hasOpenssl, makeCertificate } from '../support/certificates.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { startInspectingProxy } from '../support/inspectingProxy.ts';
import { type ServedWire, servedWires } from '../support/talkingServers.ts';

let folder: string;
let certificate: Certificate;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folio-proxy-'));
  await mkdir(join(folder, 'workspace'));
  if (hasOpenssl) certificate = await makeCertificate(folder, 'models.example');
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Nobody can look the host's name up: the proxy alone leads there. */
function run({ provider, model, env, path }: ServedWire, proxy: string, more: Record<string, string> = {}) {
  return runHeadless({
    args: [
      ...['--provider', provider, '--model', model, '--base-url', `https://models.example${path}`],
      ...['--workspace', join(folder, 'workspace'), '--session-dir', join(folder, 'sessions')],
      ...['--prompt', 'Hello.'],
    ],
    env: { ...env, HTTPS_PROXY: proxy, NODE_USE_ENV_PROXY: '1', ...more },
  });
}

describe.skipIf(!hasOpenssl).for(servedWires)(
  'over $provider a proxy that inspects encrypted connections',
  wire => {
    it('is told as such, and works once its certificate is named', async () => {
      await using server = await wire.start(() => ({ text: 'Hello from behind.' }));
      await using proxy = await startInspectingProxy(certificate, server.origin);
      const refused = await run(wire, proxy.address);
      expect(refused.code).not.toBe(0);
      expect(`${refused.out}${refused.error}`).toMatch(
        /is not trusted \(\w+\)\. If a proxy inspects .* NODE_EXTRA_CA_CERTS/,
      );
      expect(server.asked()).toBe(0);
      const { code, out, error } = await run(wire, proxy.address, { NODE_EXTRA_CA_CERTS: certificate.file });
      expect({ code, error }).toEqual({ code: 0, error: '' });
      expect(out).toContain('Hello from behind.');
      expect(server.asked()).toBe(1);
      expect(new Set(proxy.wanted)).toEqual(new Set(['models.example:443']));
    });

    it('that wants a login is told as such', async () => {
      await using server = await wire.start(() => ({ text: 'Hello from behind.' }));
      await using proxy = await startInspectingProxy(certificate, server.origin, { login: true });
      const { code, out, error } = await run(wire, proxy.address);
      expect(code).not.toBe(0);
      expect(`${out}${error}`).toMatch(
        /A proxy on the way to .* wants a login\. Check the setting http\.proxy/,
      );
      expect(server.asked()).toBe(0);
    });
  },
);
