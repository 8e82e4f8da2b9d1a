import {
  type Terminal,
  type TerminalShellExecution,
  type TerminalShellExecutionStartEvent,
  window,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { HeadAndTail } from '../../base/headAndTail.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import { cutMiddle } from '../../base/text.ts';
import type { TerminalCommand } from '../../platform/workbench.ts';

/** Characters of raw output kept per command: head and tail. */
const limits = { head: 20_000, tail: 60_000 };
/** Characters returned, without escape codes. */
const reportedLimit = 50_000;

interface Recorded {
  readonly number: number;
  readonly execution: TerminalShellExecution;
  readonly output: HeadAndTail;
  running: boolean;
  exitCode: number | undefined;
}

/**
 * Observes the user's terminals and keeps the newest command of each with its output. Folio's own tabs mirror processes
 * and have no shell, so they are not included.
 */
export class LastTerminalCommand implements Disposable {
  private readonly store = new DisposableStore();
  private readonly newest = new Map<Terminal, Recorded>();
  private count = 0;

  constructor() {
    this.store.add(window.onDidStartTerminalShellExecution(event => this.begin(event)));
    this.store.add(
      window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        const recorded = this.newest.get(terminal);
        if (recorded?.execution !== execution) return;
        recorded.running = false;
        recorded.exitCode = exitCode;
      }),
    );
    this.store.add(window.onDidCloseTerminal(terminal => this.newest.delete(terminal)));
  }

  read(): TerminalCommand | undefined {
    const active = window.activeTerminal;
    const terminal = active && this.newest.has(active) ? active : this.findNewest();
    const recorded = terminal && this.newest.get(terminal);
    if (!terminal || !recorded) return undefined;
    const { output, execution, running, exitCode } = recorded;
    return {
      terminal: terminal.name,
      command: execution.commandLine.value,
      output: cutMiddle(plainTerminalText(output.text), reportedLimit),
      running,
      exitCode,
    };
  }

  dispose(): void {
    this.store.dispose();
    this.newest.clear();
  }

  private findNewest(): Terminal | undefined {
    const byAge = [...this.newest].sort(([, a], [, b]) => b.number - a.number);
    return byAge[0]?.[0];
  }

  private begin({ terminal, execution }: TerminalShellExecutionStartEvent): void {
    if ('pty' in terminal.creationOptions) return;
    const recorded: Recorded = {
      number: ++this.count,
      execution,
      output: new HeadAndTail(limits),
      running: true,
      exitCode: undefined,
    };
    this.newest.set(terminal, recorded);
    // A terminal that closes while being read ends the stream. Output up to then is kept.
    this.follow(recorded, terminal).catch(() => {});
  }

  /** Ends early once another command has replaced it, so that its output is not read in vain. */
  private async follow(recorded: Recorded, terminal: Terminal): Promise<void> {
    for await (const data of recorded.execution.read()) {
      if (this.newest.get(terminal) !== recorded) return;
      recorded.output.append(data);
    }
  }
}
