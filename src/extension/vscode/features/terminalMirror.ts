import { type Terminal, ThemeIcon, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { oneLine } from '../../base/text.ts';
import type { Log } from '../../platform/log.ts';
import type { Processes, RunningProcess } from '../../platform/processes.ts';
import { registerCommands } from './commands.ts';
import { MirrorTerminal } from './mirrorTerminal.ts';
import { findAnswerable } from './typing.ts';

/**
 * Shows every command that Folio runs in a terminal tab. Commands in the foreground follow each other in one tab;
 * one in the background, or one that starts while that tab is in use, gets a tab of its own. Nothing is revealed
 * or focused: who wants to look, looks, or presses the button on the card of a command that waits.
 */
export function registerTerminalMirror(processes: Pick<Processes, 'onDidStart'>, log: Log): Disposable {
  const store = new DisposableStore();
  const tabs = new Set<Tab>();
  store.add(
    processes.onDidStart(process => {
      const tab = process.spec.background ? undefined : findIdle(tabs);
      (tab ?? openTab(tabs, process)).mirror.follow(process);
    }),
  );
  store.add(
    registerCommands(log, {
      'folio.answerCommand': (callId?: string) => {
        const tab = findAnswerable([...tabs], ({ mirror }) => mirror, callId);
        if (tab) tab.terminal.show();
        else
          void window.showInformationMessage(
            callId === undefined
              ? 'No command waits for you to type.'
              : 'This command does not wait for you any more.',
          );
      },
    }),
  );
  store.add({
    dispose: () => {
      for (const tab of tabs) tab.terminal.dispose();
    },
  });
  return store;
}

interface Tab {
  readonly mirror: MirrorTerminal;
  readonly terminal: Terminal;
  readonly shared: boolean;
}

function findIdle(tabs: ReadonlySet<Tab>): Tab | undefined {
  return [...tabs].find(tab => tab.shared && !tab.mirror.isRunning);
}

function openTab(tabs: Set<Tab>, process: RunningProcess): Tab {
  const shared = !process.spec.background;
  const mirror = new MirrorTerminal(() => tabs.delete(tab));
  const name = shared ? 'Folio' : `Folio: ${oneLine(process.spec.command, 30)}`;
  const terminal = window.createTerminal({
    name,
    pty: mirror,
    iconPath: new ThemeIcon('book'),
    isTransient: true,
  });
  const tab: Tab = { mirror, terminal, shared };
  tabs.add(tab);
  return tab;
}
