/* A test extension beside Folio's: asks the tests for work over HTTP and does it with the extension API. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { probesOf } from './apiProbes.ts';
import { type ProbeAnswer, type ProbeCall, type Probes, probeAddressVariable } from './probes.ts';

export function activate(context: vscode.ExtensionContext): void {
  const address = process.env[probeAddressVariable];
  if (address === undefined) return;
  const stopping = new AbortController();
  context.subscriptions.push({ dispose: () => stopping.abort() });
  work(address, probesOf(context), stopping.signal).catch(error => {
    if (!stopping.signal.aborted) console.error(`The probe stopped: ${error}`);
  });
}

async function work(address: string, probes: Probes, signal: AbortSignal): Promise<void> {
  const windowId = randomUUID();
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const folder = (workspaceFile ?? workspaceFolders?.[0]?.uri)?.fsPath ?? '';
  await post('hello', { windowId, folder });
  while (!signal.aborted) {
    const response = await post('next', { windowId }).catch(error => {
      if (signal.aborted) throw error;
      console.error(`The probe asks again: ${error} ${error instanceof Error ? error.cause : ''}`);
    });
    if (response === undefined) {
      await sleep(200);
      continue;
    }
    // The channel answers an idle question with "nothing yet", so that no connection waits for ever.
    if (response.status === 204) continue;
    const call = (await response.json()) as ProbeCall;
    await post('done', await perform(call, probes));
    // Once the answer has arrived: whoever asked would wait for ever otherwise.
    if (call.name === 'crash') process.kill(process.pid, 'SIGKILL');
  }

  async function post(path: string, body: unknown): Promise<Response> {
    return await fetch(`${address}/${path}`, { method: 'POST', body: JSON.stringify(body), signal });
  }
}

async function perform(call: ProbeCall, probes: Probes): Promise<ProbeAnswer> {
  try {
    const probe = probes[call.name] as (...args: readonly unknown[]) => Promise<unknown>;
    return { callId: call.callId, status: 'ok', value: toJson(await probe(...call.args)) };
  } catch (error) {
    return { callId: call.callId, status: 'failed', message: String(error) };
  }
}

/** Commands return what they like; what JSON cannot carry (cycles, functions) is told as text. */
function toJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? null));
  } catch {
    return String(value);
  }
}
