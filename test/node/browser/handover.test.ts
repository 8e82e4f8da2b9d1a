import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type {
  Browser,
  ControlledPage,
  JavaScriptDialog,
  PageFrame,
  PageInput,
  PageLoss,
  PageViewer,
} from '../../../src/extension/platform/browser/browser.ts';
import { browserSite, hasBrowser, killableBrowser, testBrowser } from '../../support/browserSite.ts';

const browser = testBrowser();
afterAll(() => browser.close());

const login = `<title>Sign in</title><style>body { margin: 0 } input, button { display: block; width: 400px; height: 40px }</style>
<input id=name aria-label=Name><input id=word type=password aria-label=Word>
<button onclick="word.type = 'text'">Show</button>
<button onclick="document.title = confirm('Really?') ? 'Yes' : 'No'">Ask</button>
<button onclick="location = location.pathname + '?word=' + encodeURIComponent(word.value)">Go</button>
<a href="http://192.168.1.1/" style="display: block; height: 40px">Away</a>`;
/** Rows of the page, 40 pixels each. */
const [nameRow, wordRow, showRow, askRow, goRow, awayRow] = [0, 1, 2, 3, 4, 5];
const secret = 'pa ss&w0rd';

/** A user who sees each picture at once. */
class Viewer implements PageViewer {
  readonly frames: PageFrame[] = [];
  readonly questions: JavaScriptDialog[] = [];
  /** Of each end, what was lost. */
  readonly ends: (PageLoss | undefined)[] = [];

  async show(frame: PageFrame): Promise<void> {
    this.frames.push(frame);
  }

  async answer(question: JavaScriptDialog): Promise<string> {
    this.questions.push(question);
    return '';
  }

  ended(lost?: PageLoss): void {
    this.ends.push(lost);
  }
}

async function press(page: ControlledPage, row: number): Promise<void> {
  const mouse = {
    kind: 'mouse',
    x: 50 / 1280,
    y: (row * 40 + 20) / 800,
    modifiers: 0,
    clickCount: 1,
  } as const;
  await page.input({ ...mouse, type: 'mousePressed', button: 'left', buttons: 1 });
  await page.input({ ...mouse, type: 'mouseReleased', button: 'left', buttons: 0 });
}

async function type(page: ControlledPage, text: string): Promise<void> {
  for (const key of text) {
    const pressed: PageInput = {
      kind: 'key',
      type: 'keyDown',
      key,
      code: '',
      keyCode: 0,
      modifiers: 0,
      text: key,
    };
    await page.input(pressed);
    await page.input({ ...pressed, type: 'keyUp', text: undefined });
  }
}

async function takeOver(by: Browser) {
  const viewer = new Viewer();
  const page = await by.takeOver(viewer);
  await expect.poll(() => viewer.frames.length).toBeGreaterThan(0);
  return { viewer, page };
}

describe.skipIf(!hasBrowser)('a page that the user took over', () => {
  it('takes their mouse and keys, and afterwards the agent reads what changed', async () => {
    await using site = await browserSite({ '/': login }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const { viewer, page } = await takeOver(site.browser);
    expect(viewer.frames[0]).toMatchObject({ width: 1280, height: 800, address: `${site.origin}/` });
    await press(page, nameRow);
    const shift = { kind: 'key', type: 'keyDown', key: 'Shift', code: 'ShiftLeft', keyCode: 16 } as const;
    await page.input({ ...shift, modifiers: 8 });
    await type(page, 'Ada');
    await page.input({ kind: 'text', text: ' L.' });
    await page.giveBack();
    await page.giveBack();
    expect(viewer.ends).toEqual([undefined]);
    const changes = await site.browser.act([], site.signal);
    expect(changes.notices).toEqual([expect.stringMatching(/^The user had the page for \d+ s/)]);
    expect(changes.outline).toContain('Ada L.');
  });

  it('is not touched by the agent until it is given back', async () => {
    await using site = await browserSite({ '/': login }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const { page } = await takeOver(site.browser);
    const refused = /The user has the page/;
    await expect(site.browser.act([{ do: 'click', at: '#name' }], site.signal)).rejects.toThrow(refused);
    await expect(site.browser.inspect({ what: 'picture' }, site.signal)).rejects.toThrow(refused);
    await expect(site.browser.run('1', site.signal)).rejects.toThrow(refused);
    await expect(site.browser.takeOver(new Viewer())).rejects.toThrow(refused);
    expect(await site.browser.check(site.signal)).toBeUndefined();
    const stop = new AbortController();
    const stopped = site.browser.untilFree(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    const free = site.browser.untilFree(site.signal);
    await page.giveBack();
    expect(await free).toBe(true);
    expect(await site.browser.untilFree(site.signal)).toBe(false);
  });

  it('shows no password to the agent: not in the outline, a script, the requests, the address or a picture', async () => {
    await using site = await browserSite({ '/': login }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const look = { what: 'picture', at: '#word' } as const;
    const empty = await site.browser.inspect(look, site.signal);
    const first = await takeOver(site.browser);
    await press(first.page, wordRow);
    await first.page.input({ kind: 'text', text: secret });
    await press(first.page, showRow);
    await press(first.page, wordRow);
    await first.page.input({
      kind: 'key',
      type: 'keyDown',
      key: 'End',
      code: 'End',
      keyCode: 35,
      modifiers: 0,
    });
    await type(first.page, '!');
    await first.page.giveBack();
    const revealed = await site.browser.act([], site.signal);
    const { value } = await site.browser.run('document.querySelector("#word").value', site.signal);
    const outline = await site.browser.inspect({ what: 'outline' }, site.signal);
    expect(JSON.stringify([revealed, value, outline])).not.toContain(secret);
    expect(value).toContain('[hidden]');
    const compareTo = empty.kind === 'picture' ? empty.data : '';
    const seen = await site.browser.inspect({ ...look, compareTo }, site.signal);
    // All of it is painted over.
    expect(seen.kind === 'picture' && seen.difference?.share).toBeGreaterThan(0.95);

    const second = await takeOver(site.browser);
    await press(second.page, goRow);
    await expect.poll(() => site.asked.at(-1)).toContain('word=');
    await second.page.giveBack();
    const left = await site.browser.act([], site.signal);
    const network = await site.browser.inspect({ what: 'network' }, site.signal);
    const spellings = [secret, encodeURIComponent(secret)];
    for (const each of spellings)
      expect(JSON.stringify([left, network, site.browser.address])).not.toContain(each);
    expect(site.browser.address).toContain(`${site.origin}/`);
  });

  it('asks the user what the page asks, and leads to no private address', async () => {
    await using site = await browserSite({ '/': login }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const { viewer, page } = await takeOver(site.browser);
    await press(page, askRow);
    expect(viewer.questions).toEqual([{ kind: 'confirm', message: 'Really?', value: '' }]);
    await press(page, awayRow);
    await page.giveBack();
    const { title, address, notices } = await site.browser.act([], site.signal);
    expect({ title, address }).toEqual({ title: 'Yes', address: `${site.origin}/` });
    expect(notices).toContainEqual(expect.stringContaining('192.168.1.1'));
  });

  it('is selected by a drag whose button is down', async () => {
    const field = '<input id=name value="Ada Lovelace" style="display: block; width: 400px; height: 40px">';
    await using site = await browserSite({ '/': `<style>body { margin: 0 }</style>${field}` }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const { page } = await takeOver(site.browser);
    const drag = { kind: 'mouse', y: 20 / 800, modifiers: 0, clickCount: 1, button: 'left' } as const;
    await page.input({ ...drag, type: 'mousePressed', x: 399 / 1280, buttons: 1 });
    await page.input({ ...drag, type: 'mouseMoved', x: 200 / 1280, buttons: 1 });
    await page.input({ ...drag, type: 'mouseMoved', x: 0, buttons: 1 });
    await page.input({ ...drag, type: 'mouseReleased', x: 0, buttons: 0 });
    await type(page, 'Eve');
    await page.giveBack();
    const { value } = await site.browser.run('document.querySelector("#name").value', site.signal);
    expect(value).toBe('"Eve"');
  });

  it.each([
    ['its session closes', undefined],
    ['its browser ends', 'browser'],
  ] as const)('is free again when %s, and its viewer hears what is lost', async (_name, lost) => {
    const folder = await mkdtemp(join(tmpdir(), 'folio-browser-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const program = await killableBrowser(folder);
    const own = testBrowser([], program.path);
    await using site = await browserSite({ '/': login }, own);
    await own.open(`${site.origin}/`, undefined, site.signal);
    const { viewer, page } = await takeOver(own);
    const free = own.untilFree(site.signal);
    if (lost === undefined) await own.close();
    else await program.kill();
    expect(await free).toBe(true);
    expect(viewer.ends).toEqual([lost]);
    await page.giveBack();
    await own.close();
  });
});
