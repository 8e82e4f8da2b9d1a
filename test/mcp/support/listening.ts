import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A server program of a package that listens on a port, ended by its process id. */
export class ListeningProgram {
  readonly port: number;
  private readonly child: ChildProcess;

  private constructor(port: number, child: ChildProcess) {
    this.port = port;
    this.child = child;
  }

  static async start(args: readonly string[], ready: RegExp): Promise<ListeningProgram> {
    const port = await freePort();
    const child = spawn(process.execPath, [...args], {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      const listen = (bytes: Buffer) => {
        said += bytes.toString();
        if (ready.test(said)) resolve();
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.on('exit', code => reject(new Error(`It ended with ${code}: ${said}`)));
    });
    return new ListeningProgram(port, child);
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise(resolve => this.child.on('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }
}

/**
 * Chooses a free port, since the program requires one. It is below the ephemeral ports, so that no connection takes it
 * before the program starts.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
