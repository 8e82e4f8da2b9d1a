import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserTab } from '../../../src/extension/platform/browser/tabs.ts';
import {
  type BrowserSite,
  browserSite,
  hasBrowser,
  type SitePage,
  testBrowser,
} from '../../support/browserSite.ts';
import { UsersBrowser } from '../../support/usersBrowser.ts';

const account = `<title>Account of Ada</title><style>body { margin: 0 }</style>
<h1>Balance 1.234</h1><button onclick="this.textContent = 'Sent'">Send</button>
<button id=popup onclick="window.open('/other')">Open</button>
<a id=away href="http://bank.test:PORT/">Away</a>
<button id=ask onclick="document.title = confirm('Really?') ? 'Yes' : 'No'">Ask</button>
<input id=word type=password aria-label=Word><button id=show onclick="word.type = 'text'">Show</button>`;
const frames = `<style>body { margin: 0 } * { border: 0 } .account { width: 200px; height: 50px; background: red }</style>
<div class=account></div><iframe width=300 height=100 style="display: block" src="http://bank.test:PORT/other"></iframe>`;
/** Another host, which is this machine too. */
const asBank = ['--host-resolver-rules=MAP bank.test 127.0.0.1'];
const pages = {
  '/frames': withPort(frames),
  '/': withPort(account),
  '/other': '<title>Secret of another tab</title>',
  '/next': '<h1>Next</h1>',
};

describe.skipIf(!hasBrowser)('a tab that the user shares', () => {
  const browser = testBrowser();
  let users: UsersBrowser;
  let site: BrowserSite;
  beforeAll(async () => {
    site = await browserSite(pages, browser);
    users = await UsersBrowser.start(...asBank);
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await browser.close();
    await users[Symbol.asyncDispose]();
  });

  /** The user opens a page in a new tab, and shares it. */
  async function shareTab(path = '/'): Promise<string> {
    const id = await users.open(`${site.origin}${path}`);
    await browser.sharing.share(await listed(id));
    return id;
  }

  async function listed(id: string): Promise<UserTab> {
    const found = (await browser.sharing.list(users.at)).find(each => each.id === id);
    if (!found) throw new Error('The tab is not listed.');
    return found;
  }

  it('is what the tools look at and act on, and only it', async () => {
    await users.open(`${site.origin}/other`);
    const id = await shareTab();
    expect(browser.address).toBe(`${site.origin}/`);
    expect(browser.isUsed).toBe(true);
    const outline = await browser.inspect({ what: 'outline' }, site.signal);
    expect(outline).toMatchObject({ text: expect.stringContaining('Balance 1.234') });
    const changes = await browser.act([{ do: 'click', at: 'button' }], site.signal);
    expect(changes).toMatchObject({ done: 1, title: 'Account of Ada' });
    expect(await users.inTab(id, 'document.querySelector("button").textContent')).toBe('Sent');
    expect(JSON.stringify([outline, changes])).not.toContain('another tab');
  });

  it('keeps its size, and is pictured at one pixel for each of CSS', async () => {
    const id = await shareTab();
    const size = await users.inTab(id, '[innerWidth, innerHeight].join("x")');
    const picture = await browser.inspect({ what: 'picture' }, site.signal);
    const part = await browser.inspect({ what: 'picture', at: 'h1' }, site.signal);
    expect(await users.inTab(id, '[innerWidth, innerHeight].join("x")')).toBe(size);
    if (picture.kind !== 'picture' || part.kind !== 'picture') throw new Error('There is no picture.');
    expect(`${picture.width}x${picture.height}`).toBe(size);
    expect(jpegSize(picture.data)).toBe(size);
    expect(part.height).toBeLessThan(100);
    expect(jpegSize(part.data)).toBe(`${part.width}x${part.height}`);
  });

  it('stays open as it is when the user stops sharing, and the agent starts over in the private browser', async () => {
    const id = await shareTab();
    browser.sharing.stop();
    browser.sharing.stop();
    expect(browser.address).toBeUndefined();
    await expect(browser.inspect({ what: 'text' }, site.signal)).rejects.toThrow(/no longer shares/);
    await expect(browser.act([], site.signal)).rejects.toThrow(/no longer shares/);
    expect(await users.inTab(id, 'document.title')).toBe('Account of Ada');
    await browser.open(`${site.origin}/next`, undefined, site.signal);
    expect(browser.address).toBe(`${site.origin}/next`);
    expect(await users.inTab(id, 'location.pathname')).toBe('/');
  });

  it('is lost when it crashes or its user closes it, and a second one of the same site is not taken for it', async () => {
    const changes: string[] = [];
    const listening = browser.sharing.onDidChange(change => void changes.push(change));
    const other = await users.open(`${site.origin}/`);
    for (const end of ['crash', 'close'] as const) {
      const id = await shareTab();
      await users[end](id);
      await expect.poll(() => changes).toEqual(['shared', 'lost']);
      expect(browser.sharing.present).toBeUndefined();
      await expect(browser.act([], site.signal)).rejects.toThrow(/no longer shares/);
      changes.length = 0;
    }
    listening.dispose();
    expect(await users.inTab(other, 'document.querySelector("button").textContent')).toBe('Send');
  });

  it('is lost when its browser is killed', async () => {
    await using mortal = await UsersBrowser.start();
    const id = await mortal.open(`${site.origin}/`);
    const found = (await browser.sharing.list(mortal.at)).find(each => each.id === id);
    await browser.sharing.share(found!);
    await mortal.kill();
    await expect.poll(() => browser.sharing.present).toBeUndefined();
    await expect(browser.sharing.share(found!)).rejects.toThrow(/could not be reached/);
    await expect(browser.sharing.list(mortal.at)).rejects.toThrow(/No browser takes/);
  });

  it('is used in one of two tabs of a site alone', async () => {
    const [id, other] = [await shareTab(), await users.open(`${site.origin}/`)];
    await browser.act([{ do: 'click', at: 'button' }], site.signal);
    const words = 'document.querySelector("button").textContent';
    expect([await users.inTab(id, words), await users.inTab(other, words)]).toEqual(['Sent', 'Send']);
  });

  it('does not go to another host by a step, and is neither read nor used where the user takes it', async () => {
    const id = await shareTab();
    const changes = await browser.act([{ do: 'click', at: '#away' }], site.signal);
    expect(changes.notices).toEqual([expect.stringMatching(/wanted to go to .*bank\.test.*blocked/)]);
    expect(browser.address).toBe(`${site.origin}/`);
    const bank = `${site.origin.replace('localhost', 'bank.test')}/other`;
    await users.inTab(id, `void setTimeout(() => { location = '${bank}'; })`);
    await expect.poll(() => users.inTab(id, 'document.title')).toBe('Secret of another tab');
    const refused = /at another host than the user shares/;
    await expect(browser.inspect({ what: 'text' }, site.signal)).rejects.toThrow(refused);
    await expect(browser.inspect({ what: 'picture' }, site.signal)).rejects.toThrow(refused);
    await expect(browser.act([], site.signal)).rejects.toThrow(refused);
    await expect(browser.run('document.cookie', site.signal)).rejects.toThrow(refused);
    expect(await browser.check(site.signal)).toBeUndefined();
    await users.inTab(id, 'void setTimeout(() => history.back())');
    await expect.poll(() => users.inTab(id, 'document.title')).toBe('Account of Ada');
    await expect.poll(() => browser.address).toBe(`${site.origin}/`);
    await browser.inspect({ what: 'text' }, site.signal);
    // What the user allowed on the card leads there.
    await browser.open(bank, undefined, site.signal);
    expect(await browser.inspect({ what: 'text' }, site.signal)).toMatchObject({ kind: 'text' });
  });

  it('opens other tabs, which stay open and are not shared', async () => {
    await shareTab();
    const before = (await users.addresses()).length;
    const { notices } = await browser.act([{ do: 'click', at: '#popup' }], site.signal);
    expect(notices).toEqual([expect.stringMatching(/another tab, which is not shared/)]);
    await expect.poll(async () => (await users.addresses()).length).toBe(before + 1);
    expect(browser.address).toBe(`${site.origin}/`);
    const { notices: later, title } = await browser.act([], site.signal);
    expect([later, title]).toEqual([[], 'Account of Ada']);
  });

  it('hides what the user typed into fields for passwords, and fills none', async () => {
    const id = await shareTab();
    await users.inTab(id, 'word.value = "pa ss&w0rd"');
    const { value } = await browser.run('[word.value, encodeURIComponent(word.value)]', site.signal);
    expect(value).not.toMatch(/ss/);
    await browser.act([{ do: 'click', at: '#show' }], site.signal);
    expect(JSON.stringify(await browser.inspect({ what: 'outline' }, site.signal))).not.toContain('w0rd');
    await users.inTab(id, 'word.type = "password"');
    const { failure } = await browser.act([{ do: 'type', at: '#word', text: 'mine' }], site.signal);
    expect(failure).toContain('Password fields are not filled');
  });

  it('waits for the user where a dialog of theirs is open', async () => {
    const id = await shareTab();
    const answer = await users.openDialog(id, 'Yours');
    const asked = /a dialog, which the user has to answer: "Yours"/;
    await expect
      .poll(() => browser.inspect({ what: 'text' }, site.signal).then(String, String))
      .toMatch(asked);
    await expect(browser.open(`${site.origin}/next`, undefined, site.signal)).rejects.toThrow(asked);
    answer();
    await expect
      .poll(() => browser.inspect({ what: 'text' }, site.signal).then(() => 'read', String))
      .toBe('read');
    // One that a step opens is the agent's.
    const { notices, title } = await browser.act(
      [{ do: 'accept' }, { do: 'click', at: '#ask' }],
      site.signal,
    );
    expect([notices, title]).toEqual([['Accepted the confirm dialog: Really?'], 'Yes']);
  });

  it('is refused where it left the host that the user saw in the list', async () => {
    const id = await users.open(`${site.origin}/`);
    const seen = await listed(id);
    await expect(browser.sharing.share({ ...seen, address: 'http://elsewhere.test/' })).rejects.toThrow(
      /went to another host/,
    );
  });

  it('is told to the model once, and so is its end', async () => {
    browser.sharing.stop();
    browser.sharing.next();
    await shareTab();
    expect(browser.sharing.next()).toContain('now shares a tab');
    expect(browser.sharing.next()).toBeUndefined();
    browser.sharing.stop();
    expect(browser.sharing.next()).toContain('no longer shares');
    await shareTab();
    browser.sharing.stop();
    expect(browser.sharing.next()).toBeUndefined();
  });

  it('covers frames of other hosts in pictures where a mask is set, on sharp screens too', async () => {
    const masked = testBrowser(['.account']);
    await using sharp = await UsersBrowser.start('--force-device-scale-factor=2', ...asBank);
    try {
      const id = await sharp.open(`${site.origin}/frames`);
      const found = (await masked.sharing.list(sharp.at)).find(each => each.id === id);
      await masked.sharing.share(found!);
      const grey = { kind: 'picture', difference: { share: 0 } };
      for (const at of ['.account', 'iframe']) {
        const compareTo = await greyPicture(at === 'iframe' ? [300, 100] : [200, 50]);
        expect(await masked.inspect({ what: 'picture', at, compareTo }, site.signal), at).toMatchObject(grey);
      }
      const bare = testBrowser();
      await bare.sharing.share(found!);
      const whole = await bare.inspect({ what: 'picture' }, site.signal);
      const size = await sharp.inTab(id, '[innerWidth, innerHeight].join("x")');
      expect(whole.kind === 'picture' && jpegSize(whole.data)).toBe(size);
      await bare.close();
    } finally {
      await masked.close();
    }
  });

  /** A picture in the colour of masks. */
  async function greyPicture([width, height]: readonly [number, number]): Promise<string> {
    const code = `(async () => {
      const canvas = new OffscreenCanvas(${width}, ${height}), context = canvas.getContext('2d');
      context.fillStyle = '#7f7f7f';
      context.fillRect(0, 0, ${width}, ${height});
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
      return btoa(String.fromCharCode(...bytes));
    })()`;
    return (await users.inTab(await users.open(`${site.origin}/`), code)) as string;
  }
});

function withPort(page: string): SitePage {
  return ({ headers }, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' });
    answer.end(page.replaceAll('PORT', headers.host?.split(':').at(-1) ?? ''));
  };
}

/** As the file says itself. */
function jpegSize(data: string): string {
  const bytes = Buffer.from(data, 'base64');
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc3)
      return `${bytes.readUInt16BE(at + 7)}x${bytes.readUInt16BE(at + 5)}`;
  }
  return '';
}
