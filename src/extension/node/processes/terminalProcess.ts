/* A command in a pseudo-terminal of its own. */

import { execFile } from 'node:child_process';
import { accessSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Echo } from '../../platform/processes.ts';
import type { Launch } from '../../platform/sandbox.ts';
import type { Started } from './childProcess.ts';
import type { Sink } from './processOutput.ts';
import { findSystemProgram } from './programs.ts';

/** The part of node-pty that is used; VS Code's copy and the one of the npm registry have it alike. */
interface TerminalLibrary {
  spawn(file: string, args: readonly string[], options: object): Terminal;
}

interface Terminal {
  readonly pid: number;
  /** The path of the terminal, on all systems but Windows. */
  readonly ptsName?: string;
  /** Private in the library, and there on all systems but Windows. */
  readonly _socket?: { destroy(error?: Error): unknown };
  onData(listener: (data: Uint8Array | string) => void): unknown;
  onExit(listener: (exit: { readonly exitCode: number; readonly signal?: number }) => void): unknown;
  write(text: string): void;
  resize(columns: number, rows: number): void;
}

export type FindTerminals = () => TerminalLibrary | undefined;

/** Loaded when the first command wants a terminal. @param places packages by name or by absolute path; the first counts */
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
      // Not there, or not made for this system: the next one may be, and without any there is a pipe.
    }
  }
  return undefined;
}

/** Until the user's tab says how large it is. */
const firstSize = { cols: 120, rows: 30 };

export function startInTerminal(library: TerminalLibrary, launch: Launch, sink: Sink): Started {
  const { file, args, cwd, env } = launch;
  // The library would start it elsewhere.
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
  const ended: Started['ended'] = new Promise(resolve => {
    terminal.onExit(({ exitCode, signal }) => {
      isOver = true;
      resolve(signal ? { code: null, signal: signalName(signal) } : { code: exitCode, signal: null });
    });
  });
  return {
    pid: terminal.pid,
    ended,
    // The library reports the end when all was read.
    output: { drain: () => Promise.resolve(), detach: () => {} },
    keyboard: {
      echo: async () => echoOf(await readFlags(isOver ? undefined : terminal.ptsName)),
      readsBriefly: async () => {
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
 * The library closes a terminal a fifth of a second after its process has ended, whether or not all was read: a busy
 * host would lose the rest. It is closed after one round of the event loop has brought nothing more.
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
 * A program that edits lines automatically takes the terminal's echo away, too. With it go the terminal's own lines and
 * its reading of Enter, which a prompt for a secret leaves as they are (`read -s -n`, `getpass`, `ssh`, `sudo`).
 */
function echoOf(text: string): Echo {
  const flags = new Set(text.split(/[\s;]+/));
  const isEdited = flags.has('-echo') && flags.has('-icanon') && flags.has('-icrnl');
  if (flags.has('echo') || isEdited) return 'shown';
  return flags.has('-echo') ? 'hidden' : 'unknown';
}

/** How a terminal is set; empty: nobody knows. */
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
