/* Runs a command in its own pseudo-terminal. */

import { execFile } from 'node:child_process';
import { accessSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Echo } from '../../platform/processes.ts';
import type { Launch } from '../../platform/sandbox.ts';
import type { StartedProcess } from './childProcess.ts';
import type { Sink } from './processOutput.ts';
import { findSystemProgram } from './programs.ts';

/** The part of node-pty in use, which is the same in VS Code's copy and in the npm package. */
interface TerminalLibrary {
  spawn(file: string, args: readonly string[], options: object): Terminal;
}

interface Terminal {
  readonly pid: number;
  /** The path of the terminal, except on Windows. */
  readonly ptsName?: string;
  /** A private member of the library, except on Windows. */
  readonly _socket?: { destroy(error?: Error): unknown };
  onData(listener: (data: Uint8Array | string) => void): unknown;
  onExit(listener: (exit: { readonly exitCode: number; readonly signal?: number }) => void): unknown;
  write(text: string): void;
  resize(columns: number, rows: number): void;
}

export type FindTerminals = () => TerminalLibrary | undefined;

/**
 * Loaded with the first command that needs a terminal.
 * @param places packages by name or absolute path; the first loadable one counts
 */
export function terminalsFrom(places: readonly string[]): FindTerminals {
  let found: { readonly library: TerminalLibrary | undefined } | undefined;
  return () => {
    found ??= { library: loadFirst(places) };
    return found.library;
  };
}

function loadFirst(places: readonly string[]): TerminalLibrary | undefined {
  const load = createRequire(import.meta.url);
  for (const place of places) {
    try {
      return load(place) as TerminalLibrary;
    } catch {
      // It is missing, or not built for this system: try the next one. Without any, a pipe is used.
    }
  }
  return undefined;
}

/** The size until the user's tab reports its own. */
const firstSize = { cols: 120, rows: 30 };

export function startInTerminal(library: TerminalLibrary, launch: Launch, sink: Sink): StartedProcess {
  const { file, args, cwd, env } = launch;
  // The library would start it in another folder.
  accessSync(cwd);
  const name = 'xterm-256color';
  const terminal = library.spawn(file, args, { ...firstSize, name, cwd, env, encoding: null });
  const count = { bytes: 0 };
  terminal.onData(data => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    count.bytes += bytes.length;
    sink(bytes);
  });
  readToTheEnd(terminal, count);
  let isOver = false;
  const ended: StartedProcess['ended'] = new Promise(resolve => {
    terminal.onExit(({ exitCode, signal }) => {
      isOver = true;
      resolve(signal ? { code: null, signal: signalName(signal) } : { code: exitCode, signal: null });
    });
  });
  return {
    pid: terminal.pid,
    ended,
    // The library reports the exit after all output was read.
    output: { drain: () => Promise.resolve(), detach: () => {} },
    keyboard: {
      echo: async () => echoOf(await readFlags(isOver ? undefined : terminal.ptsName)),
      timesOut: async () => {
        const flags = await readFlags(isOver ? undefined : terminal.ptsName);
        return /(?:^|\s)-icanon\b/.test(flags) && /\bmin = 0;/.test(flags);
      },
      write: text => {
        if (!isOver) terminal.write(text);
      },
      end: () => {
        if (!isOver) terminal.write('\x04');
      },
      resize: (columns, rows) => {
        if (!isOver && columns > 0 && rows > 0) terminal.resize(columns, rows);
      },
    },
  };
}

/**
 * The library closes a terminal 0.2 s after its process has ended, even if output is unread. A busy host would lose it,
 * so this delays closing until an event loop round brings no more.
 */
function readToTheEnd({ _socket: socket }: Terminal, count: { readonly bytes: number }): void {
  if (!socket) return;
  const destroy = socket.destroy.bind(socket);
  const destroyWhenRead = async (error?: Error) => {
    let before = -1;
    while (before !== count.bytes) {
      before = count.bytes;
      await setImmediate();
      await setImmediate();
    }
    destroy(error);
  };
  socket.destroy = error => {
    if (error) destroy(error);
    else void destroyWhenRead();
    return socket;
  };
}

/**
 * A program that edits lines itself turns off the terminal's echo, its line mode and its handling of Enter. A prompt
 * for a secret turns off only the echo (`read -s -n`, `getpass`, `ssh`, `sudo`).
 */
function echoOf(text: string): Echo {
  const flags = new Set(text.split(/[\s;]+/));
  const isEdited = flags.has('-echo') && flags.has('-icanon') && flags.has('-icrnl');
  if (flags.has('echo') || isEdited) return 'shown';
  return flags.has('-echo') ? 'hidden' : 'unknown';
}

/** Settings of the terminal. Empty if unknown. */
function readFlags(path: string | undefined): Promise<string> {
  return new Promise(resolve => {
    const stty = path === undefined ? undefined : findSystemProgram('stty');
    if (path === undefined || stty === undefined) return resolve('');
    const args = [process.platform === 'linux' ? '-F' : '-f', path, '-a'];
    execFile(stty, args, { timeout: 5_000 }, (error, text) => resolve(error ? '' : text));
  });
}

function signalName(signal: number): string {
  const found = Object.entries(constants.signals).find(([, number]) => number === signal);
  return found?.[0] ?? `signal ${signal}`;
}
