import { Disposable, type Terminal, ThemeIcon, window } from 'vscode';
import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import type { Log } from '../../platform/log.ts';
import type { Processes, RunningProcess } from '../../platform/processes.ts';
import { registerCommands } from './commands.ts';
import { MirrorTerminal } from './mirrorTerminal.ts';
import { findInputTerminals } from './typing.ts';

/**
 * Shows every command that Folio runs in a terminal tab. Foreground commands share one tab. Background commands, and
 * those that start while that tab is in use, get their own. Only a terminal that the user asked for is revealed, and
 * none is focused: the button on the card of a waiting command does that.
 */
export function registerTerminalMirror(processes: Pick<Processes, 'onDidStart'>, log: Log): Disposable {
  const tabs = new Set<Tab>();
  return Disposable.from(
    processes.onDidStart(process => {
      const idle = process.spec.background ? undefined : findIdle(tabs);
      const { mirror, terminal } = idle ?? openTab(tabs, process);
      mirror.follow(process);
      // Keeps the focus: a user who waits for the first question may be typing a prompt.
      if (process.spec.shown) terminal.show(true);
    }),
    registerCommands(log, {
      'folio.answerCommand': (callId?: string) => answerCommand(tabs, callId),
    }),
    {
      dispose: () => {
        for (const tab of tabs) tab.terminal.dispose();
      },
    },
  );
}

/** @param callId of the clicked card; if absent and several commands wait, the user picks one */
async function answerCommand(tabs: ReadonlySet<Tab>, callId: string | undefined): Promise<void> {
  const found = findInputTerminals([...tabs], ({ mirror }) => mirror, callId);
  if (found.length === 0 && callId === undefined)
    return void window.showInformationMessage(t('No command is waiting for input.'));
  const items = found.map(tab => {
    const { process } = tab.mirror;
    return { label: oneLine(process?.spec.command ?? '', 100), tab, process };
  });
  const picked =
    items.length > 1 ? await window.showQuickPick(items, { title: t('Answer which command?') }) : items[0];
  if (items.length > 1 && !picked) return;
  // Its tab may show another command since it was listed.
  if (picked && picked.process === picked.tab.mirror.process) picked.tab.terminal.show();
  else void window.showInformationMessage(t('This command is no longer waiting for input.'));
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
