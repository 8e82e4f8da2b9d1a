import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { t } from '../../protocol/language.ts';
import { LocalizedError } from '../base/errors.ts';
import { isRecord } from '../base/record.ts';

/** Finds installed programs, never one of the workspace. */
interface FoundPrograms {
  find(name: string): string | undefined;
  readonly pathVariable: Readonly<Record<string, string>>;
}

interface Token {
  readonly text: string;
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
}

const maxWaitMs = 60_000;
/** Renews a token this long before it expires, so that it stays valid during a request. */
const reserveMs = 300_000;

/** Azure tokens of the account signed in with `az login`. Keeps each in memory while it is valid. */
export class AzureCommandLine {
  private readonly now: () => number;
  private readonly programs: FoundPrograms;
  private token: Token | undefined;

  constructor(now: () => number, programs: FoundPrograms) {
    this.now = now;
    this.programs = programs;
  }

  /** Rejects with the program's error message. */
  async read(scope: string): Promise<string> {
    if (!this.token || this.token.until - reserveMs < this.now()) this.token = await this.ask(scope);
    return this.token.text;
  }

  private async ask(scope: string): Promise<Token> {
    const asked = ['account', 'get-access-token', '--scope', scope, '--output', 'json'];
    const isWindows = process.platform === 'win32';
    const program = this.programs.find(isWindows ? 'az.cmd' : 'az');
    if (program === undefined) throw new LocalizedError(() => t('the program az is not there'));
    // On Windows it is a script, which only a shell can run.
    const { stdout } = await promisify(execFile)(isWindows ? `"${program}"` : program, asked, {
      timeout: maxWaitMs,
      cwd: homedir(),
      env: { ...process.env, ...this.programs.pathVariable },
      shell: isWindows,
    }).catch(error => {
      throw new LocalizedError(() => lineOf(error));
    });
    const said: unknown = JSON.parse(stdout);
    if (!isRecord(said) || typeof said.accessToken !== 'string')
      throw new LocalizedError(() => t('az gave no token'));
    const until = Number(said.expires_on) * 1000;
    return { text: said.accessToken, until: Number.isFinite(until) ? until : this.now() + reserveMs };
  }
}

/** The program's error message, which may tell how to fix it. Never its output. */
function lineOf(error: unknown): string {
  const said = isRecord(error) && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return said.split('\n')[0] || t('az failed');
}
