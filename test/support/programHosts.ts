/* Processes that stay between runs of the headless entry: a start costs six times as much as a short run. */

import { type ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { RunningProgram } from './headlessProgram.ts';

export interface HostedRun {
  readonly kind: 'run';
  readonly entry: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Input without text is its end. */
export type ToHost = HostedRun | { readonly kind: 'input'; readonly text?: string };

export type FromHost =
  | { readonly kind: 'out'; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'exit'; readonly code: number };

const host = resolve(import.meta.dirname, 'programHost.ts');
/** The entry behind dist/headless.cjs, as a module. */
const entry = resolve(import.meta.dirname, '../../dist/headless/headless.js');
/** They end with the process of the tests. */
const idle: ChildProcess[] = [];

/** Runs it in the first process that is free. */
export function startHosted(run: Omit<HostedRun, 'kind' | 'entry'>): RunningProgram {
  const child = takeIdle() ?? fork(host, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const exit = new Promise<number | null>(resolve => {
    const end = (code: number | null) => {
      child.off('message', hear).off('exit', end);
      stdout.end();
      stderr.end();
      resolve(code);
    };
    const hear = (message: FromHost) => {
      if (message.kind !== 'exit') {
        (message.kind === 'out' ? stdout : stderr).write(message.text);
        return;
      }
      end(message.code);
      keep(child);
    };
    child.on('message', hear).on('exit', end);
  });
  child.ref();
  child.channel?.ref();
  const send = (message: ToHost) => void child.send(message);
  const stdin = new Writable({
    write: (chunk, _encoding, done) => {
      send({ kind: 'input', text: String(chunk) });
      done();
    },
    final: done => {
      send({ kind: 'input' });
      done();
    },
  });
  send({ kind: 'run', entry, ...run });
  const kill = () => {
    throw new Error('A process that runs share gets no signals.');
  };
  return { stdin, stdout, stderr, exit, kill };
}

function takeIdle(): ChildProcess | undefined {
  const child = idle.pop();
  return child === undefined || child.connected ? child : takeIdle();
}

/** For the next run; it holds nobody up meanwhile. */
function keep(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  idle.push(child);
}
