import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { browserSite, hasBrowser, testBrowser } from '../../support/browserSite.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

const form = `<title>Orders</title><h1>New order</h1>
<form onsubmit="event.preventDefault(); console.error('no such item', item.value); fetch('/save');
  document.querySelector('h1').textContent = 'Saved ' + item.value + ' ' + size.value">
  <label>Item <input id=item></label>
  <label>Size <select id=size><option>S<option>M</select></label>
  <button>Save</button>
</form>
<a href="/next">Next</a> <a href="http://example.invalid/away">Away</a>`;

/** Starting one takes longer than a test. */
const browser = testBrowser();
afterAll(() => browser.close());

describe.skipIf(!hasBrowser)('a page in the browser', () => {
  it('is opened with its outline', async () => {
    await using site = await browserSite({ '/': form }, browser);
    const opened = await site.browser.open(`${site.origin}/`, undefined, site.signal);
    expect(opened).toMatchObject({ title: 'Orders', isNew: true, consoleErrors: [], failedRequests: [] });
    expect(opened.outline.split('\n').map(line => line.trim())).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^- heading "New order" \[e\d+\] level=1$/),
        expect.stringMatching(/^- textbox "Item" \[e\d+\]$/),
        expect.stringMatching(/^- button "Save" \[e\d+\]$/),
      ]),
    );
  });

  it('takes a whole form in one call, and says what changed', async () => {
    await using site = await browserSite({ '/': form }, browser);
    const { outline } = await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const changes = await site.browser.act(
      [
        { do: 'type', at: refOf(outline, 'textbox "Item"'), text: 'Tea' },
        { do: 'select', at: '#size', text: 'M' },
        { do: 'click', at: refOf(outline, 'button "Save"') },
      ],
      site.signal,
    );
    expect(changes.failure).toBeUndefined();
    expect(changes.done).toBe(3);
    expect(changes.consoleErrors).toEqual([expect.stringContaining('error: no such item Tea')]);
    expect(changes.failedRequests).toEqual([`GET ${site.origin}/save 404`]);
    expect(changes.outline).toContain('~ heading "Saved Tea M"');
    expect(changes.outline).not.toContain('link "Next"');
  });

  it('gets a file in a field for files, and in no other', async () => {
    const page = `<title>Files</title><input id=file type=file onchange="file.files[0].text().then(words => {
      document.title = file.files[0].name + ' ' + words.length })"><input id=name>`;
    await using site = await browserSite({ '/': page }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const path = import.meta.filename;
    const upload = (at: string) => site.browser.act([{ do: 'upload', at, text: path }], site.signal);
    const { length } = await readFile(path, 'utf8');
    expect(await upload('#file')).toMatchObject({ done: 1, title: `${basename(path)} ${length}` });
    expect((await upload('#name')).failure).toContain('The element takes no file.');
  });

  it('is loaded again by a check, which leaves out what a result has shown', async () => {
    const scripts = ['later()', '\n\nlater(); fetch("/gone?t=2")', 'console.log("fine")'];
    let loads = 0;
    const page = (_: unknown, answer: ServerResponse) => {
      answer.writeHead(200, { 'content-type': 'text/html' });
      answer.end(`<script>fetch("/gone?t=1")</script><script>${scripts[loads++]}</script>`);
    };
    await using site = await browserSite({ '/': page }, browser);
    const opened = await site.browser.open(`${site.origin}/`, undefined, site.signal);
    expect(opened.consoleErrors).toEqual([expect.stringContaining('later is not defined')]);
    const known = { address: `${site.origin}/`, consoleErrors: [], failedRequests: [] };
    expect(await site.browser.check(site.signal)).toEqual(known);
    scripts[2] = 'other()';
    expect(await site.browser.check(site.signal)).toMatchObject({
      consoleErrors: [expect.stringContaining('other is not defined')],
      failedRequests: [],
    });
    expect(loads).toBe(3);
  });

  it('is left for another one by a link', async () => {
    await using site = await browserSite(
      { '/': form, '/next': '<title>Second</title><button>Here</button>' },
      browser,
    );
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const changes = await site.browser.act([{ do: 'click', at: 'a' }], site.signal);
    expect(changes).toMatchObject({ address: `${site.origin}/next`, title: 'Second', isNew: true });
    expect(changes.outline).toContain('button "Here"');
  });

  it('does not go to a host that nobody granted', async () => {
    await using site = await browserSite({ '/': form }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const changes = await site.browser.act([{ do: 'click', at: 'a + a' }], site.signal);
    expect(changes.address).toBe(`${site.origin}/`);
    expect(changes.notices).toEqual([
      expect.stringContaining('http://example.invalid/away, which was blocked'),
    ]);
  });

  it('names the nearest element for one that is gone', async () => {
    const page = `<button id=one onclick="two.remove(); one.textContent = 'Save it'">Save</button>
      <button id=two>Save all</button>`;
    await using site = await browserSite({ '/': page }, browser);
    const { outline } = await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const gone = refOf(outline, 'button "Save all"');
    await site.browser.act([{ do: 'click', at: '#one' }], site.signal);
    const { failure } = await site.browser.act([{ do: 'click', at: gone }], site.signal);
    expect(failure).toContain(`${gone} (button "Save all") is no longer on the page.`);
    expect(failure).toContain(`button "Save it" [${refOf(outline, 'button "Save"')}]`);
  });

  it('says why a step cannot be taken', async () => {
    const page = `<button id=off disabled>Off</button><button id=under>Under</button>
      <div id=veil style="position:fixed;inset:0"></div><p id=text>Text</p>`;
    await using site = await browserSite({ '/': page }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const failureOf = async (at: string, kind: 'click' | 'type') =>
      (await site.browser.act([{ do: kind, at, text: 'x' }], site.signal)).failure;
    expect(await failureOf('#off', 'click')).toBe('The element is disabled.');
    expect(await failureOf('#under', 'click')).toBe('The element is covered by div#veil.');
    expect(await failureOf('#none', 'click')).toBe('Nothing on the page matches #none.');
    expect(await failureOf('e99', 'click')).toBe('There is no element e99 in the outline.');
  });

  it('gets no password from the model, by whatever way', async () => {
    const page = '<input id=word type=password aria-label=Word>';
    await using site = await browserSite({ '/': page }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const typed = await site.browser.act([{ do: 'type', at: '#word', text: 'secret' }], site.signal);
    const pressed = await site.browser.act(
      [
        { do: 'click', at: '#word' },
        { do: 'press', text: 's' },
      ],
      site.signal,
    );
    expect([typed.failure, pressed.failure]).toEqual(
      Array(2).fill(expect.stringContaining('Password fields')),
    );
    expect((await site.browser.run('word.value', site.signal)).value).toBe('""');
  });

  it('dismisses what asks for a confirmation unless a step accepts it', async () => {
    const page = `<button onclick="document.title = confirm('Delete all?')">Delete</button>`;
    await using site = await browserSite({ '/': page }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const dismissed = await site.browser.act([{ do: 'click', at: 'button' }], site.signal);
    expect(dismissed).toMatchObject({
      title: 'false',
      notices: ['Dismissed the confirm dialog: Delete all?'],
    });
    const accepted = await site.browser.act([{ do: 'accept' }, { do: 'click', at: 'button' }], site.signal);
    expect(accepted).toMatchObject({ title: 'true', notices: ['Accepted the confirm dialog: Delete all?'] });
  });

  it('is seen as a picture, as text, by its console and by its requests', async () => {
    const page = `<p>Some words</p><script>console.log('hello', { a: 1 }); nothing()</script>`;
    await using site = await browserSite({ '/': page }, browser);
    const opened = await site.browser.open(`${site.origin}/`, 400, site.signal);
    expect(opened.consoleErrors).toEqual([expect.stringContaining('Uncaught ReferenceError: nothing')]);
    const picture = await site.browser.inspect({ what: 'picture' }, site.signal);
    const bytes = picture.kind === 'picture' ? Buffer.from(picture.data, 'base64') : Buffer.alloc(0);
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
    expect(await site.browser.inspect({ what: 'text' }, site.signal)).toEqual({
      kind: 'text',
      text: 'Some words',
    });
    const console = await site.browser.inspect({ what: 'console' }, site.signal);
    expect(console).toMatchObject({ text: expect.stringContaining('log: hello Object') });
    const network = await site.browser.inspect({ what: 'network' }, site.signal);
    expect(network).toMatchObject({ text: expect.stringContaining(`GET ${site.origin}/ 200`) });
    expect((await site.browser.run('innerWidth', site.signal)).value).toBe('400');
  });

  it('returns what a script returns, and why one failed', async () => {
    await using site = await browserSite({ '/': form }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const run = (script: string) => site.browser.run(script, site.signal);
    expect((await run('const a = await 2; return a + 1')).value).toBe('3');
    await expect(run('missing.member')).rejects.toThrow('The script failed: ReferenceError: missing');
  });

  it('says so when nothing answers at the address', async () => {
    await using closed = await browserSite({}, browser);
    await using site = await browserSite({}, browser);
    await closed[Symbol.asyncDispose]();
    await expect(site.browser.open(closed.origin, undefined, site.signal)).rejects.toThrow(
      new RegExp(`^${closed.origin} could not be opened: .*ECONNREFUSED`),
    );
  });

  it('keeps the reference of each element while it lives', async () => {
    await using site = await browserSite({ '/': '<main></main>' }, browser);
    await site.browser.open(`${site.origin}/`, undefined, site.signal);
    const change = fc.record({ kind: fc.constantFrom('add', 'wrap', 'move', 'drop'), at: fc.nat(30) });
    const known = new Map<string, string>();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async changes => {
        const script = changes.map(({ kind, at }) => `change('${kind}', ${at}, ${count++});`).join('');
        await site.browser.run(`${changer}${script}return 1`, site.signal);
        const seen = await site.browser.inspect({ what: 'outline' }, site.signal);
        const lines = seen.kind === 'text' ? [...seen.text.matchAll(/button "(b\d+)" \[(e\d+)\]/g)] : [];
        for (const [, name, ref] of lines) {
          expect(known.get(name!) ?? ref).toBe(ref);
          known.set(name!, ref!);
        }
        expect(new Set(known.values()).size).toBe(known.size);
      }),
      { numRuns: runSize({ test: 5, prove: 300 }) },
    );
  });
});

/** Buttons with names of their own that come, move, are wrapped and go. */
const changer = `function change(kind, at, count) {
  const main = document.querySelector('main');
  const all = [...main.querySelectorAll('button')];
  const one = all[at % Math.max(all.length, 1)];
  if (kind === 'add' || !one) main.append(Object.assign(document.createElement('button'), { textContent: 'b' + count }));
  else if (kind === 'wrap') { const box = document.createElement('section'); one.replaceWith(box); box.append(one); }
  else if (kind === 'move') main.prepend(one);
  else one.remove();
}
`;

function refOf(outline: string, words: string): string {
  const line = outline.split('\n').find(each => each.includes(`- ${words} [`));
  return /\[(e\d+)\]/.exec(line ?? '')?.[1] ?? `no ${words}`;
}
