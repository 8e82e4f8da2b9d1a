import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { PageChanges } from '../../../src/extension/platform/browser/browser.ts';
import {
  type BrowserSite,
  browserSite,
  hasBrowser,
  type SitePage,
  testBrowser,
} from '../../support/browserSite.ts';
import { processesIn } from '../../support/processesIn.ts';
import { repositoryRoot } from '../../support/sourceFiles.ts';

const lazyBrowserFile = pathToFileURL(`${repositoryRoot}/src/extension/node/browser/lazyBrowser.ts`).href;

/** Starting one takes longer than a test. */
const browser = testBrowser();
afterAll(() => browser.close());

const button = (code: string) => `<title>Page</title><button onclick="${code}">Go</button>`;
const metadata = 'http://169.254.169.254/latest/meta-data/';

async function goOn(pages: Readonly<Record<string, SitePage>>) {
  const site = await browserSite(pages, browser);
  await site.browser.open(`${site.origin}/`, undefined, site.signal);
  return site;
}

function press(site: BrowserSite): Promise<PageChanges> {
  return site.browser.act([{ do: 'click', at: 'button' }], site.signal);
}

/** A page opens again, whatever the last one did. */
async function expectAlive(site: BrowserSite): Promise<void> {
  const opened = await site.browser.open(`${site.origin}/rest`, undefined, site.signal);
  expect(opened).toMatchObject({ title: 'Rest', isNew: true });
}

const rest = '<title>Rest</title>';

describe.skipIf(!hasBrowser)('a hostile page', () => {
  it('opens no windows', async () => {
    const code = "for (let i = 0; i < 300; i++) window.open('/window' + i)";
    await using site = await goOn({ '/': button(code), '/rest': rest });
    await expect(press(site)).rejects.toThrow(
      'The page opens windows without end, so its browser was closed.',
    );
    await expectAlive(site);
  });

  it('has its windows closed and reported', async () => {
    await using site = await goOn({ '/': button("window.open('/window')") });
    const { notices } = await press(site);
    expect(notices).toEqual([expect.stringContaining(`a window, which was closed: ${site.origin}/window.`)]);
  });

  it('is left when it asks without end', async () => {
    await using site = await goOn({ '/': button("while (true) alert('again')"), '/rest': rest });
    await expect(press(site)).rejects.toThrow(
      'The page opens dialogs without end, so its browser was closed.',
    );
    await expectAlive(site);
  });

  it('does not hold up what comes after it with a script that never ends', async () => {
    // It waits for an answer that never comes, and so costs no processor time until it is given up.
    const wait = "const asked = new XMLHttpRequest(); asked.open('GET', '/never', false); asked.send();";
    await using site = await goOn({
      '/': button(`setTimeout(() => { ${wait} }, 50)`),
      '/never': () => {},
      '/rest': rest,
    });
    await expect(press(site)).rejects.toThrow('The page did not answer within 20 s');
    await expectAlive(site);
  });

  it('fills no disk with a download', async () => {
    const megabyte = Buffer.alloc(1024 * 1024);
    await using site = await goOn({
      '/': button("location = '/endless'"),
      '/endless': (_asked, answer) => {
        answer.writeHead(200, { 'content-type': 'application/octet-stream' });
        const more = () => {
          while (answer.writable && answer.write(megabyte));
        };
        answer.on('drain', more);
        more();
      },
      '/rest': rest,
    });
    const first = await press(site);
    expect(first.notices.join('\n')).toContain('A download began: endless');
    await expect
      .poll(async () => (await site.browser.act([{ do: 'wait' }], site.signal)).notices.join('\n'))
      .toContain('larger than 50 MB and was stopped');
    await expectAlive(site);
  });

  it.each([
    ['a redirect', "location = '/away'"],
    ['a link of its own', `location = '${metadata}'`],
    ['a file', "location = 'file:///etc/passwd'"],
    ['a data address', "location = 'data:text/html,hello'"],
  ])('leads nowhere else by %s', async (_name, code) => {
    const away: SitePage = (_asked, answer) => answer.writeHead(302, { location: metadata }).end();
    await using site = await goOn({ '/': button(code), '/away': away });
    const { address } = await press(site);
    expect(address).toBe(`${site.origin}/`);
  });

  it.each([
    ['a request', `fetch('${metadata}', { mode: 'no-cors' })`],
    ['a number that stands for the address', "fetch('http://2852039166/', { mode: 'no-cors' })"],
    ['a wrapped address', "fetch('http://[::ffff:a9fe:a9fe]/', { mode: 'no-cors' })"],
    ['a name', "fetch('http://metadata.google.internal/', { mode: 'no-cors' })"],
    ['a private network', "fetch('http://10.0.0.1/', { mode: 'no-cors' })"],
    [
      'a worker',
      `new Worker(URL.createObjectURL(new Blob(["fetch('${metadata}', { mode: 'no-cors' }).then(r => r.text()).then(t => postMessage('read ' + t), e => postMessage('failed'))"])))`,
    ],
  ])('reads no keys of the machine by %s', async (_name, what) => {
    const page = `<title>Page</title><script>
      async function go() {
        const got = ${what};
        if (got instanceof Worker) { got.onmessage = ({ data }) => { document.title = data; }; return; }
        const text = await got.then(async r => r.type === 'opaque' ? 'opaque' : r.text(), () => 'failed');
        document.title = text;
      }
    </script><button onclick="go()">Go</button>`;
    await using site = await goOn({ '/': page });
    await press(site);
    const { title } = await site.browser.act([{ do: 'wait' }], site.signal);
    // What the gate answers instead may be seen as an answer of which nothing can be read.
    expect(title).toMatch(/^(?:failed|opaque|read(?: Folio does not let.*)?)$/);
  });

  it('is read only as far as a model can', async () => {
    const rows = `<ul><li><a href=#>row</a></li>${'<hr>'.repeat(20_000)}</ul>`;
    await using site = await browserSite({ '/': rows, '/rest': rest }, browser);
    const opened = await site.browser.open(`${site.origin}/`, undefined, site.signal);
    expect(opened.outline).toContain('elements, more than the 20000');
    const part = await site.browser.inspect({ what: 'outline', at: 'li' }, site.signal);
    expect(part).toMatchObject({ text: expect.stringContaining('link "row"') });
    await expectAlive(site);
  });

  it('may be nested as deep as it likes', async () => {
    await using site = await browserSite(
      { '/': `${'<section aria-label=a>'.repeat(400)}<button>Deep</button>` },
      browser,
    );
    const opened = await site.browser.open(`${site.origin}/`, undefined, site.signal);
    expect(opened.outline.length).toBeLessThan(6_200);
    expect(opened.outline).toContain('lines left out');
  });

  it('keeps the newest of what it logs and asks for without end', async () => {
    const code =
      "for (let i = 0; i < 5000; i++) { console.error('no ' + i); } for (let i = 0; i < 200; i++) fetch('/x' + i)";
    await using site = await goOn({ '/': button(code) });
    const { consoleErrors } = await press(site);
    expect(consoleErrors).toHaveLength(11);
    expect(consoleErrors.at(-1)).toBe('[4990 more like these]');
    const console = await site.browser.inspect({ what: 'console' }, site.signal);
    expect(console).toMatchObject({ text: expect.stringMatching(/^\[48\d\d earlier lines left out\]/) });
  });

  it('opens many sockets in vain', async () => {
    const code = "for (let i = 0; i < 400; i++) new WebSocket('ws://' + location.host + '/s')";
    await using site = await goOn({ '/': button(code), '/rest': rest });
    await press(site);
    await expectAlive(site);
  });
});

describe.skipIf(!hasBrowser)('a browser that is closed', () => {
  it('leaves no process and no folder, and starts again when a page is opened', async () => {
    await browser.close();
    const before = await foldersOfBrowsers();
    await using site = await goOn({ '/': rest });
    const [folder] = (await foldersOfBrowsers()).filter(name => !before.includes(name));
    expect(folder).toBeDefined();
    await site.browser.close();
    expect(await foldersOfBrowsers()).not.toContain(folder);
    expect(site.browser.address).toBeUndefined();
    await expect(press(site)).rejects.toThrow('No page is open');
    const again = await site.browser.open(`${site.origin}/`, undefined, site.signal);
    expect(again.title).toBe('Rest');
  });
});

async function foldersOfBrowsers(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter(name => name.startsWith('folio-browser-'));
}

describe.skipIf(!hasBrowser || process.platform !== 'linux')('a browser whose host is killed', () => {
  it('ends with it', async () => {
    await using site = await browserSite({ '/': rest }, browser);
    const code = `
      const { lazyBrowser } = await import(${JSON.stringify(lazyBrowserFile)});
      const browser = lazyBrowser({ folders: [], env: process.env, isEnabled: () => true, path: () => '', mask: () => [] });
      const { title } = await browser.open('${site.origin}/', undefined, new AbortController().signal);
      console.log(title + ' in ' + process.pid);`;
    const host = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(host.stdout, 'data');
    expect(String(said)).toBe(`Rest in ${host.pid}\n`);
    const place = `folio-browser-${host.pid}-`;
    expect((await processesIn(place)).length).toBeGreaterThan(1);
    host.kill('SIGKILL');
    await expect.poll(() => processesIn(place)).toEqual([]);
  });
});
