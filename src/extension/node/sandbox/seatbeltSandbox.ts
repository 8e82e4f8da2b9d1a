import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import type {
  Launch,
  Sandbox,
  SandboxedProcess,
  SandboxReport,
  SandboxRequest,
} from '../../platform/sandbox.ts';
import { makeTemporaryFolder } from '../files/temporaryFolder.ts';
import type { SandboxEnvironment } from './bubblewrapSandbox.ts';
import type { HostProxy } from './hostProxy.ts';
import { proxyVariables } from './proxyVariables.ts';
import { refuseWholeWorkspace, SandboxAvailability, whyTooBroad } from './sandboxAvailability.ts';
import { SandboxTemporaryFolder } from './sandboxTemporaryFolder.ts';
import { canonicalPath, seatbeltProfile } from './seatbeltProfile.ts';
import { listSecretPlaces, withoutSecretVariables } from './secretPlaces.ts';
import { scanProtectedPaths } from './workspaceGuard.ts';

const run = promisify(execFile);
/** Milliseconds. Generous for a busy machine; only catches hangs. */
const probeLimit = 120_000;

/** The sandbox for macOS, with Seatbelt. Restricts a command by paths and operations, without namespaces. */
export class SeatbeltSandbox implements Sandbox {
  private readonly places: SandboxEnvironment;
  private readonly missing: SandboxAvailability;
  private readonly program: string;
  private readonly temporaryRoots = new SandboxTemporaryFolder(furnish, room =>
    existsSync(join(room, 'tmp')),
  );
  private opened = 0;

  /** @param program defaults to that of the system; set by tests */
  constructor(places: SandboxEnvironment, program = '/usr/bin/sandbox-exec') {
    this.places = places;
    this.program = program;
    this.missing = new SandboxAvailability(places, () => this.tryOut());
  }

  whyMissing(): Promise<LocalizedMessage | undefined> {
    return this.missing.why();
  }

  async contain(request: SandboxRequest): Promise<SandboxedProcess> {
    const { grants, lasting = false, read = [] } = request;
    const tooBroad = await whyTooBroad(this.places);
    if (tooBroad !== undefined) throw new LocalizedError(tooBroad);
    const workspaces = await Promise.all(this.places.folders().map(folder => realpath(folder)));
    if (lasting) refuseWholeWorkspace(workspaces, grants.write);
    const surveys = await Promise.all(
      workspaces.map(folder => scanProtectedPaths(folder, this.places, workspaces, grants.write)),
    );
    const room = await this.temporaryRoots.open();
    this.opened += 1;
    const temporary = join(room, 'tmp');
    const proxy = await this.openProxy(request);
    const profile = seatbeltProfile({
      workspaces,
      temporary,
      othersTemporary: [...new Set([canonicalPath(dirname(room)), '/private/tmp', '/private/var/tmp'])],
      secrets: (await listSecretPlaces(this.places)).map(canonicalPath),
      guarded: surveys.flatMap(({ readOnly, missing, links }) => [...readOnly, ...missing, ...links.keys()]),
      pinned: surveys.flatMap(({ pinned }) => pinned),
      linked: surveys.map(({ linked }) => linked),
      hidden: surveys.flatMap(({ hidden }) => hidden),
      granted: grants.write.map(canonicalPath),
      read: read.map(canonicalPath),
      lasting,
      proxyPort: proxy?.port,
      reachesLocal: grants.hosts.includes('localhost'),
    });
    const file = join(room, `profile-${this.opened}`);
    await writeFile(file, profile);
    return new SeatbeltProcess(this.program, { file, temporary, hosts: grants.hosts, proxy });
  }

  async dispose(): Promise<void> {
    await this.temporaryRoots.dispose();
  }

  private async openProxy(request: SandboxRequest): Promise<OpenProxy | undefined> {
    if (request.grants.hosts.length === 0 && !request.onHostRequested) return undefined;
    const { hostProxyFor } = await import('./hostProxy.ts');
    const proxy = hostProxyFor(request, this.places.proxy?.());
    return proxy && { proxy, port: await proxy.listenHere() };
  }

  /**
   * The system does not report whether a profile is enforced. So a probe tries forbidden and allowed actions; if any
   * forbidden one succeeds, the sandbox counts as missing.
   */
  private async tryOut(): Promise<LocalizedMessage | undefined> {
    if (!existsSync(this.program)) return () => t('The program {0} of macOS is missing.', this.program);
    const target = await makeTarget();
    try {
      const request = { grants: { write: [], hosts: [] }, background: false };
      const sandboxed = await this.contain(request);
      const launch = { file: '/bin/bash', args: ['-c', probeLine], cwd: '/', env: target.env };
      const { file, args, env } = sandboxed.wrap({ ...launch, given: target.env });
      const { stdout } = await run(file, [...args], { env, cwd: '/', timeout: probeLimit });
      await sandboxed.leave();
      return describeProbe(new Set([...stdout.split('\n'), ...(await target.findBroken())]));
    } catch (error) {
      return () => t('The sandbox of macOS could not be created ({0}).', messageOf(error));
    } finally {
      await target.dispose();
    }
  }
}

interface OpenProxy {
  readonly proxy: HostProxy;
  readonly port: number;
}

interface Plan {
  /** File with the profile. */
  readonly file: string;
  readonly temporary: string;
  readonly hosts: readonly string[];
  readonly proxy: OpenProxy | undefined;
}

class SeatbeltProcess implements SandboxedProcess {
  private readonly program: string;
  private readonly plan: Plan;

  constructor(program: string, plan: Plan) {
    this.program = program;
    this.plan = plan;
  }

  wrap({ file, args, cwd, env, given }: Launch): Launch {
    const { temporary, proxy, hosts } = this.plan;
    const own = { TMPDIR: temporary, TMP: temporary, TEMP: temporary };
    const network = proxy ? proxyVariables(proxy.port, hosts) : {};
    return {
      file: this.program,
      args: ['-f', this.plan.file, file, ...args],
      cwd,
      env: { ...withoutSecretVariables(env), ...own, ...network, ...given },
    };
  }

  /** Protected names cannot be created, so nothing is undone. The profile does not depend on paths that may vanish. */
  async leave(): Promise<SandboxReport> {
    const { proxy, file } = this.plan;
    await proxy?.proxy.close();
    await rm(file, { force: true });
    return { reportedEnd: true, hosts: proxy?.proxy.denied ?? [], undone: [] };
  }
}

async function furnish(folder: string): Promise<string> {
  const room = await realpath(folder);
  await mkdir(join(room, 'tmp'), { mode: 0o700 });
  return room;
}

/** Each forbidden action prints its name if it succeeds. */
const probeLine = [
  'echo x > "$TMPDIR/folio-probe" && cat "$TMPDIR/folio-probe" /etc/hosts >/dev/null && echo may',
  'rm -f "$TMPDIR/folio-probe"',
  'cat "$FOLIO_PROBE/secret" >/dev/null && echo reads',
  '(echo x > "$FOLIO_PROBE/written") && echo writes',
  '(exec 5<>/dev/tcp/127.0.0.1/$FOLIO_PROBE_PORT) && echo connects',
  'kill -0 "$FOLIO_PROBE_PID" && echo signals',
].join('\n');

interface Target {
  readonly env: Readonly<Record<string, string>>;
  /** Names of actions that succeeded, as observed from outside. */
  readonly findBroken: () => Promise<readonly string[]>;
  readonly dispose: () => Promise<void>;
}

/** A secret, a server and a process (this one) that the probe must not reach. */
async function makeTarget(): Promise<Target> {
  const folder = await realpath(await makeTemporaryFolder('probe'));
  await writeFile(join(folder, 'secret'), 'secret');
  let connections = 0;
  const server = createServer(socket => {
    connections += 1;
    socket.destroy();
  });
  const port = await listen(server);
  return {
    env: { FOLIO_PROBE: folder, FOLIO_PROBE_PORT: String(port), FOLIO_PROBE_PID: String(process.pid) },
    findBroken: async () => {
      const isWritten = await readFile(join(folder, 'written')).then(
        () => true,
        () => false,
      );
      return [...(isWritten ? ['writes'] : []), ...(connections > 0 ? ['connects'] : [])];
    },
    dispose: async () => {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function describeProbe(did: ReadonlySet<string>): LocalizedMessage | undefined {
  const broken = ['reads', 'writes', 'connects', 'signals'].filter(word => did.has(word));
  if (broken.length > 0)
    return () =>
      t(
        'The sandbox of macOS does not protect this computer: a test command {0} something that is blocked. Set "folio.sandbox" to "ask".',
        broken.join(', '),
      );
  return did.has('may')
    ? undefined
    : () =>
        t(
          'The sandbox of macOS does not work here: a command in it could not write to its own temporary folder. Set "folio.sandbox" to "ask".',
        );
}
