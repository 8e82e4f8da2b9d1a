/* The built headless entry as a user starts it: in a process of its own. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { SessionEvent } from '../../src/protocol/events.ts';

export const headlessEntry = resolve(import.meta.dirname, '../../dist/headless.cjs');

export interface HeadlessResult {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

export interface HeadlessOptions {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** All of standard input. */
  readonly input?: string;
  /** Gets the child as soon as it runs, for signals. */
  readonly onStart?: (child: ChildProcessByStdio<Writable, Readable, Readable>) => void;
}

/** A run with somebody at the other end of its streams. */
export interface RunningProgram {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exit: Promise<number | null>;
  /** Only a process of its own can be sent one. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

export type RunHeadless = (options: HeadlessOptions) => Promise<HeadlessResult>;

export async function runInOwnProcess({
  args,
  env = {},
  cwd,
  input,
  onStart,
}: HeadlessOptions): Promise<HeadlessResult> {
  return await atHome(async home => {
    const child = spawn(process.execPath, [headlessEntry, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd,
      env: environment(home, env),
    });
    let out = '';
    let error = '';
    child.stdout.setEncoding('utf8').on('data', text => (out += text));
    child.stderr.setEncoding('utf8').on('data', text => (error += text));
    child.stdin.end(input);
    onStart?.(child);
    const code = await new Promise<number | null>(done => child.on('close', done));
    return { code, out, error };
  });
}

export function startInOwnProcess(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): RunningProgram {
  const child = spawn(process.execPath, [headlessEntry, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env });
  const { stdin, stdout, stderr } = child;
  const exit = new Promise<number | null>(done => child.on('close', done));
  return { stdin, stdout, stderr, exit, kill: signal => void child.kill(signal) };
}

/** A home of its own, so that nothing of this machine's settings takes part. */
export async function atHome<T>(work: (home: string) => Promise<T>): Promise<T> {
  if (!existsSync(headlessEntry))
    throw new Error('There is no dist/headless.cjs: run "npm run build" first.');
  const home = await mkdtemp(join(tmpdir(), 'folio-home-'));
  try {
    return await work(home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Without the keys and addresses of whoever runs the tests. */
export function environment(
  home: string,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string | undefined>> {
  const {
    GEMINI_API_KEY: _key,
    GOOGLE_API_KEY: _other,
    GOOGLE_GEMINI_BASE_URL: _url,
    OPENAI_API_KEY: _chatKey,
    OPENAI_BASE_URL: _chatUrl,
    ANTHROPIC_API_KEY: _claudeKey,
    ANTHROPIC_BASE_URL: _claudeUrl,
    ...inherited
  } = process.env;
  // What a machine has installed does not change requests.
  return { ...inherited, FOLIO_BROWSER: 'off', HOME: home, USERPROFILE: home, ...more };
}

export function eventsOf(out: string): readonly SessionEvent[] {
  return out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
}
