import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { t } from '../../protocol/language.ts';
import { SpokenError } from '../base/errors.ts';
import { isRecord } from '../base/record.ts';

interface Token {
  readonly text: string;
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
}

const longestWaitMs = 60_000;
/** A request that is sent now must still be let in. */
const reserveMs = 300_000;

/** Tokens for Azure of the account that `az login` signed in. Each is kept in memory while it is valid. */
export class AzureCommandLine {
  private readonly now: () => number;
  private token: Token | undefined;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Rejects with what the program said. */
  async read(scope: string): Promise<string> {
    if (!this.token || this.token.until - reserveMs < this.now()) this.token = await this.ask(scope);
    return this.token.text;
  }

  private async ask(scope: string): Promise<Token> {
    const asked = ['account', 'get-access-token', '--scope', scope, '--output', 'json'];
    const { stdout } = await promisify(execFile)('az', asked, {
      timeout: longestWaitMs,
      // Windows looks for programs in the present folder first, and runs this one, a script, by a shell alone.
      cwd: homedir(),
      shell: process.platform === 'win32',
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
  if (isRecord(error) && error.code === 'ENOENT') return t('the program az is not there');
  const said = isRecord(error) && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return said.split('\n')[0] || t('az failed');
}
