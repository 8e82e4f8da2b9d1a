/* Runs the commands of the setting `folio.checkCommand` on an edited file. */

import { relative } from 'node:path';
import { HeadAndTail } from '../../base/headAndTail.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import { oneLine } from '../../base/text.ts';
import { fillShellPlaceholders } from '../../core/commands/template/quoteArgument.ts';
import { folderContains } from '../../core/folderPaths.ts';
import type { Policy } from '../../core/policy/policy.ts';
import { loadGlobFilter } from '../../node/search/globs.ts';
import type { Clock } from '../../platform/clock.ts';
import { InactivityTimer, unattendedEnv, waitForExitOrStop } from '../../platform/commandRun.ts';
import type { Diagnostic, FileCheck } from '../../platform/diagnostics.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { ProcessExit, Processes } from '../../platform/processes.ts';
import { parseProblems } from './parseProblems.ts';

interface CommandCheckPorts {
  readonly files: Pick<FileSystem, 'realPath'>;
  readonly processes: Pick<Processes, 'start'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly policy: Pick<Policy, 'classify'>;
  /** Absolute workspace folders. */
  readonly folders: readonly string[];
  /** By glob. A glob without a slash matches the name at any depth. */
  readonly commands: () => Readonly<Record<string, string>>;
  /** As in `process.platform`. */
  readonly platform: string;
  /** Called once for each unusable command. */
  readonly notify: (sentence: string) => void;
  /** Set only by tests. */
  readonly limitMs?: number;
}

/** An edit waits for its checks, so a check must be quick. */
const usualLimitMs = 60_000;

/** A longer output does not come from checking one file. */
const outputLimits = { head: 200_000, tail: 50_000 };

export class CommandCheck implements FileCheck {
  private readonly ports: CommandCheckPorts;
  private readonly reported = new Set<string>();

  constructor(ports: CommandCheckPorts) {
    this.ports = ports;
  }

  async check(path: string, signal: AbortSignal): Promise<readonly Diagnostic[]> {
    const folder = await this.findFolder(path);
    if (folder === undefined) return [];
    const found: Diagnostic[] = [];
    for (const [glob, command] of Object.entries(this.ports.commands())) {
      const matches = await loadGlobFilter(glob);
      if (!matches(relative(folder, path).replaceAll('\\', '/'))) continue;
      const line = await this.prepare(command, path, folder);
      if (line !== undefined) found.push(...(await this.run({ command, line, folder, path }, signal)));
    }
    return found;
  }

  /** The workspace folder that contains the file. */
  private async findFolder(path: string): Promise<string | undefined> {
    for (const folder of this.ports.folders) {
      const real = await this.ports.files.realPath(folder);
      if (folderContains(real, path)) return real;
    }
    return undefined;
  }

  /** The command line to run. `undefined` if it must not run. */
  private async prepare(command: string, path: string, folder: string): Promise<string | undefined> {
    const filled = fillShellPlaceholders(command, { file: path }, this.ports.platform);
    if (filled.kind === 'refused') {
      this.complain(
        command,
        `is not run, since the file's name ${filled.why()}. Write {file} without quotes.`,
      );
      return undefined;
    }
    // The setting is the user's permission, so the command is classified as in `yolo` mode. A command that even there
    // asks or is denied (secrets, destructive commands, an explicit rule) does not run.
    const verdict = await this.ports.policy.classify({
      tool: 'run_shell_command',
      effect: 'run',
      mode: 'yolo',
      args: { command: filled.text },
      target: { kind: 'command', command: filled.text, cwd: folder },
    });
    if (verdict.kind === 'allow') return filled.text;
    this.complain(command, `is not run. ${verdict.reason()}`);
    return undefined;
  }

  private async run(started: StartedCheck, signal: AbortSignal): Promise<readonly Diagnostic[]> {
    const { processes, clock, limitMs = usualLimitMs } = this.ports;
    const { command, line, folder, path } = started;
    const limit = AbortSignal.timeout(limitMs);
    const process = processes.start({ command: line, cwd: folder, env: unattendedEnv });
    const output = new HeadAndTail(outputLimits);
    const silence = new InactivityTimer(clock, 0);
    const listening = process.onDidWrite(text => output.append(text));
    try {
      const exit = await waitForExitOrStop(process, silence, AbortSignal.any([signal, limit]));
      const problem = failureOf(exit);
      if (problem !== undefined) this.complain(command, problem);
      if (problem !== undefined || exit.code === 0) return [];
      const text = plainTerminalText(output.text);
      const found = parseProblems({ text, folder, path });
      return found.length > 0 ? found : [{ severity: 'error', message: silentEnd(command, exit) }];
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.aborted) throw error;
      this.complain(command, `was stopped: it took longer than ${limitMs / 1000} s.`);
      return [];
    } finally {
      listening.dispose();
    }
  }

  private complain(command: string, what: string): void {
    const sentence = `The check \`${oneLine(command, 200)}\` of folio.checkCommand ${what}`;
    if (this.reported.has(sentence)) return;
    this.reported.add(sentence);
    this.ports.notify(sentence);
  }
}

interface StartedCheck {
  /** As written in the settings. */
  readonly command: string;
  /** With the file inserted. */
  readonly line: string;
  readonly folder: string;
  readonly path: string;
}

/** Why the command gives no result for the file. */
function failureOf({ code, failure }: ProcessExit): string | undefined {
  if (failure !== undefined) return `could not start: ${oneLine(failure, 200)}`;
  if (code === 127) return 'was not found. Correct the setting, or install the program.';
  return code === 126 ? 'may not be executed. Correct the setting, or the rights of the program.' : undefined;
}

function silentEnd(command: string, { code, signal }: ProcessExit): string {
  return `${oneLine(command, 200)} ended with ${code === null ? `the signal ${signal}` : `exit code ${code}`} and printed nothing.`;
}
