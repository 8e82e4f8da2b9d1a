import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contestant } from './contestants.ts';
import { type Exchange, type Script, startServer } from './server.ts';

export interface AgentRun {
  /** Start and end of the process, by `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly exchanges: readonly Exchange[];
  /** Requests that asked for a summary of the conversation. */
  readonly summaries: number;
  /** Body of the last request, with the whole conversation. */
  readonly lastRequest: string;
  /** Bytes written to standard output. */
  readonly outputBytes: number;
  /** Peak memory of the largest process in bytes, if requested. */
  readonly peakMemory: number | undefined;
}

export interface RunRequest {
  readonly script: Script;
  /** Answer to requests for a summary. */
  readonly summary?: string;
  /** Settings of Folio, besides the default ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly workspace: string;
  readonly prompt?: string;
  /** Measures memory. It slows the start down, so both are not measured together. */
  readonly memory?: true;
  readonly env?: Readonly<Record<string, string>>;
  /** Number of requests without which the run fails. */
  readonly requests: number;
}

/** Timeout of a run in milliseconds. */
const patience = 600_000;

/** Runs one contestant through one script, in its own home folder. Fails if the task is incomplete. */
export async function runAgent(who: Contestant, request: RunRequest): Promise<AgentRun> {
  const home = await mkdtemp(join(tmpdir(), 'folio-bench-home-'));
  const server = await startServer(request.script, request.summary);
  try {
    await who.prepare(home, request.settings ?? {});
    const memory = request.memory ? join(home, 'memory') : undefined;
    if (memory !== undefined) await mkdir(memory);
    const task = { prompt: request.prompt ?? 'hello', workspace: request.workspace, home };
    const env = benchEnvironment(home, server.url, memory, { ...who.env, ...request.env });
    const startedAt = performance.now();
    const { code, errors, outputBytes } = await runNode(who.args(task), request.workspace, env);
    const endedAt = performance.now();
    if (code !== 0 || server.exchanges.length < request.requests) {
      const made = `${server.exchanges.length} of ${request.requests} requests`;
      throw new Error(`${who.name} ended with code ${code} after ${made}: ${errors.slice(-2000).trim()}`);
    }
    const peakMemory = memory === undefined ? undefined : await readPeak(memory);
    const { exchanges } = server;
    const [summaries, lastRequest] = [server.summaries(), server.lastRequest()];
    return { startedAt, endedAt, exchanges, summaries, lastRequest, outputBytes, peakMemory };
  } finally {
    await server.close();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Returns an environment without the user's settings, keys and proxies. */
export function benchEnvironment(
  home: string,
  url: string,
  memory?: string,
  extra: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(GEMINI_|GOOGLE_|FOLIO_|NODE_OPTIONS$|XDG_)|_proxy$/i.test(name),
  );
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    GEMINI_API_KEY: 'test',
    GOOGLE_GEMINI_BASE_URL: url,
    ...extra,
  };
  if (memory === undefined) return env;
  const preload = pathToFileURL(join(import.meta.dirname, 'peakMemory.mjs'));
  return { ...env, FOLIO_BENCH_MEMORY: memory, NODE_OPTIONS: `--import=${preload.href}` };
}

function runNode(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; errors: string; outputBytes: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const limit = setTimeout(() => child.kill('SIGKILL'), patience);
    let errors = '';
    let outputBytes = 0;
    child.stdout.on('data', (data: Buffer) => {
      outputBytes += data.length;
    });
    child.stderr.on('data', (data: Buffer) => {
      errors = (errors + data).slice(-10_000);
    });
    child.on('error', reject);
    child.on('close', code => {
      clearTimeout(limit);
      resolve({ code, errors, outputBytes });
    });
  });
}

async function readPeak(folder: string): Promise<number> {
  const names = await readdir(folder);
  const peaks = await Promise.all(
    names.map(async name => Number(await readFile(join(folder, name), 'utf8'))),
  );
  if (peaks.length === 0) throw new Error('The contestant ended without leaving its peak memory.');
  return Math.max(...peaks);
}
