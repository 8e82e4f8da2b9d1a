/* What becomes of a draft when the window reloads right after a key: VS Code in a browser has not stored it yet. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DraftFile } from '../../src/extension/node/sessions/draftFile.ts';
import { PanelDrafts } from '../../src/extension/vscode/features/sessions/panelDrafts.ts';
import type { ToWebview } from '../../src/protocol/panel/messages.ts';
import type { SessionState } from '../../src/protocol/state.ts';
import { createStore, type Store } from '../../src/webview/panel/store.ts';
import { shownState } from '../panel/journal.ts';
import { freshSession, session } from '../panel/sessionScenes.ts';
import type { WorldCase } from './report.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folio-drafts-'));
  for (const id of ['a', 'b']) mkdirSync(join(root, id));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

type Step =
  /** The user leaves this text in the composer. */
  | { readonly type: string }
  /** The user leaves it there while the page still loads. */
  | { readonly early: string }
  | { readonly show: SessionState }
  /** VS Code stores what the page remembers; without it a reload finds what was stored before. */
  | 'store'
  | 'reload'
  | { readonly remove: string };

interface DraftCase extends WorldCase {
  readonly steps: readonly Step[];
  /** In the composer at the end. */
  readonly draft: string;
}

const a = session('a');
const b = session('b');
const fresh = freshSession('fresh');

const cases: readonly DraftCase[] = [
  {
    title: 'typed right before the reload',
    source: 'report',
    steps: [{ show: a }, { type: 'Fix it' }, 'reload', { show: a }],
    draft: 'Fix it',
  },
  {
    title: 'more typed since VS Code has stored it',
    source: 'trial',
    steps: [{ show: a }, { type: 'Fix' }, 'store', { type: 'Fix it' }, 'reload', { show: a }],
    draft: 'Fix it',
  },
  {
    title: 'sent or cleared right before the reload: it does not come back',
    source: 'report',
    steps: [{ show: a }, { type: 'Fix it' }, 'store', { type: '' }, 'reload', { show: a }],
    draft: '',
  },
  {
    title: 'typed before the first prompt',
    source: 'report',
    steps: [{ show: fresh }, { type: 'Fix it' }, 'reload', { show: freshSession('other') }],
    draft: 'Fix it',
  },
  {
    title: 'typed while the first prompt goes out: it belongs to the session from then on',
    source: 'report',
    steps: [{ show: fresh }, { type: 'And then' }, { show: session('fresh') }, 'reload', { show: fresh }],
    draft: '',
  },
  {
    title: 'of a session that was left',
    source: 'report',
    steps: [{ show: a }, { type: 'Of a' }, { show: b }, { type: 'Of b' }, 'reload', { show: b }, { show: a }],
    draft: 'Of a',
  },
  {
    title: 'another session is shown after the reload than VS Code has stored',
    source: 'trial',
    steps: [{ show: a }, 'store', { show: b }, { type: 'Of b' }, 'reload', { show: b }],
    draft: 'Of b',
  },
  {
    title: 'typed while the page loads: newer than what was kept',
    source: 'trial',
    steps: [{ show: a }, { type: 'Fix it' }, 'reload', { early: 'Newer' }, { show: a }],
    draft: 'Newer',
  },
  {
    title: 'nothing was kept, as before an update: what VS Code stored stays',
    source: 'trial',
    steps: [{ show: b }, { type: 'Old' }, 'store', { remove: '.drafts.json' }, 'reload', { show: b }],
    draft: 'Old',
  },
  {
    title: 'its session is gone',
    source: 'trial',
    steps: [
      { show: a },
      { type: 'Fix it' },
      { show: b },
      { remove: 'a' },
      'reload',
      { show: b },
      { show: a },
    ],
    draft: '',
  },
];

describe('a draft and a reload', () => {
  for (const { title, steps, draft } of cases) {
    it(title, () => {
      const window = new ReloadedWindow(root);
      for (const step of steps) window.take(step);
      expect(window.store.draft.peek()).toBe(draft);
    });
  }
});

it('keeps drafts for the user alone, the newest few', () => {
  const file = new DraftFile(root, log);
  for (let at = 0; at < 30; at++) {
    mkdirSync(join(root, `s${at}`));
    file.keep(`s${at}`, `Draft ${at}`);
  }
  file.dispose();
  const path = join(root, '.drafts.json');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(new DraftFile(root, log).drafts.map(([, text]) => text)).toEqual(
    Array.from({ length: 20 }, (_, at) => `Draft ${at + 10}`),
  );
});

it('keeps drafts of windows without a folder apart, and those of windows that are gone for a month', () => {
  const typed = (window: string, text: string) => {
    const file = new DraftFile(root, log, window);
    file.keep('new', text);
    file.dispose();
  };
  for (const window of ['one', 'two', 'gone']) typed(window, `Of ${window}`);
  const daysAgo = (days: number) => Date.now() / 1000 - days * 24 * 60 * 60;
  for (const [window, days] of [
    ['one', 40],
    ['two', 20],
    ['gone', 40],
  ] as const)
    utimesSync(join(root, `.drafts-${window}.json`), daysAgo(days), daysAgo(days));
  const draftsOf = (window: string) => new DraftFile(root, log, window).drafts;
  expect(draftsOf('one')).toEqual([['new', 'Of one']]);
  expect(draftsOf('two')).toEqual([['new', 'Of two']]);
  expect(draftsOf('gone')).toEqual([]);
  expect(draftsOf('')).toEqual([]);
});

it('keeps the draft of a new session in a tab for that tab, which may not be seen for several reloads', () => {
  const typed: readonly (readonly [page: string, text: string])[] = [
    ['new', 'In the side bar'],
    ['new:1', 'In the first tab'],
    ['new:2', 'In the second tab'],
  ];
  openKept(kept => {
    for (const [name, text] of typed) kept.keep({ of: 'new', text }, pageOf(name));
    kept.keep({ of: 'a', text: 'Of a' }, pageOf('new:1'));
  });
  openKept(kept => kept.keep({ of: 'new', text: 'Later' }, pageOf('new')));
  openKept(kept => {
    const reported = (name: string) => {
      const page = pageOf(name);
      kept.notify(page);
      return page.facts;
    };
    const ofA = ['a', 'Of a'];
    expect(reported('new:1')).toEqual([
      { type: 'drafts.kept', drafts: [['new', 'In the first tab'], ofA], page: 'new:1' },
    ]);
    expect(reported('new:2')).toEqual([
      { type: 'drafts.kept', drafts: [['new', 'In the second tab'], ofA], page: 'new:2' },
    ]);
    expect(reported('new')).toEqual([{ type: 'drafts.kept', drafts: [ofA, ['new', 'Later']], page: 'new' }]);
    expect(reported('new:3')).toEqual([{ type: 'drafts.kept', drafts: [ofA], page: 'new:3' }]);
  });
});

/** One run of the host. */
function openKept(use: (kept: PanelDrafts) => void): void {
  const kept = new PanelDrafts(new DraftFile(root, log), { onDidChange: () => ({ dispose() {} }) });
  use(kept);
  kept.dispose();
}

function pageOf(name: string) {
  const facts: ToWebview[] = [];
  return { name, facts, feed: { notify: (fact: ToWebview) => void facts.push(fact) } };
}

it('forgets the draft of a session at once when that is deleted', () => {
  const file = new DraftFile(root, log);
  file.keep('a', 'Of a');
  file.keep('b', 'Of b');
  rmSync(join(root, 'a'), { recursive: true });
  file.prune();
  expect(readFileSync(join(root, '.drafts.json'), 'utf8')).not.toContain('Of a');
  expect(file.drafts).toEqual([['b', 'Of b']]);
});

/** A page and the host's file; both begin again with a reload. */
class ReloadedWindow {
  private readonly root: string;
  private file: DraftFile;
  private remembered: unknown;
  private stored: unknown;
  private receive: (fact: ToWebview) => void = () => {};
  private isReported = false;
  store: Store;

  constructor(root: string) {
    this.root = root;
    this.file = new DraftFile(root, log);
    this.store = this.load();
  }

  take(step: Step): void {
    if (step === 'store') this.stored = structuredClone(this.remembered);
    else if (step === 'reload') this.reload();
    else if ('show' in step) this.show(step.show);
    else if ('remove' in step) this.remove(step.remove);
    else this.store.draft.value = 'type' in step ? step.type : step.early;
  }

  private load(): Store {
    this.isReported = false;
    this.remembered = this.stored;
    return createStore({
      recall: () => this.stored,
      remember: memory => {
        this.remembered = memory;
      },
      listen: receive => {
        this.receive = receive;
      },
      act: message => {
        if (message.type === 'panel.drafted') this.file.keep(message.of, message.text);
      },
    });
  }

  private show(state: SessionState): void {
    this.receive({ type: 'session.shown', state: shownState(state) });
    if (!this.isReported) this.receive({ type: 'drafts.kept', drafts: this.file.drafts, page: 'new' });
    this.isReported = true;
  }

  private reload(): void {
    this.file.dispose();
    this.file = new DraftFile(this.root, log);
    this.store = this.load();
  }

  private remove(name: string): void {
    this.file.dispose();
    rmSync(join(this.root, name), { recursive: true });
    this.file = new DraftFile(this.root, log);
  }
}
