/* A command of an external agent, run as a call of Folio. The agent can request its output and exit. */

import type { SessionEventBody } from '../../../protocol/events.ts';
import { inEnglish } from '../../../protocol/language.ts';
import { tailOf } from '../../base/text.ts';
import { unattendedEnv } from '../../platform/commandRun.ts';
import { quoteArgument } from '../commands/template/quoteArgument.ts';
import type { ExternalCommand, ExternalTerminal, TerminalExit } from './externalAgent.ts';

/** Characters of recent output available to the agent while the command runs. */
const maxOutput = 1_000_000;

export class CallTerminal implements ExternalTerminal {
  output = '';
  isCut = false;
  exit: TerminalExit | undefined;
  readonly exited: Promise<TerminalExit>;
  readonly abort = new AbortController();
  /** Resolves when it runs, or has ended before. */
  readonly begun: Promise<void>;
  private hasBegun: () => void = () => {};
  private hasExited: (exit: TerminalExit) => void = () => {};

  constructor() {
    this.begun = new Promise(resolve => {
      this.hasBegun = resolve;
    });
    this.exited = new Promise(resolve => {
      this.hasExited = resolve;
    });
  }

  stop(): void {
    this.abort.abort(new DOMException('The agent ended the command', 'AbortError'));
  }

  hear(event: SessionEventBody): void {
    if (event.type === 'call.started') this.hasBegun();
    if (event.type === 'call.output') this.add(event.text);
    if (event.type !== 'call.ended') return;
    const { detail } = event.display;
    if (detail?.kind === 'command') this.output = detail.output;
    this.exit = { code: detail?.kind === 'command' ? detail.exitCode : null };
    this.hasExited(this.exit);
    this.hasBegun();
  }

  private add(text: string): void {
    this.output += text;
    // Cut rarely, since each cut copies the rest.
    if (this.output.length < 2 * maxOutput) return;
    this.output = tailOf(this.output, maxOutput);
    this.isCut = true;
  }
}

/** Formats one shell command. A command without arguments may be a whole line. */
export function formatCommandLine({ command, args, env }: ExternalCommand, platform: string): string {
  const isWindows = platform === 'win32';
  const quote = (word: string) => {
    if (/^[\w@%+=:,./-]+$/.test(word)) return word;
    const quoted = quoteArgument(word, '', platform);
    if (quoted.kind === 'refused') throw new Error(`An argument ${inEnglish(quoted.why)}.`);
    return quoted.text;
  };
  const words = [command, ...args].map(quote).join(' ');
  // PowerShell would print a quoted program name.
  const called = isWindows && words.startsWith("'") ? `& ${words}` : words;
  const line = args.length === 0 ? command : called;
  // Variables that Folio sets anyway are omitted, since rules read the line.
  const names = env.filter(({ name }) => /^[A-Za-z_]\w*$/.test(name) && !(name in unattendedEnv));
  if (names.length === 0) return line;
  if (isWindows) return `${names.map(({ name, value }) => `$env:${name}=${quote(value)}; `).join('')}${line}`;
  return `export ${names.map(({ name, value }) => `${name}=${quote(value)}`).join(' ')}; ${line}`;
}
