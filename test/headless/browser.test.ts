import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hasBrowser } from '../support/browserSite.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults, toolNames } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { processesIn } from '../support/processesIn.ts';
import { repositoryRoot } from '../support/sourceFiles.ts';

/** Three pages with a fault each way that users meet one. */
const app: Readonly<Record<string, string>> = {
  'index.html': '<title>Shop</title><label>Nmae <input id=name></label><a href="/order.html">Order</a>',
  'order.html': `<title>Order</title><script src="/order.js"></script>
<button id=count onclick="count()">Count</button> <button id=send onclick="send()">Send</button>`,
  'order.js': "function count() { total.add(1); }\nfunction send() { fetch('/api/oders'); }\n",
  'list.html': `<title>List</title><style>main { width: 900px; }
a:focus { outline: none; }</style><main><a href="/">First</a></main>`,
};

const steps = (...list: readonly object[]) => call('browser_do', { steps: list });
const mend = (file_path: string, old_string: string, new_string: string) =>
  call('replace', { file_path, instruction: 'Mend it', old_string, new_string });
const script = (words: string) => call('browser_run', { script: words });

describe.skipIf(!hasBrowser)('the browser in a run without a window', () => {
  const world = eachTest(() => HeadlessWorld.make());
  let site: Server;
  let origin: string;
  beforeEach(async () => {
    await mkdir(world.workspace, { recursive: true });
    for (const [name, content] of Object.entries(app)) await writeFile(join(world.workspace, name), content);
    site = createServer(async (asked, answer) => {
      const name = asked.url === '/' ? 'index.html' : (asked.url ?? '').slice(1);
      const content = name in app ? await readFile(join(world.workspace, name)) : undefined;
      const found = content ?? (name === 'api/orders' ? 'sent' : undefined);
      answer.writeHead(found === undefined ? 404 : 200, {
        'content-type': name.endsWith('.js') ? 'text/javascript' : 'text/html',
      });
      answer.end(found);
    });
    await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve));
    origin = `http://localhost:${(site.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    site.closeAllConnections();
    site.close();
  });

  it('shows each fault of a page, and that it is mended, in results of less than a kilobyte', async () => {
    const { server } = world;
    const open = (page: string, width?: number) => call('browser_open', { url: `${origin}${page}`, width });
    const answers = [
      // A wrong label.
      open('/'),
      mend('index.html', 'Nmae', 'Name'),
      open('/'),
      // An error when it is clicked, and a request that fails.
      steps({ do: 'click', at: 'a' }),
      steps({ do: 'click', at: '#count' }, { do: 'click', at: '#send' }),
      mend('order.js', 'total.add(1)', "document.title = 'One'"),
      mend('order.js', 'oders', 'orders'),
      open('/order.html'),
      steps({ do: 'click', at: '#count' }, { do: 'click', at: '#send' }),
      // A layout that breaks, and focus that is not seen.
      open('/list.html', 400),
      script('document.documentElement.scrollWidth - innerWidth'),
      steps({ do: 'press', text: 'Tab' }),
      script('getComputedStyle(document.activeElement).outlineStyle'),
      mend('list.html', 'main { width: 900px; }\na:focus { outline: none; }', ''),
      open('/list.html', 400),
      call('browser_look', { what: 'picture' }),
      script('document.documentElement.scrollWidth - innerWidth'),
      steps({ do: 'press', text: 'Tab' }),
      script('getComputedStyle(document.activeElement).outlineStyle'),
      call('browser_look', { what: 'picture', compareTo: 'design.png' }),
    ];
    const design = await readFile(join(repositoryRoot, 'media/icon.png'));
    await writeFile(join(world.workspace, 'design.png'), design);
    for (const answer of answers) server.script([answer]);
    server.script([text('All is mended.')]);
    const args = ['--prompt', 'Mend the shop', '--trusted', '--approval-mode', 'yolo'];
    let pid: number | undefined;
    const { code, error } = await world.run(args, {
      env: { FOLIO_BROWSER: 'on' },
      onStart: program => {
        pid = program.pid;
      },
    });
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const offered = server.requests.map(request =>
      toolNames(request).filter(name => name.startsWith('browser_')),
    );
    expect(offered[0]).toEqual(['browser_open']);
    expect(offered[1]).toHaveLength(4);
    const results = server.requests.slice(1).map(request => lastResults(request)[0]?.output ?? '');
    expect(results).toHaveLength(answers.length);
    const ofBrowser = results.filter(result => result.includes('<untrusted_content>'));
    expect(ofBrowser.filter(result => Buffer.byteLength(result) > 1_000)).toEqual([]);
    expect(results[0]).toContain('textbox "Nmae"');
    expect(results[2]).toContain('textbox "Name"');
    expect(results[4]).toContain('error: Uncaught ReferenceError: total is not defined');
    expect(results[4]).toContain(`New failed requests:\nGET ${origin}/api/oders 404`);
    expect(results[8]).toContain('Page: One');
    expect(results[8]).not.toMatch(/New console errors|New failed requests/);
    expect(results[10]).toContain('Result of the script: 508');
    expect(results[12]).toContain('Result of the script: "none"');
    expect(results[15]).toContain('A picture of');
    expect(results[16]).toContain('Result of the script: 0');
    expect(results[18]).toContain('Result of the script: "auto"');
    expect(results[19]).toMatch(
      /^A picture of [^\n]+\nPicture: \/.+\nThe sizes differ: the page has 400 x 800 pixels/,
    );
    expect(pid).toBeDefined();
    expect(await processesIn(`folio-browser-${pid}-`)).toEqual([]);
  });

  it('leaves the first request below 16,000 bytes in a folder without code', async () => {
    const empty = await HeadlessWorld.make();
    onTestFinished(() => empty.dispose());
    empty.server.script([text('Nothing.')]);
    await empty.run(['--prompt', 'Look', '--trusted'], { env: { FOLIO_BROWSER: 'on' } });
    expect(toolNames(empty.server.requests[0]!)).toContain('browser_open');
    expect(empty.server.requests[0]!.bytes).toBeLessThanOrEqual(16_000);
  });

  it('is not offered where it is switched off', async () => {
    world.server.script([text('Nothing.')]);
    await world.run(['--prompt', 'Look', '--trusted'], { env: { FOLIO_BROWSER: 'off' } });
    expect(toolNames(world.server.requests[0]!).filter(name => name.startsWith('browser_'))).toEqual([]);
  });
});
