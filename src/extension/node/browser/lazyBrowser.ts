import { type Browser, BrowserError } from '../../platform/browser/browser.ts';
import { Programs } from '../processes/programs.ts';
import type { Chromium } from './chromium.ts';
import { findBrowser } from './findBrowser.ts';
import { PageTurns } from './pageTurns.ts';

interface BrowserSource {
  /** Folders of the workspace, absolute: programs in them do not count. */
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isEnabled: () => boolean;
  /** The program that the user names; empty: one that is found. */
  readonly path: () => string;
  /** CSS selectors of what no picture shows. */
  readonly mask: () => readonly string[];
  readonly onClose?: (browser: Browser) => void;
}

/** Most sessions never open a page: nothing of it is loaded until one does. */
export function lazyBrowser({ folders, env, isEnabled, path, mask, onClose }: BrowserSource): Browser {
  let found: { readonly program: string | undefined } | undefined;
  let starting: Promise<Chromium> | undefined;
  let running: Chromium | undefined;
  let isUsed = false;
  const turns = new PageTurns();
  const program = () => {
    if (path() !== '') return path();
    found ??= { program: findBrowser(new Programs(() => folders, env), env) };
    return found.program;
  };
  const start = async (): Promise<Chromium> => {
    if (running && !running.isOver) return running;
    if (running) await running.close();
    const chosen = program();
    if (chosen === undefined) throw new BrowserError('There is no Chromium, Chrome or Edge on this machine.');
    const { Chromium } = await import('./chromium.ts');
    running = await Chromium.start(chosen, mask);
    return running;
  };
  const present = (): Chromium => {
    if (!running || running.isOver) throw new BrowserError('No page is open. Open one with browser_open.');
    return running;
  };
  const browser: Browser = {
    isThere: () => isEnabled() && program() !== undefined,
    get isUsed() {
      return isUsed;
    },
    get address() {
      return running?.address;
    },
    open: (address, width, signal) =>
      turns.doForAgent(async () => {
        starting ??= start().finally(() => {
          starting = undefined;
        });
        const started = await starting;
        isUsed = true;
        return started.open(address, width, signal);
      }),
    look: view => turns.doForAgent(async () => present().look(view)),
    check: async signal => (turns.isUsers ? undefined : turns.doForAgent(async () => running?.check(signal))),
    act: (steps, signal) => turns.doForAgent(async () => present().act(steps, signal)),
    run: script => turns.doForAgent(async () => present().run(script)),
    get isUsers() {
      return turns.isUsers;
    },
    untilFree: signal => turns.untilFree(signal),
    takeOver: async viewer => {
      const { page } = present();
      page.handover.isWanted = true;
      const end = await turns.beginUsers();
      try {
        return await page.takeOver(viewer, end);
      } catch (error) {
        end();
        throw error;
      }
    },
    close: async () => {
      onClose?.(browser);
      await starting?.catch(() => {});
      const ended = running;
      running = undefined;
      await ended?.close();
    },
  };
  return browser;
}
