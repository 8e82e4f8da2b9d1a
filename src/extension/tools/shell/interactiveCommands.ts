/* Commands that accept input while they run. Their calls return to the model when they wait for input. */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { makeAlternateScreenFilter } from '../../base/fullScreen.ts';
import { HeadAndTail } from '../../base/headAndTail.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import { tailOf } from '../../base/text.ts';
import type { CallContext } from '../../core/tool.ts';
import type { Clock } from '../../platform/clock.ts';
import { InactivityTimer, waitForExitOrStop } from '../../platform/commandRun.ts';
import type { ProcessExit, RunningProcess } from '../../platform/processes.ts';

/** Milliseconds in which only the user may answer. A prompt that is unchanged after that goes to the model. */
const userFirst = 15_000;
/** Milliseconds without output after the model's own answer until the new output counts as a prompt. */
const step = 1_000;
/** Characters at the end of the output that are searched for a prompt. */
const promptLength = 1_000;
const secretWords =
  /pass(?:word|phrase|code|wd)|\bpin\b|secret|token|credential|api.?key|one-time|\botp\b|verification code/i;

/**
 * The waiting commands of one session by process id, until the model knows how they ended. All sessions of a window
 * share the underlying map, so that a session that is closed and opened again finds its commands.
 */
export class InteractiveCommands {
  private readonly sessionId: string;
  private readonly byId: Map<number, Owned>;

  constructor(sessionId = '', byId = new Map<number, Owned>()) {
    this.sessionId = sessionId;
    this.byId = byId;
  }

  /** @param notify shows on its card whether a command waits; also called here for commands already waiting */
  of(sessionId: string, notify?: TellWaiting): InteractiveCommands {
    const open = new InteractiveCommands(sessionId, this.byId);
    // A reopened session first reports that none of its commands run any more.
    if (notify) queueMicrotask(() => open.notifyHere(notify));
    return open;
  }

  get isEmpty(): boolean {
    return ![...this.byId.values()].some(({ sessionId }) => sessionId === this.sessionId);
  }

  find(id: number): InteractiveCommand | undefined {
    const found = this.byId.get(id);
    return found?.sessionId === this.sessionId ? found.command : undefined;
  }

  /** Follows the command until it ends or waits for input. In the latter case it can be found from then on. */
  async follow(
    command: InteractiveCommand,
    clock: Pick<Clock, 'now' | 'sleep'>,
    call: CallContext,
  ): Promise<ProcessExit | 'waits'> {
    this.byId.delete(command.id);
    const state = await command.follow(clock, call);
    if (state === 'waits') this.byId.set(command.id, { sessionId: this.sessionId, command });
    return state;
  }

  private notifyHere(notify: TellWaiting): void {
    for (const { sessionId, command } of this.byId.values())
      if (sessionId === this.sessionId) command.notifyOn(notify);
  }
}

/** Shows on the card of a call whether its command waits for the user to type. */
type TellWaiting = (callId: string, waits: boolean, startedBy: string | undefined) => void;

interface Owned {
  readonly sessionId: string;
  readonly command: InteractiveCommand;
}

export class InteractiveCommand {
  readonly process: RunningProcess;
  private readonly screens = makeAlternateScreenFilter();
  private unreported = new HeadAndTail();
  private tail = '';
  private chunks = 0;
  /** Value of `chunks` when the model last read. If it differs, something was printed since. */
  private chunksWhenRead = 0;
  private waits = false;
  private hasEnded = false;
  private isAnswered = false;
  /** The call that follows it at this moment. */
  private call: CallContext | undefined;
  /** The card of the last call that followed it, even if ended. It links to the terminal. */
  private card: { readonly callId: string; readonly notify: TellWaiting } | undefined;

  constructor(process: RunningProcess) {
    this.process = process;
    process.onDidWrite(text => {
      this.chunks += 1;
      this.add(this.screens.add(text));
    });
    void process.exit.then(() => {
      this.hasEnded = true;
    });
    process.keyboard?.onDidChangeWaiting(waits => {
      this.waits = waits;
      this.notify();
    });
  }

  get id(): number {
    return this.process.pid ?? 0;
  }

  /** An abort ends the whole process tree and rejects, even between two calls of a turn. */
  async follow(clock: Pick<Clock, 'now' | 'sleep'>, call: CallContext): Promise<ProcessExit | 'waits'> {
    const over = new AbortController();
    this.call = call;
    this.showOn({
      callId: call.callId,
      notify: (_callId, waits, startedBy) => call.waits?.(waits, startedBy),
    });
    try {
      const exit = waitForExitOrStop(this.process, new InactivityTimer(clock, 0), call.signal);
      const first = await Promise.race([exit, this.untilPrompt(clock, over.signal)]);
      if (first !== 'waits') this.add(this.screens.end());
      return first;
    } finally {
      this.call = undefined;
      over.abort();
    }
  }

  /** The session has a new record now. */
  notifyOn(notify: TellWaiting): void {
    const { card } = this;
    if (!card) return;
    this.card = { ...card, notify };
    if (this.waits) this.notify();
  }

  /** Returns the output since the last call. */
  takeOutput(): string {
    const { text } = this.unreported;
    this.unreported = new HeadAndTail();
    this.chunksWhenRead = this.chunks;
    this.isAnswered = false;
    return text;
  }

  /** Returns why the model cannot type into it now; `undefined` if it can. */
  async findHindrance(): Promise<LocalizedMessage | undefined> {
    const { keyboard } = this.process;
    if (this.hasEnded) return () => t('It has ended. Call send_input without text to read how.');
    if (!keyboard) return () => t('It does not accept input.');
    if (this.screens.isAway())
      return () => t('A full-screen program is running. Only the user can answer it.');
    const plain = plainTerminalText(this.tail);
    if (secretWords.test(plain.slice(plain.lastIndexOf('\n') + 1)))
      return () => t('It asks for a secret, which only the user gives, in its terminal.');
    switch (await keyboard.echo()) {
      case 'shown':
        return undefined;
      case 'hidden':
        return () =>
          t('It hides what is typed, as for a password, which only the user gives, in its terminal.');
      case 'unknown':
        return () =>
          t('Folio cannot tell whether it hides its input, so only the user answers it, in its terminal.');
    }
  }

  /** Returns the known folder of the shell that receives typed text; `undefined` if no shell does. */
  async findShell(): Promise<string | undefined> {
    const shell = this.hasEnded ? undefined : await this.process.keyboard?.shell();
    return shell && (shell.cwd ?? this.process.spec.cwd);
  }

  /**
   * Types a line if nothing was printed since the model learned that it waits; otherwise returns why not. A waiting
   * program may do some work in between, which is no reason.
   */
  async answer(text: string): Promise<LocalizedMessage | undefined> {
    const hindrance = await this.findHindrance();
    if (hindrance !== undefined) return hindrance;
    if (this.chunksWhenRead !== this.chunks)
      return () =>
        t(
          'It has printed more since your last read, perhaps because the user typed. Call send_input without text to read it.',
        );
    this.isAnswered = true;
    // A key such as Ctrl+D is sent without a return.
    this.process.keyboard?.write(/^[\x00-\x1f]$/.test(text) ? text : `${text}\r`);
    return undefined;
  }

  private showOn(card: { readonly callId: string; readonly notify: TellWaiting }): void {
    if (this.waits) this.notify(false);
    this.card = card;
    if (this.waits) this.notify();
  }

  private notify(waits = this.waits): void {
    this.card?.notify(this.card.callId, waits, this.process.spec.callId);
  }

  private add(shown: string): void {
    this.unreported.append(shown);
    this.tail = tailOf(this.tail + shown, promptLength);
    if (shown !== '') this.call?.write(shown);
  }

  private async untilPrompt(clock: Pick<Clock, 'sleep'>, signal: AbortSignal): Promise<'waits'> {
    let quiet = 0;
    while (true) {
      const before = this.chunks;
      await clock.sleep(step, signal);
      quiet = before === this.chunks ? quiet + step : 0;
      const isSettled = quiet >= (this.isAnswered ? step : userFirst);
      if (isSettled && this.waits && (await this.findHindrance()) === undefined) return 'waits';
    }
  }
}
