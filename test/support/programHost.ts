/*
 * A process that runs the built headless entry again and again, with its modules loaded and warm. Each run finds it as
 * a new process would be: environment, folder, streams and listeners are its own. Started by programHosts.ts.
 */

import { PassThrough, Writable } from 'node:stream';
import type { FromHost, HostedRun, ToHost } from './programHosts.ts';

type Listener = (...args: unknown[]) => void;

interface CurrentRun {
  readonly input: PassThrough;
  readonly end: (code: number) => void;
}

const exitHost = process.exit.bind(process);
let current: CurrentRun | undefined;
let count = 0;

process.on('disconnect', () => exitHost(0));

process.on('message', (message: ToHost) => {
  if (message.kind === 'run') void run(message);
  else if (message.text === undefined) current?.input.end();
  else current?.input.write(message.text);
});

// What nobody catches ends a process with its stack. What a run left behind would have been cut off by its end.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) => {
    if (!current) return;
    notify({ kind: 'error', text: `${error instanceof Error ? error.stack : String(error)}\n` });
    current.end(1);
  });

async function run({ entry, args, env, cwd }: HostedRun): Promise<void> {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, entry, ...args];
  process.exitCode = undefined;
  const input = new PassThrough();
  const hosts = new Set(listeners().map(([, listener]) => listener));
  const started: CurrentRun = {
    input,
    end: code => {
      if (current !== started) return;
      const left = listeners().filter(([, listener]) => !hosts.has(listener));
      for (const [event, listener] of left) {
        if (event === 'exit') listener(code);
        process.removeListener(event, listener);
      }
      current = undefined;
      closeConnections();
      // What the run had begun comes to its end before another one begins.
      setImmediate(() => setImmediate(() => notify({ kind: 'exit', code })));
    },
  };
  current = started;
  const exit = (code?: number) => started.end(code ?? 0);
  const replaced = { stdin: input, stdout: output('out'), stderr: output('error'), exit };
  for (const [name, value] of Object.entries(replaced))
    Object.defineProperty(process, name, { value, configurable: true });
  count++;
  // Loading the entry runs it; what it imports is loaded once.
  await import(`${entry}?run=${count}`);
}

function output(kind: 'out' | 'error'): Writable {
  const write = (text: string, done: () => void) => {
    if (current) notify({ kind, text });
    done();
  };
  return new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => write(String(chunk), done),
    writev: (chunks, done) => write(chunks.map(({ chunk }) => String(chunk)).join(''), done),
  });
}

function listeners(): readonly (readonly [event: string | symbol, Listener])[] {
  return process
    .eventNames()
    .flatMap(event => process.rawListeners(event).map(each => [event, each as Listener] as const));
}

/** An end of a process closes what `fetch` keeps open. */
function closeConnections(): void {
  const key = Symbol.for('undici.globalDispatcher.1');
  const holder = globalThis as { [key]?: { destroy(): Promise<void>; constructor: unknown } };
  const dispatcher = holder[key];
  if (!dispatcher) return;
  holder[key] = new (dispatcher.constructor as new () => typeof dispatcher)();
  void dispatcher.destroy();
}

function notify(message: FromHost): void {
  process.send?.(message);
}
