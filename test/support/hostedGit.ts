/* The real git, run by a small process that the tests of a worker share. */

import { type ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';
import type { ChangedFiles, VersionControl } from '../../src/extension/platform/versionControl.ts';

/** `owner`: whose `GitFiles` is meant. */
export type GitRequest =
  | {
      readonly kind: 'run';
      readonly folder: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string | undefined>>;
    }
  | {
      readonly kind: 'changedFiles';
      readonly owner: number;
      readonly folder: string;
      readonly since: string | null | undefined;
    }
  | {
      readonly kind: 'readCommitted';
      readonly owner: number;
      readonly folder: string;
      readonly committed: readonly string[];
    };

export type ToGitHost =
  | { readonly kind: 'ask'; readonly id: number; readonly request: GitRequest }
  | { readonly kind: 'abort'; readonly id: number };

export type FromGitHost =
  | { readonly id: number; readonly kind: 'done'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly error: unknown };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const waiting = new Map<number, Waiting>();
let host: ChildProcess | undefined;
let asked = 0;
let owners = 0;

/** `GitFiles` in that process. */
export class HostedGit implements VersionControl {
  private readonly owner = ++owners;

  async changedFiles(
    folder: string,
    signal: AbortSignal,
    since?: string | null,
  ): Promise<ChangedFiles | undefined> {
    const request = { kind: 'changedFiles', owner: this.owner, folder, since } as const;
    return (await ask(request, signal)) as ChangedFiles | undefined;
  }

  async readCommitted(
    folder: string,
    committed: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const request = { kind: 'readCommitted', owner: this.owner, folder, committed } as const;
    return (await ask(request, signal)) as ReadonlyMap<string, Uint8Array>;
  }
}

/** What it printed. Rejects when it ends with another code than zero. */
export async function runHostedGit(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  return String(await ask({ kind: 'run', folder, args, env }));
}

async function ask(request: GitRequest, signal?: AbortSignal): Promise<unknown> {
  signal?.throwIfAborted();
  const id = ++asked;
  const child = openHost();
  const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
  hold(child);
  child.send({ kind: 'ask', id, request } satisfies ToGitHost);
  const onAbort = () => child.send({ kind: 'abort', id } satisfies ToGitHost);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function openHost(): ChildProcess {
  if (host?.connected) return host;
  const child = fork(resolve(import.meta.dirname, 'gitHost.ts'), { serialization: 'advanced' });
  child.on('message', (reply: FromGitHost) => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) release(child);
    if (reply.kind === 'done') call?.resolve(reply.value);
    else call?.reject(reply.error);
  });
  child.on('exit', code => {
    for (const { reject } of waiting.values()) reject(new Error(`The process for git ended with ${code}.`));
    waiting.clear();
  });
  host = child;
  return child;
}

/** Somebody waits for it. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

/** Idle, it holds up nobody's end. */
function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
