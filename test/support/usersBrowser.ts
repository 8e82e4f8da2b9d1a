/* A browser that a user started with a debugging port, with pages in tabs. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBrowser } from '../../src/extension/node/browser/findBrowser.ts';
import { endTree } from '../../src/extension/node/processes/endTree.ts';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';

export class UsersBrowser {
  /** Host and port. */
  readonly at: string;
  private readonly child: ChildProcess;
  private readonly folder: string;

  private constructor(at: string, child: ChildProcess, folder: string) {
    this.at = at;
    this.child = child;
    this.folder = folder;
  }

  /** @param flags additional flags */
  static async start(...flags: readonly string[]): Promise<UsersBrowser> {
    const program = findBrowser(new ProgramFinder(() => []), process.env);
    if (program === undefined) throw new Error('There is no browser.');
    const folder = await mkdtemp(join(tmpdir(), 'folio-users-browser-'));
    const own = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    const profile = [`--user-data-dir=${folder}`, '--remote-debugging-port=0'];
    const child = spawn(program, [...own, ...profile, ...flags, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    const at = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const found = /listening on ws:\/\/([\d.:]+)\//.exec(said);
        if (found) resolve(found[1]!);
      });
      child.on('exit', () => reject(new Error(`The browser ended: ${said}`)));
    });
    return new UsersBrowser(at, child, folder);
  }

  /** Opens a tab. Resolves with its id after the page has loaded. */
  async open(address: string): Promise<string> {
    const { id } = await this.ask<{ id: string }>(`new?${address}`, 'PUT');
    const loaded = '[location.href, document.readyState].join(" ")';
    while ((await this.inTab(id, loaded)) !== `${address} complete`) await sleep(20);
    return id;
  }

  async close(id: string): Promise<void> {
    await fetch(`http://${this.at}/json/close/${id}`);
  }

  async crash(id: string): Promise<void> {
    await this.send(id, 'Page.crash');
  }

  /** Opens a dialog in a tab. Resolves with a function that accepts it. */
  async openDialog(id: string, words: string): Promise<() => void> {
    const socket = new WebSocket(`ws://${this.at}/devtools/page/${id}`);
    const open = new Promise<void>(resolve =>
      socket.addEventListener('message', ({ data }) => {
        if (JSON.parse(String(data)).method === 'Page.javascriptDialogOpening') resolve();
      }),
    );
    await new Promise(resolve => socket.addEventListener('open', resolve));
    const send = (method: string, params: object = {}) =>
      socket.send(JSON.stringify({ id: 1, method, params }));
    send('Page.enable');
    send('Runtime.evaluate', { expression: `setTimeout(() => alert(${JSON.stringify(words)}))` });
    await open;
    return () => send('Page.handleJavaScriptDialog', { accept: true });
  }

  /** Returns the addresses of the tabs. */
  async addresses(): Promise<readonly string[]> {
    const all = await this.ask<readonly { type: string; url: string }[]>('list');
    return all.filter(({ type }) => type === 'page').map(({ url }) => url);
  }

  /** Evaluates an expression in a tab, in place of its user. */
  async inTab(id: string, expression: string): Promise<unknown> {
    const params = { expression, returnByValue: true, awaitPromise: true, userGesture: true };
    const { result } = await this.send<{ result?: { value?: unknown } }>(id, 'Runtime.evaluate', params);
    return result?.value;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise(resolve => this.child.on('exit', resolve));
      process.kill(-this.child.pid!, 'SIGKILL');
      await ended;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endTree(this.child.pid!);
    await this.kill();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Resolves with nothing where the tab ends. */
  private async send<Result>(id: string, method: string, params: object = {}): Promise<Result> {
    const socket = new WebSocket(`ws://${this.at}/devtools/page/${id}`);
    const answer = new Promise<Result>(resolve => {
      socket.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data)).result ?? {}));
      socket.addEventListener('close', () => resolve({} as Result));
    });
    await new Promise(resolve => socket.addEventListener('open', resolve));
    socket.send(JSON.stringify({ id: 1, method, params }));
    const result = await answer;
    socket.close();
    return result;
  }

  private async ask<Answer>(path: string, method = 'GET'): Promise<Answer> {
    return (await (await fetch(`http://${this.at}/json/${path}`, { method })).json()) as Answer;
  }
}
