import { join } from 'node:path';
import { findSystemProgram, type ProgramFinder } from './programs.ts';

interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Builds the shell invocation for a command line: bash, sh if bash is missing, or PowerShell on Windows. */
export function shellCommand(programs: ProgramFinder, command: string, isAnswered = false): ShellCommand {
  if (process.platform === 'win32') return powerShellCommand(programs, command, isAnswered);
  return { file: programs.find('bash') ?? '/bin/sh', args: ['-c', command] };
}

/** The host's environment for a command: non-interactive, without pagers, keys, and variables of the editor. */
export function shellEnvironment(
  host: EnvironmentVariables,
  additions: EnvironmentVariables = {},
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && !isPrivate(name)) result[name] = value;
  }
  const ours = { PAGER: 'cat', GIT_PAGER: 'cat', TERM: 'dumb', FOLIO: '1' };
  for (const [name, value] of Object.entries({ ...ours, ...additions })) {
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/**
 * True for Folio's own keys, which no command may read, and for variables of the editor, which would make a child
 * behave as its part.
 */
function isPrivate(name: string): boolean {
  return (
    /^(GEMINI|GOOGLE|OPENAI|ANTHROPIC)_(\w+_)?API_?KEY$/i.test(name) ||
    /^(VSCODE_|ELECTRON_RUN_AS_NODE$)/i.test(name)
  );
}

function powerShellCommand(programs: ProgramFinder, command: string, isAnswered: boolean): ShellCommand {
  const script = [
    '[Console]::OutputEncoding = [System.Text.Encoding]::UTF8',
    command,
    // Without this, PowerShell would exit with 0 or 1 whatever the last program's code was.
    'if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE } elseif (-not $?) { exit 1 }',
  ].join('\n');
  const old = join('WindowsPowerShell', 'v1.0', 'powershell.exe');
  const file = programs.find('pwsh.exe') ?? findSystemProgram(old);
  if (file === undefined) throw new Error('There is no PowerShell.');
  return { file, args: ['-NoProfile', ...(isAnswered ? [] : ['-NonInteractive']), '-Command', script] };
}
