import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** A server of a package that listens on a port; ended by its own number. */
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address) resolve(address.port);
        else reject(new Error('There is no port.'));
      });
    });
  });
}
