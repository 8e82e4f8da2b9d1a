import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { t } from '../../protocol/language.ts';
import { SpokenError } from '../base/errors.ts';
import { isRecord } from '../base/record.ts';

/** Finds programs that no workspace supplies. */
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
/** A request that is sent now must still be let in. */
const reserveMs = 300_000;

/** Tokens for Azure of the account that `az login` signed in. Each is kept in memory while it is valid. */
export class AzureCommandLine {
  private readonly now: () => number;
  private readonly programs: FoundPrograms;
  private token: Token | undefined;

  constructor(now: () => number, programs: FoundPrograms) {
    this.now = now;
    this.programs = programs;
  }

  /** Rejects with what the program said. */
  async read(scope: string): Promise<string> {
    if (!this.token || this.token.until - reserveMs < this.now()) this.token = await this.ask(scope);
    return this.token.text;
  }

  private async ask(scope: string): Promise<Token> {
    const asked = ['account', 'get-access-token', '--scope', scope, '--output', 'json'];
    const isWindows = process.platform === 'win32';
    const program = this.programs.find(isWindows ? 'az.cmd' : 'az');
    if (program === undefined) throw new SpokenError(() => t('the program az is not there'));
    // Windows runs this one, a script, by a shell alone.
    const { stdout } = await promisify(execFile)(isWindows ? `"${program}"` : program, asked, {
      timeout: maxWaitMs,
      cwd: homedir(),
      env: { ...process.env, ...this.programs.pathVariable },
      shell: isWindows,
    }).catch(error => {
      throw new SpokenError(() => lineOf(error));
    });
    const said: unknown = JSON.parse(stdout);
    if (!isRecord(said) || typeof said.accessToken !== 'string')
      throw new SpokenError(() => t('az gave no token'));
    const until = Number(said.expires_on) * 1000;
    return { text: said.accessToken, until: Number.isFinite(until) ? until : this.now() + reserveMs };
  }
}

/** Its own words, which may name the way out; never what it printed as an answer. */
function lineOf(error: unknown): string {
  const said = isRecord(error) && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return said.split('\n')[0] || t('az failed');
}
