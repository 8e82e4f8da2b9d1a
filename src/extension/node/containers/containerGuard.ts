import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { endInside } from './insideScripts.ts';

/**
 * Ends the remaining commands in a container when the host exits for any reason, because an engine does not end
 * commands of a dead client. A small shell waits at a pipe, like that of `GroupReaper`.
 */
export class ContainerGuard {
  private readonly shell: ChildProcess;

  /** @param env variables for the engine. @param run mark of the commands that end with the host */
  constructor(engine: string, containerId: string, env: Readonly<Record<string, string>>, run: string) {
    this.shell = spawn('/bin/sh', ['-c', script, 'folio', engine, containerId, endInside, run], {
      cwd: '/',
      detached: true,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // Commands also run without the guard; only a killed host would leave some behind.
    this.shell.on('error', () => {});
    this.shell.stdin?.on('error', () => {});
    this.shell.unref();
    if (this.shell.stdin instanceof Socket) this.shell.stdin.unref();
  }

  close(): void {
    this.shell.stdin?.end();
  }
}

const script = `
cat > /dev/null
exec "$1" exec --user 0 "$2" /bin/sh -c "$3" folio "FOLIO_RUN=$4"
`;
