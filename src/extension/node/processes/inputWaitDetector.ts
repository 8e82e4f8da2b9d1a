/* Detects that a program waits for keyboard input. */

import { Emitter } from '../../base/emitter.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import { tailOf } from '../../base/text.ts';
import { listTree } from './processTable.ts';
import { foregroundGroup } from './procFiles.ts';
import type { ThreadState } from './threadStates.ts';

/** Milliseconds between checks. A prompt is detected within a second. */
const interval = 300;
/** A program that prints in this many consecutive intervals is not waiting. */
const busyIntervals = 3;
/** Characters at the end of the output that may contain a prompt. */
const promptLength = 300;

/** A thread that returned to its terminal this often without input checks for keys while it works. */
const maxReturns = 2;

/**
 * A program waits if it has printed nothing for a moment and one of these holds:
 *
 *   it reads its terminal, and stays in that read            whatever its last line is
 *   it watches its terminal, and no source of other work     its last line is incomplete, or it is full-screen
 *   it polls for keys repeatedly, or while it works          its last line is a prompt
 *
 * If the system does not report this, only the last line counts.
 */
export class InputWaitDetector {
  private readonly pid: number;
  private readonly timesOut: () => Promise<boolean>;
  /** Threads waiting at the terminal at the last check, since the last input. */
  private atTerminal = new Map<string, AtTerminal>();
  private readonly timer: NodeJS.Timeout;
  private readonly changed = new Emitter<boolean>();
  readonly onDidChange = this.changed.event;
  private tail = '';
  private isFullScreen = false;
  private wrote = true;
  private busy = 0;
  private waits = false;
  private scanning = false;
  private ended = false;

  /** @param timesOut returns whether reads of its terminal currently time out */
  constructor(pid: number, timesOut: () => Promise<boolean> = async () => false) {
    this.pid = pid;
    this.timesOut = timesOut;
    this.timer = setInterval(() => void this.scan(), interval);
    this.timer.unref();
  }

  handleOutput(text: string): void {
    this.wrote = true;
    this.tail = tailOf(this.tail + text, promptLength);
    const changes = [...this.tail.matchAll(/\u001b\[\?(?:1049|1047|47)([hl])/g)];
    this.isFullScreen = changes.length > 0 ? changes.at(-1)?.[1] === 'h' : this.isFullScreen;
  }

  /** Keys and a new size wake programs that wait for them. */
  woken(): void {
    this.atTerminal.clear();
  }

  handleInput(): void {
    this.woken();
    this.wrote = true;
    // A listener may answer at once. This order tells other listeners of the wait before they learn of its end.
    queueMicrotask(() => this.set(false));
  }

  end(): void {
    this.ended = true;
    clearInterval(this.timer);
    this.set(false);
    this.changed.dispose();
  }

  private async scan(): Promise<void> {
    if (this.scanning) return;
    this.scanning = true;
    const isQuiet = !this.wrote;
    this.wrote = false;
    this.busy = isQuiet ? 0 : this.busy + 1;
    if (isQuiet) {
      const waits = await this.isWaiting();
      if (!this.wrote && !this.ended) this.set(waits);
    } else if (this.busy >= busyIntervals) this.set(false);
    this.scanning = false;
  }

  private set(waits: boolean): void {
    if (waits === this.waits) return;
    this.waits = waits;
    this.changed.fire(waits);
  }

  private async isWaiting(): Promise<boolean> {
    const seemsTo = this.isFullScreen || hasUnfinishedLine(this.tail);
    if (process.platform !== 'linux') return seemsTo;
    const tree = await listTree(new Set([this.pid]));
    const inFront = foregroundGroup(this.pid);
    const { threadStatesOf } = await import('./threadStates.ts');
    const threadStates = tree
      .filter(({ group }) => inFront === undefined || group === inFront)
      .flatMap(({ pid }) => threadStatesOf(pid));
    const has = (what: ThreadState['what']) => threadStates.some(each => each.what === what);
    const followed = this.follow(threadStates.filter(({ what }) => what === 'reads' || what === 'watches'));
    const staying = followed.filter(({ state }) => state === 'stays').map(({ what }) => what);
    const isBrief = staying.includes('reads') && !this.waits && (await this.timesOut());
    if (staying.includes('reads') && !isBrief) return true;
    if (has('runs') && !followed.some(({ what }) => what === 'reads')) return false;
    if (followed.some(({ state }) => state === 'unknown')) return this.waits;
    if (seemsTo && (has('unknown') || staying.includes('watches'))) return true;
    return (has('polls') || followed.length > 0) && asks(this.tail);
  }

  /** Updates which threads have been woken since the last check. */
  private follow(threadStates: readonly ThreadState[]) {
    const before = this.atTerminal;
    const now = new Map<string, AtTerminal>();
    const followed = threadStates.map(({ thread, what, waited }) => {
      const last = before.get(thread);
      const returns = (last?.returns ?? 0) + (last && last.waited !== waited ? 1 : 0);
      now.set(thread, { waited, returns });
      return { what, state: stateOf(last, returns, waited) };
    });
    this.atTerminal = now;
    return followed;
  }
}

interface AtTerminal {
  readonly waited: string | undefined;
  readonly returns: number;
}

function stateOf(
  last: AtTerminal | undefined,
  returns: number,
  waited: string | undefined,
): 'stays' | 'returns' | 'unknown' {
  if (returns >= maxReturns) return 'returns';
  return last && last.waited === waited ? 'stays' : 'unknown';
}

/** True for a question, a choice, a label with a colon, or a shell prompt. False for a progress bar. */
function asks(tail: string): boolean {
  const line = lastLine(tail).trimEnd();
  return /(?:[?:❯›»λ$]|(?<![=-])>|(?<![#[])#|(?<!\d)%)$|\?\s|:\s*[[(][^\])]*[\])]:?$|[[(][a-z]+\/[a-z/]+[\])]:?$/i.test(
    line,
  );
}

function hasUnfinishedLine(tail: string): boolean {
  return lastLine(tail).trim() !== '';
}

function lastLine(tail: string): string {
  const plain = plainTerminalText(tail);
  return plain.slice(plain.lastIndexOf('\n') + 1);
}
