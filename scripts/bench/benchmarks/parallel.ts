import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { benchEnvironment } from '../agentRun.ts';
import type { Benchmark } from '../bench.ts';
import { acpArgs, folio } from '../contestants.ts';
import { inTempFolder, noteAt, writeNotes } from '../folders.ts';
import { type Exchange, startServer } from '../server.ts';
import { type Measurement, median } from '../statistics.ts';

const steps = 300;
const sessions = 8;
const noteBytes = 2_000;
const maxRuns = 3;

/** Measures one host with several working sessions, whose prompts read files in many steps. */
export const parallel: Benchmark = {
  name: 'parallel',
  about: `${sessions} sessions of ${steps} steps at once in one host, beside one session alone`,
  run: ({ runs, say }) =>
    inTempFolder(async workspace => {
      await writeNotes(workspace, steps, noteBytes);
      const alone: Work[] = [];
      const together: Work[] = [];
      for (let run = 1; run <= Math.min(runs, maxRuns); run++) {
        say(`run ${run}`);
        alone.push(await work(workspace, 1));
        together.push(await work(workspace, sessions));
      }
      return [...rowsOf('1 session', alone), ...rowsOf(`${sessions} sessions`, together, alone)];
    }),
};

interface Work {
  /** Milliseconds from all prompts to the first request of the last session. */
  readonly lastStart: number;
  /** Median milliseconds from the end of an answer to the next request of its session. */
  readonly overhead: number;
  /** End of the last session, as a multiple of the end of the first. */
  readonly spread: number;
  /** Memory of the host with all sessions open, in bytes. */
  readonly memory: number;
}

async function work(workspace: string, count: number): Promise<Work> {
  const home = await mkdtemp(join(tmpdir(), 'folio-bench-home-'));
  const taken = Array.from({ length: count }, (): Exchange[] => []);
  const server = await startServer((_, exchange, body) => {
    const own = taken[Number(/Read as number (\d)/.exec(body.toString('latin1'))?.[1])]!;
    own.push(exchange);
    return own.length > steps
      ? { kind: 'text', chunks: ['Done.'] }
      : { kind: 'call', name: 'read_file', args: { file_path: noteAt(own.length - 1) } };
  });
  let host: ChildProcess | undefined;
  try {
    await folio.prepare(home, { 'folio.parallel.max': count });
    host = spawn(process.execPath, acpArgs({ workspace, home }), {
      cwd: workspace,
      env: benchEnvironment(home, server.url),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const { agent } = connect(host);
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const ids: string[] = [];
    for (let number = 0; number < count; number++) {
      const { sessionId } = await agent.request(methods.agent.session.new, {
        cwd: workspace,
        mcpServers: [],
      });
      ids.push(sessionId);
    }
    const begunAt = performance.now();
    const ends = await Promise.all(
      ids.map(async (sessionId, number) => {
        const prompt = [{ type: 'text' as const, text: `Read as number ${number}.` }];
        await agent.request(methods.agent.session.prompt, { sessionId, prompt });
        return performance.now() - begunAt;
      }),
    );
    return {
      lastStart: Math.max(...taken.map(own => own[0]!.askedAt)) - begunAt,
      overhead: median(taken.flatMap(overheads)),
      spread: Math.max(...ends) / Math.min(...ends),
      memory: await readMemory(host.pid!),
    };
  } finally {
    host?.kill();
    await server.close();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

function connect({ stdin, stdout }: ChildProcess) {
  const input = Readable.toWeb(stdout as Readable) as ReadableStream<Uint8Array>;
  return client({ name: 'bench' })
    .onNotification(methods.client.session.update, () => {})
    .connect(ndJsonStream(Writable.toWeb(stdin as Writable), input));
}

function overheads(own: readonly Exchange[]): readonly number[] {
  return own.slice(1).map(({ askedAt }, at) => askedAt - own[at]!.answeredAt);
}

/** Returns the memory of another process in bytes. Linux only. */
async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** @param alone measurements with one session */
function rowsOf(who: string, all: readonly Work[], alone?: readonly Work[]): Measurement[] {
  const row = (what: string, unit: Measurement['unit'], samples: readonly number[]): Measurement => ({
    benchmark: 'parallel',
    what,
    who,
    unit,
    samples,
    against: '1 session',
  });
  const megabytes = (bytes: number) => bytes / (1024 * 1024);
  const rows = [
    row(
      'prompts to the first request of the last session',
      'ms',
      all.map(({ lastStart }) => lastStart),
    ),
    row(
      'overhead of a step',
      'ms',
      all.map(({ overhead }) => overhead),
    ),
    row(
      'memory of the host',
      'MB',
      all.map(({ memory }) => megabytes(memory)),
    ),
  ];
  if (!alone) return rows;
  const one = median(alone.map(({ memory }) => megabytes(memory)));
  const each = all.map(({ memory }) => (megabytes(memory) - one) / (sessions - 1));
  return [
    ...rows,
    { ...row('memory of each further session', 'MB', each), limit: { kind: 'median', atMost: 45 } },
    row(
      'end of the last session as a multiple of the first',
      '×',
      all.map(({ spread }) => spread),
    ),
  ];
}
