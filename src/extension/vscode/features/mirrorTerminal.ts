import { EventEmitter, type Pseudoterminal } from 'vscode';
import type { ProcessExit, RunningProcess } from '../../platform/processes.ts';
import { terminalLines } from './terminalText.ts';

/** Characters kept for a tab that VS Code has not opened yet. */
const earlyLimit = 200_000;
const ctrlC = '\x03';

/** One terminal tab that follows processes, one after the other. Ctrl+C or closing the tab stops the process. */
export class MirrorTerminal implements Pseudoterminal {
  private readonly written = new EventEmitter<string>();
  private readonly closed: () => void;
  private running: RunningProcess | undefined;
  private early = '';
  private isOpen = false;
  readonly onDidWrite = this.written.event;

  /** @param closed the person has closed the tab */
  constructor(closed: () => void) {
    this.closed = closed;
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  follow(process: RunningProcess): void {
    this.running = process;
    const lines = terminalLines();
    this.write(`${bold(`$ ${printable(process.spec.command)}`)}\r\n`);
    const subscription = process.onDidWrite(text => this.write(lines(text)));
    void process.exit.then(exit => {
      subscription.dispose();
      this.running = undefined;
      this.write(`\r\n${dim(describeExit(exit))}\r\n\r\n`);
    });
  }

  open(): void {
    this.isOpen = true;
    this.written.fire(this.early);
    this.early = '';
  }

  close(): void {
    this.closed();
    void this.running?.stop();
  }

  handleInput(data: string): void {
    if (data.includes(ctrlC)) void this.running?.stop();
  }

  private write(text: string): void {
    if (this.isOpen) this.written.fire(text);
    else this.early = (this.early + text).slice(-earlyLimit);
  }
}

/** A command is shown, never obeyed: control characters in it could otherwise hide what runs. */
function printable(command: string): string {
  return command.replace(/\r?\n/g, '\r\n').replace(/[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '\ufffd');
}

function describeExit({ code, signal, failure }: ProcessExit): string {
  if (failure !== undefined) return failure;
  return code === null ? `Ended by ${signal ?? 'a signal'}` : `Exit code ${code}`;
}

function bold(text: string): string {
  return `\x1b[1m${text}\x1b[0m`;
}

function dim(text: string): string {
  return `\x1b[2m${text}\x1b[0m`;
}
