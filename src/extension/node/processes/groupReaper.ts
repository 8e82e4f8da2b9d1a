import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Ends the process groups of commands when the host dies without a chance to do so, for example by SIGKILL.
 * One small shell waits at a pipe for all of them; the system closes the pipe when the host is gone, however it
 * went. Not reached: what has left its group (`setsid`, `timeout`), and anything on Windows.
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

  /** Groups that are still watched are ended. */
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
  // Detached, so that an interrupt from the keyboard, which goes to the host's whole group, spares it.
  const shell = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it commands run all the same; only a killed host would leave some behind.
  shell.on('error', () => {});
  shell.stdin?.on('error', () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return shell;
}
