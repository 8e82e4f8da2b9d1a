import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { abortable } from '../../../src/extension/base/abort.ts';
import type { ProbeAnswer, ProbeArgs, ProbeCall, ProbeName, ProbeResult } from './probe/probes.ts';

/** The tests' end of the side channel: the test extension of each window asks here for work. */
export interface ProbeChannel {
  readonly address: string;
  /** Resolves once the extension host of a window on this folder runs; rejects with the signal's reason. */
  waitForWindow(folder: string, signal: AbortSignal): Promise<void>;
  /** The present window on this folder is about to go; `waitForWindow` then means the next one. */
  forgetWindow(folder: string): void;
  /** Fails with the extension's error, or when the signal ends before an answer came. */
  evaluate<K extends ProbeName>(
    folder: string,
    name: K,
    args: ProbeArgs<K>,
    signal: AbortSignal,
  ): Promise<ProbeResult<K>>;
  dispose(): Promise<void>;
}

interface Window {
  readonly folder: string;
  readonly calls: ProbeCall[];
  wake: () => void;
}

const idleLimit = 15_000;

export async function openProbeChannel(): Promise<ProbeChannel> {
  const windows = new Map<string, Window>();
  const present = new Map<string, string>();
  const waiting = new Map<string, (answer: ProbeAnswer) => void>();

  const server = createServer((request, response) => {
    answer(request, response).catch(error => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The probe channel has no port.');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request);
    switch (request.url) {
      case '/hello': {
        const { windowId, folder } = body as { windowId: string; folder: string };
        windows.set(windowId, { folder, calls: [], wake: () => undefined });
        present.set(folder, windowId);
        response.writeHead(200).end();
        return;
      }
      case '/next': {
        const call = await nextCall(windows.get((body as { windowId: string }).windowId), request);
        if (call === undefined) response.writeHead(204).end();
        else response.writeHead(200).end(JSON.stringify(call));
        return;
      }
      case '/done': {
        const result = body as ProbeAnswer;
        waiting.get(result.callId)?.(result);
        response.writeHead(200).end();
        return;
      }
      default:
        response.writeHead(404).end();
    }
  }

  async function waitForWindow(folder: string, signal: AbortSignal): Promise<void> {
    while (!present.has(folder)) await sleep(50, undefined, { signal });
  }

  return {
    address: `http://127.0.0.1:${bound.port}`,
    waitForWindow,
    forgetWindow(folder) {
      present.delete(folder);
    },
    async evaluate(folder, name, args, signal) {
      await waitForWindow(folder, signal);
      const window = windows.get(present.get(folder)!)!;
      const call: ProbeCall = { callId: randomUUID(), name, args };
      const answered = new Promise<ProbeAnswer>(resolve => waiting.set(call.callId, resolve));
      window.calls.push(call);
      window.wake();
      try {
        const result = await abortable(answered, signal).catch((reason: unknown) => {
          throw new Error(`${name} was not answered: ${String(reason)}`);
        });
        if (result.status === 'failed') throw new Error(`${name}: ${result.message}`);
        return result.value as ProbeResult<typeof name>;
      } finally {
        waiting.delete(call.callId);
      }
    },
    async dispose() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

async function nextCall(
  window: Window | undefined,
  request: IncomingMessage,
): Promise<ProbeCall | undefined> {
  if (window === undefined) return undefined;
  if (window.calls.length === 0) {
    await new Promise<void>(resolve => {
      const timer = setTimeout(wake, idleLimit);
      window.wake = wake;
      request.socket.once('close', wake);
      function wake(): void {
        clearTimeout(timer);
        request.socket.off('close', wake);
        resolve();
      }
    });
  }
  // A call that was taken out for a closed connection would never be done.
  return request.socket.destroyed ? undefined : window.calls.shift();
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}
