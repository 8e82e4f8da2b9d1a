import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type ConsentItem, ConsentService } from '../../../src/extension/core/consent/consentService.ts';
import { Customizations } from '../../../src/extension/core/customizations/customizations.ts';
import { Hooks } from '../../../src/extension/core/hooks/hooks.ts';
import { readRuleBook } from '../../../src/extension/core/policy/ruleBook.ts';
import { SeenItemsFile } from '../../../src/extension/node/settings/seenItemsFile.ts';
import { decideOnAll } from '../../support/consent.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

let folder: string;
let file: string;
let trusted: boolean;
beforeEach(async () => {
  folder = await temporaryFolder('consent-');
  file = join(folder, 'seen.txt');
  trusted = true;
});

const thing: ConsentItem = { kind: 'hook', name: 'BeforeAgent', detail: 'true', path: '/w/settings.json' };

/** A window with these fingerprints in one room; they can be changed. */
function openWindow(ids: readonly string[]) {
  const consent = new ConsentService(new SeenItemsFile(file), () => trusted);
  const window = {
    consent,
    ids,
    review,
    states: () => Promise.all(window.ids.map(id => consent.stateOf(id))),
  };
  async function review() {
    const states = await window.states();
    const waiting = window.ids.filter((_id, index) => states[index] === 'waiting');
    consent.setWaiting(window, new Map(waiting.map(id => [id, thing])));
  }
  consent.join(window);
  return window;
}

test('a thing that changes between look and press is not decided on, in its old form or its new one', async () => {
  const window = openWindow(['hook-1', 'hook-2']);
  await window.review();
  const shown = [...window.consent.unseen.keys()];
  window.ids = ['hook-1', 'hook-3'];
  await window.review();
  await window.consent.decide('allowed', shown);
  expect(await window.states()).toEqual(['enabled', 'waiting']);
  expect([...window.consent.unseen.keys()]).toEqual(['hook-3']);
  expect(await readFile(file, 'utf8')).toBe('hook-1\n');
});

test('what was never shown cannot be decided on by its id', async () => {
  const window = openWindow(['hook-1']);
  await window.review();
  await window.consent.decide('allowed', ['hook-2', 'refused-hook-1']);
  await window.consent.reopen(['hook-1']);
  await window.consent.withdraw(['hook-1', 'hook-2']);
  expect(await window.states()).toEqual(['waiting']);
});

test('of two windows the newest decision counts in both', async () => {
  const [one, other] = [openWindow(['server-1']), openWindow(['server-1'])];
  await one.review();
  await other.review();
  await decideOnAll(one.consent, 'allowed');
  expect(await other.states()).toEqual(['enabled']);
  await other.consent.withdraw(['server-1']);
  expect([await one.states(), await other.states()]).toEqual([['refused'], ['refused']]);
  await one.consent.reopen(['server-1']);
  expect([...one.consent.unseen.keys()]).toEqual(['server-1']);
  await other.review();
  await decideOnAll(other.consent, 'refused');
  expect(await one.states()).toEqual(['refused']);
});

test('each decision is followed by a review of all rooms, and only other things that wait are told', async () => {
  const window = openWindow(['agent-1']);
  const order: string[] = [];
  window.consent.join({ review: async () => void order.push('second') });
  let changes = 0;
  window.consent.onDidChange(() => changes++);
  await window.review();
  await window.review();
  expect([changes, order]).toEqual([1, []]);
  await decideOnAll(window.consent, 'refused');
  expect([changes, order, await window.states()]).toEqual([2, ['second'], ['refused']]);
});

test('what was decided before is still valid', async () => {
  await appendFile(
    file,
    'hook-1\nrefused-agent-2\npolicy-3\nrefused-skill-4\nskill-4\nhook-5\nforgotten hook-5\n',
  );
  const window = openWindow(['hook-1', 'agent-2', 'policy-3', 'skill-4', 'hook-5']);
  expect(await window.states()).toEqual(['enabled', 'refused', 'enabled', 'enabled', 'waiting']);
});

test('without trust everything waits, and nothing that was decided is forgotten', async () => {
  const window = openWindow(['hook-1']);
  await window.review();
  await decideOnAll(window.consent, 'allowed');
  trusted = false;
  expect(await window.states()).toEqual(['waiting']);
  await window.consent.withdraw(['hook-1']);
  trusted = true;
  expect(await window.states()).toEqual(['enabled']);
});

test('each kind of thing has the fingerprint that earlier versions kept decisions under', async () => {
  const path = '/w/.gemini/settings.json';
  const ids: string[] = [];
  const consent = new ConsentService(
    {
      isSeen: async id => {
        ids.push(id);
        return true;
      },
      markSeen: async () => {},
      forget: async () => {},
    },
    () => true,
  );
  const digest = async () => 'scripts';
  const content = {
    mcpServers: { files: { command: 'node' } },
    hooks: { BeforeAgent: [{ hooks: [{ type: 'command', command: 'true' }] }] },
  };
  const all = new Customizations({
    files: {
      read: async () => [
        { kind: 'settings', name: 'settings', origin: { kind: 'workspace' }, path, text: '', content },
      ],
      digest,
    },
    consent,
    disabled: () => [],
  });
  await all.refresh();
  const hooks = new Hooks({
    files: { read: async () => [{ path, origin: 'workspace', dialect: 'gemini', content }], digest },
    processes: { run: async () => ({ kind: 'stopped' }), dispose: async () => {} },
    consent,
    notify: () => {},
  });
  await hooks.refresh();
  const text = '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 100\n';
  const files = [{ path: '/w/.folio/policies/a.toml', tier: 'workspace' as const, text }];
  const parts = { consent, alwaysFile: undefined, show: (each: string) => each };
  await readRuleBook({ files, settings: [], problems: [] }, parts);
  expect([...new Set(ids)]).toEqual([
    'server-aa55e437905e8a06cc0d63426c2e9ff7be62ca272ebff90df3afe2ab9ac3e189',
    'hook-81b847334965062bb63e777fd4b9fd99b1dfd05d49df477ae1071d4408a16803',
    'policy-e7792b0857186112031cff9a0edca93522c1ff0aed76275c1de4ca194fb1b357',
  ]);
});
