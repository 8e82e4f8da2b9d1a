/* Requests of a window go by VS Code's own proxy, on every wire; how far its settings about certificates reach. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hasOpenssl, makeCertificate } from '../support/certificates.ts';
import { startInspectingProxy } from '../support/inspectingProxy.ts';
import { type ServedWire, servedWires } from '../support/talkingServers.ts';
import { ask } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const addressSettings: Readonly<Record<ServedWire['provider'], string>> = {
  gemini: 'folio.baseUrl',
  anthropic: 'folio.anthropic.baseUrl',
  openai: 'folio.openai.baseUrl',
  'openai-responses': 'folio.openaiResponses.baseUrl',
};

test.skipIf(!hasOpenssl)(
  'the proxy of VS Code leads to every provider, and one that inspects is trusted by the file of its certificate',
  { tags: ['journey'] },
  async ({ openOwn, makeFolder }) => {
    const scratch = await mkdtemp(join(tmpdir(), 'folio-proxy-'));
    await using _ = { [Symbol.asyncDispose]: () => rm(scratch, { recursive: true, force: true }) };
    const certificate = await makeCertificate(scratch, 'models.example');
    const keys = Object.assign({}, ...servedWires.map(({ env }) => env));
    const window = await openOwn({
      folder: await makeFolder({ 'note.txt': 'a note' }),
      env: { ...keys, NODE_EXTRA_CA_CERTS: certificate.file },
    });
    const panel = await window.openPanel();
    for (const wire of servedWires) {
      const { provider, model, path } = wire;
      await using server = await wire.start(() => ({ text: `Hello by ${provider}.` }));
      await using proxy = await startInspectingProxy(certificate, server.origin);
      // Nobody can look the host's name up: the proxy alone leads there.
      const settings = {
        'folio.provider': provider,
        'folio.model': model,
        [addressSettings[provider]]: `https://models.example${path}`,
        'http.proxy': proxy.address,
      };
      if (wire === servedWires[0]) {
        // While the certificates of the computer count, VS Code takes no others, and asks nobody how strict to be.
        await window.replaceSettings({ ...settings, 'http.proxyStrictSSL': false });
        await ask(panel, 'Hello?');
        await panel.getByText(/is not trusted \(\w+\)\. If a proxy inspects encrypted connections/).waitFor();
        expect(server.asked()).toBe(0);
      }
      await window.replaceSettings({ ...settings, 'http.systemCertificates': false });
      await window.runCommand('Folio: New Session');
      await panel.getByText('Describe a task.', { exact: false }).waitFor();
      await ask(panel, 'Hello?');
      await panel.getByText(`Hello by ${provider}.`).waitFor();
      expect(new Set(proxy.wanted)).toEqual(new Set(['models.example:443']));
    }

    const [wire] = servedWires as readonly [ServedWire];
    await using server = await wire.start(() => ({ text: 'By the proxy all the same.' }));
    await using proxy = await startInspectingProxy(certificate, server.origin);
    await window.replaceSettings({
      'folio.baseUrl': 'https://models.example',
      'folio.maxAttempts': 1,
      'http.proxy': proxy.address,
      'http.noProxy': ['models.example'],
      'http.systemCertificates': false,
    });
    await window.runCommand('Folio: New Session');
    await panel.getByText('Describe a task.', { exact: false }).waitFor();
    await ask(panel, 'Hello?');
    await panel.getByText(/The connection to Gemini failed/).waitFor();
    expect(proxy.wanted).toEqual([]);
  },
);
