import { EventEmitter, type Pseudoterminal, type TerminalDimensions } from 'vscode';
import { t } from '../../../protocol/language.ts';
import { tailOf } from '../../base/text.ts';
import type { ProcessExit, RunningProcess } from '../../platform/processes.ts';
import { terminalTextConverter } from './terminalText.ts';
import { makeInputForwarder } from './typing.ts';

/** Characters buffered until VS Code has opened the tab. */
const earlyLimit = 200_000;
const ctrlC = '\x03';
/** VS Code may report fewer columns before a tab is laid out, which would truncate a program's prompt. */
const leastColumns = 40;

/**
 * One terminal tab that follows processes, one after the other. Closing the tab stops the process. So does Ctrl+C,
 * unless the program has its own terminal and receives it.
 */
export class MirrorTerminal implements Pseudoterminal {
  private readonly written = new EventEmitter<string>();
  private readonly closed: () => void;
  private running: RunningProcess | undefined;
  /** Receives text typed into an interactive command. */
  private typing: ((data: string) => void) | undefined;
  private waits = false;
  private size: TerminalDimensions | undefined;
  /** True once the user has typed here, so that the size is that of a visible tab. */
  private isSeen = false;
  private early = '';
  private isOpen = false;
  readonly onDidWrite = this.written.event;

  /** @param closed called when the user closes the tab */
  constructor(closed: () => void) {
    this.closed = closed;
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** True if the running program accepts input. */
  get isAnswerable(): boolean {
    return this.typing !== undefined;
  }

  /** True while the running program waits for input. */
  get isWaiting(): boolean {
    return this.waits;
  }

  get process(): RunningProcess | undefined {
    return this.running;
  }

  /** The call whose command runs. */
  get callId(): string | undefined {
    return this.running?.spec.callId;
  }

  follow(process: RunningProcess): void {
    this.running = process;
    const { keyboard } = process;
    const lines = keyboard && !keyboard.noTerminal ? (text: string) => text : terminalTextConverter();
    this.typing =
      keyboard &&
      makeInputForwarder(
        keyboard,
        text => this.write(text),
        () => void process.stop(),
      );
    const waiting = keyboard?.onDidChangeWaiting(waits => {
      this.waits = waits;
    });
    this.fit();
    this.write(`${bold(`$ ${printable(process.spec.command)}`)}\r\n`);
    const subscription = process.onDidWrite(text => this.write(lines(text)));
    void process.exit.then(exit => {
      subscription.dispose();
      this.running = undefined;
      waiting?.dispose();
      this.waits = false;
      this.typing = undefined;
      this.write(`\r\n${dim(describeExit(exit))}\r\n\r\n`);
    });
  }

  open(size: TerminalDimensions | undefined): void {
    if (size) this.setDimensions(size);
    this.isOpen = true;
    this.written.fire(this.early);
    this.early = '';
  }

  close(): void {
    this.closed();
    void this.running?.stop();
  }

  handleInput(data: string): void {
    if (!this.isSeen) {
      this.isSeen = true;
      this.fit();
    }
    if (this.typing) this.typing(data);
    else if (data.includes(ctrlC)) void this.running?.stop();
  }

  setDimensions(size: TerminalDimensions): void {
    this.size = size;
    this.fit();
  }

  private fit(): void {
    if (this.size && (this.isSeen || this.size.columns >= leastColumns))
      this.running?.keyboard?.resize(this.size.columns, this.size.rows);
  }

  private write(text: string): void {
    if (this.isOpen) this.written.fire(text);
    else this.early = tailOf(this.early + text, earlyLimit);
  }
}

/** Replaces control characters, which could hide what runs. */
function printable(command: string): string {
  return command.replace(/\r?\n/g, '\r\n').replace(/[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '\ufffd');
}

function describeExit({ code, signal, failure }: ProcessExit): string {
  if (failure !== undefined) return failure;
  return code !== null
    ? t('Exit code {0}', code)
    : signal === null
      ? t('Ended by a signal')
      : t('Ended by {0}', signal);
}

function bold(text: string): string {
  return `\x1b[1m${text}\x1b[0m`;
}

function dim(text: string): string {
  return `\x1b[2m${text}\x1b[0m`;
}
