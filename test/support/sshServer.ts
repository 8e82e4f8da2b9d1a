import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server of OpenSSH on this machine alone, for one key that has a passphrase. */
export interface SshServer {
  readonly port: number;
  /** The file of the key. */
  readonly key: string;
  dispose(): Promise<void>;
}

/** Why none can be had, in a few words; undefined: one can. */
export function whyNoSshServer(): string | undefined {
  const server = findServer();
  if (server === undefined) return 'no sshd on this machine';
  const folder = mkdtempSync(join(tmpdir(), 'folio-ssh-'));
  try {
    // It checks its key and configuration, and whether this user may serve.
    const { status, stderr } = spawnSync(server, ['-t', '-f', writeFiles(folder, 22, 'unused')]);
    return status === 0 ? undefined : `sshd cannot serve here: ${stderr.toString().trim().split('\n')[0]}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param folder an empty one */
export async function startSshServer(folder: string, passphrase: string): Promise<SshServer> {
  const port = await findPort();
  const config = writeFiles(folder, port, passphrase);
  // It starts itself again by its path, which must be absolute.
  const server = spawn(findServer()!, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  await untilListening(server);
  return {
    port,
    key: join(folder, 'key'),
    dispose: async () => {
      const gone = once(server, 'exit');
      if (server.kill()) await gone;
    },
  };
}

function findServer(): string | undefined {
  const onPath = spawnSync('which', ['sshd']).stdout.toString().trim();
  return [onPath, '/usr/sbin/sshd'].find(path => path !== '' && existsSync(path));
}

/** @returns the path of the configuration */
function writeFiles(folder: string, port: number, passphrase: string): string {
  for (const [name, word] of [
    ['host', ''],
    ['key', passphrase],
  ] as const)
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', word, '-f', join(folder, name)]);
  copyFileSync(join(folder, 'key.pub'), join(folder, 'authorized'));
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${folder}/authorized`,
    'AuthenticationMethods publickey',
    'PermitRootLogin yes',
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
  ];
  const path = join(folder, 'config');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}

function untilListening({ stderr, exitCode }: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    stderr?.on('data', data => {
      said += data;
      if (said.includes('listening on')) resolve();
    });
    stderr?.on('end', () => reject(new Error(`sshd ended with ${exitCode}: ${said}`)));
  });
}
