import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Ends the process groups of commands when the host dies without cleanup, for example by SIGKILL. One small shell waits
 * at a pipe, which the system closes when the host is gone for any reason. Does not reach processes that left their
 * group (`setsid`, `timeout`), and does nothing on Windows.
 */
export class GroupReaper {
  private shell: ChildProcess | undefined;

  watch(group: number): void {
    this.shell ??= startShell();
    this.shell.stdin?.write(`+ ${group}\n`);
  }

  forget(group: number): void {
    this.shell?.stdin?.write(`- ${group}\n`);
  }

  close(): void {
    this.shell?.stdin?.end();
    this.shell = undefined;
  }
}

const script = `
groups=
while read -r change group; do
  case $change in
    +) groups="$groups $group" ;;
    -) kept=
       for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
       groups=$kept ;;
  esac
done
[ -n "$groups" ] || exit 0
for group in $groups; do kill -TERM "-$group"; done
sleep 1
for group in $groups; do kill -KILL "-$group"; done
`;

function startShell(): ChildProcess {
  // Detached, so that a keyboard interrupt to the host's group does not reach it.
  const shell = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Commands also run without it; only a killed host would leave some behind.
  shell.on('error', () => {});
  shell.stdin?.on('error', () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return shell;
}
