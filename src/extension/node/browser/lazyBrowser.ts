import { type Browser, BrowserError } from '../../platform/browser/browser.ts';
import { ProgramFinder } from '../processes/programs.ts';
import { BrowserTabSharing } from './browserTabSharing.ts';
import type { Chromium } from './chromium.ts';
import { findBrowser } from './findBrowser.ts';
import { PageControlLock } from './pageTurns.ts';

interface BrowserSource {
  /** Absolute workspace folders, whose programs are ignored. */
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isEnabled: () => boolean;
  /** True if pages open in another browser, so that only a shared tab is available here. Defaults to false. */
  readonly isElsewhere?: () => boolean;
  /** The configured program. Empty to search for one. */
  readonly path: () => string;
  /** CSS selectors of elements hidden in screenshots. */
  readonly mask: () => readonly string[];
  readonly onClose?: (browser: Browser) => void;
}

/** Loads nothing until a session opens a page, which most never do. */
export function lazyBrowser({
  folders,
  env,
  isEnabled,
  isElsewhere,
  path,
  mask,
  onClose,
}: BrowserSource): Browser {
  let found: { readonly program: string | undefined } | undefined;
  let starting: Promise<Chromium> | undefined;
  let running: Chromium | undefined;
  let isUsed = false;
  const turns = new PageControlLock();
  const program = () => {
    if (path() !== '') return path();
    found ??= { program: findBrowser(new ProgramFinder(() => folders, env), env) };
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
  const started = () => {
    starting ??= start().finally(() => {
      starting = undefined;
    });
    return starting;
  };
  const sharing = new BrowserTabSharing(mask, async () => (await started()).pictureCanvas());
  const present = (): Chromium => {
    if (sharing.isOver)
      throw new BrowserError('The user no longer shares the tab. Open a page with browser_open.');
    if (!running || running.isOver) throw new BrowserError('No page is open. Open one with browser_open.');
    return running;
  };
  const browser: Browser = {
    isAvailable: () =>
      isEnabled() && (sharing.present !== undefined || (!isElsewhere?.() && program() !== undefined)),
    get isUsed() {
      return isUsed || sharing.present !== undefined;
    },
    get address() {
      return sharing.isOver ? undefined : (sharing.tab?.address ?? running?.address);
    },
    open: (address, width, signal) =>
      turns.doForAgent(async () => {
        if (sharing.tab) return sharing.tab.open(address, signal);
        const opened = await started();
        sharing.isOver = false;
        isUsed = true;
        return opened.open(address, width, signal);
      }),
    inspect: view => turns.doForAgent(async () => (sharing.tab ?? present()).look(view)),
    check: async signal =>
      turns.isUserControlled || sharing.present
        ? undefined
        : turns.doForAgent(async () => running?.check(signal)),
    act: (steps, signal) => turns.doForAgent(async () => (sharing.tab ?? present()).act(steps, signal)),
    run: script => turns.doForAgent(async () => (sharing.tab ?? present()).run(script)),
    get isUserControlled() {
      return turns.isUserControlled;
    },
    untilFree: signal => turns.untilFree(signal),
    takeOver: async viewer => {
      if (sharing.present)
        throw new BrowserError(
          'The open page is a tab of your own browser, where you can use it at any time.',
        );
      const { page } = present();
      page.takeover.isWanted = true;
      const end = await turns.beginUsers();
      try {
        return await page.takeOver(viewer, end);
      } catch (error) {
        end();
        throw error;
      }
    },
    sharing,
    close: async () => {
      onClose?.(browser);
      sharing.stop();
      await starting?.catch(() => {});
      const ended = running;
      running = undefined;
      await ended?.close();
    },
  };
  return browser;
}
