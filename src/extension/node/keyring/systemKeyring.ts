import { execFile } from 'node:child_process';
import { messageOf } from '../../base/errors.ts';
import type { StoredSecrets } from '../../platform/secrets.ts';
import { findSystemProgram } from '../processes/programs.ts';

const service = 'folio';
/** Time limit. The system may ask the user to unlock the keyring. */
const maxWaitMs = 60_000;

/**
 * Describes the system's keyring program. Secrets are passed only by standard input, since other users can see
 * arguments.
 */
interface KeyringProgram {
  readonly name: string;
  find(name: string): readonly string[];
  keep(name: string, value: string): { readonly args: readonly string[]; readonly input: string };
  drop(name: string): readonly string[];
  /** True if it has no entry under the name. */
  isMissing(answer: Answer): boolean;
}

interface Answer {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** The Secret Service of a Linux desktop: GNOME Keyring, KWallet, KeePassXC. */
const secretTool: KeyringProgram = {
  name: 'secret-tool',
  find: name => ['lookup', 'service', service, 'account', name],
  keep: (name, value) => ({
    args: ['store', `--label=Folio: ${name}`, 'service', service, 'account', name],
    input: value,
  }),
  drop: name => ['clear', 'service', service, 'account', name],
  isMissing: ({ code, error }) => code === 1 && error === '',
};

/** The keychain of macOS. */
const security: KeyringProgram = {
  name: 'security',
  find: name => ['find-generic-password', '-s', service, '-a', name, '-w'],
  keep: (name, value) => ({
    args: ['-i'],
    input: `add-generic-password -U -s ${service} -a ${name} -X ${Buffer.from(value).toString('hex')}\n`,
  }),
  drop: name => ['delete-generic-password', '-s', service, '-a', name],
  isMissing: ({ code }) => code === 44,
};

const programs: Readonly<Record<string, KeyringProgram>> = { linux: secretTool, darwin: security };

/** Stores secrets in the system's keyring. Each call rejects with the program's error. */
export class SystemKeyring implements StoredSecrets {
  private readonly program: KeyringProgram;
  private readonly path: string;

  private constructor(program: KeyringProgram, path: string) {
    this.program = program;
    this.path = path;
  }

  /** Returns `undefined` if the system lacks the program. Does not check whether the keyring can be unlocked. */
  static open(platform: string): SystemKeyring | undefined {
    const program = programs[platform];
    const path = program && findSystemProgram(program.name);
    return path === undefined ? undefined : new SystemKeyring(program!, path);
  }

  async find(name: string): Promise<string | undefined> {
    const answer = await this.run(this.program.find(name));
    if (answer.code === 0) return answer.out.trim() || undefined;
    if (this.program.isMissing(answer)) return undefined;
    throw this.failure(answer);
  }

  async keep(name: string, value: string): Promise<void> {
    const { args, input } = this.program.keep(name, value);
    const answer = await this.run(args, input);
    // The program of macOS reports no status for commands from standard input.
    if (answer.code !== 0 || (await this.find(name)) !== value) throw this.failure(answer);
  }

  async drop(name: string): Promise<void> {
    const answer = await this.run(this.program.drop(name));
    if (answer.code !== 0 && !this.program.isMissing(answer)) throw this.failure(answer);
  }

  private failure({ error }: Answer): Error {
    return new Error(error.split('\n')[0] || `${this.program.name} failed`);
  }

  private run(args: readonly string[], input = ''): Promise<Answer> {
    return new Promise(resolve => {
      const child = execFile(this.path, [...args], { timeout: maxWaitMs }, (failure, out, said) => {
        const code = failure === null ? 0 : typeof failure.code === 'number' ? failure.code : -1;
        const error = said.trim() || (code === -1 ? messageOf(failure) : '');
        resolve({ code, out, error });
      });
      // If it exits before reading everything, its exit code counts.
      child.stdin?.on('error', () => {}).end(input);
    });
  }
}
