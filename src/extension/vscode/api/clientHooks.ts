/*
 * Hooks of other extensions. To the core they look like hooks of settings files, so that they are shown, merged and
 * limited in the same way. Their command is no program but maps to a function here:
 *
 *     Hook.command ──► ClientHookProcesses.run ──► the function, with the input that a program would read from stdin
 *                                              ◄── its verdict, as the output that a program would print
 */

import { randomUUID } from 'node:crypto';
import type { HookEvent } from '../../../protocol/hooks.ts';
import { abortable } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { escapeRegExp } from '../../base/text.ts';
import type { Hook } from '../../core/hooks/hook.ts';
import type { HookExit, HookProcesses, HookSpec } from '../../platform/customizations/hooks.ts';
import type { FolioCall, FolioHook, FolioVerdict } from './folioApi.ts';

/** Called in place of a program. */
type ClientFunction = (input: unknown, signal: AbortSignal) => Promise<FolioVerdict>;

export interface ClientHook {
  readonly hook: Hook;
  readonly answer: ClientFunction;
}

const patienceMs = 10_000;
const ofClientExtension = /^extension \S+ [0-9a-f-]{36}$/;

/** @param file opened when the user asks where the hook comes from */
export function clientHooks(extensionId: string, file: string, hook: FolioHook): readonly ClientHook[] {
  const { tools, beforeTool, afterTool } = hook;
  const matcher = tools && { matcher: `^(?:${tools.map(escapeRegExp).join('|')})$` };
  const make = (event: HookEvent, answer: ClientFunction): ClientHook => ({
    hook: {
      event,
      eventName: event,
      dialect: 'gemini',
      sequential: false,
      ...matcher,
      // A random name, which no settings file can contain.
      command: `extension ${extensionId} ${randomUUID()}`,
      name: extensionId,
      file,
      timeoutMs: patienceMs,
      env: {},
      origin: 'person',
    },
    answer,
  });
  return [
    ...(beforeTool ? [make('BeforeTool', async (input, signal) => beforeTool(callOf(input), signal))] : []),
    ...(afterTool
      ? [make('AfterTool', async (input, signal) => afterTool({ ...callOf(input), ...endOf(input) }, signal))]
      : []),
  ];
}

/** Calls functions for their commands, and runs programs for all others. */
export class ClientHookProcesses implements HookProcesses {
  private readonly programs: HookProcesses;
  private readonly find: (command: string) => ClientHook | undefined;

  constructor(programs: HookProcesses, find: (command: string) => ClientHook | undefined) {
    this.programs = programs;
    this.find = find;
  }

  run(spec: HookSpec, signal: AbortSignal): Promise<HookExit> {
    const clientExtension = this.find(spec.command);
    if (clientExtension) return ask(clientExtension, spec, signal);
    // Already unregistered: the placeholder must not be run by a shell.
    if (ofClientExtension.test(spec.command)) return Promise.resolve({ kind: 'stopped' });
    return this.programs.run(spec, signal);
  }

  dispose(): Promise<void> {
    return this.programs.dispose();
  }
}

async function ask(
  { hook, answer }: ClientHook,
  { input, timeoutMs }: HookSpec,
  signal: AbortSignal,
): Promise<HookExit> {
  const limit = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, limit]);
  try {
    const verdict = await abortable(answer(JSON.parse(input), either), either);
    return { kind: 'ended', code: 0, stdout: printed(verdict, hook.event), stderr: '' };
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' };
    if (limit.aborted) return { kind: 'timedOut', stdout: '', stderr: '' };
    return { kind: 'failed', message: `The extension ${hook.name} failed: ${messageOf(error)}` };
  }
}

/** Passes on only permitted verdicts. Anything else is an error of the extension. */
function printed(verdict: unknown, event: HookEvent): string {
  if (verdict === undefined) return '';
  const { kind, reason, text }: Readonly<Record<string, unknown>> = isRecord(verdict) ? verdict : {};
  if (kind === 'context' && typeof text === 'string')
    return JSON.stringify({ hookSpecificOutput: { additionalContext: text } });
  const isObjection = kind === 'deny' || (kind === 'ask' && event === 'BeforeTool');
  if (isObjection && typeof reason === 'string') return JSON.stringify({ decision: kind, reason });
  throw new Error('its verdict is none that Folio knows. See docs/api.md.');
}

function callOf(input: unknown): FolioCall {
  const given = isRecord(input) ? input : {};
  return {
    sessionId: String(given.session_id),
    tool: String(given.tool_name),
    input: isRecord(given.tool_input) ? given.tool_input : {},
  };
}

function endOf(input: unknown): { readonly ok: boolean; readonly result: string } {
  const response = isRecord(input) && isRecord(input.tool_response) ? input.tool_response : {};
  return { ok: response.error === undefined, result: String(response.llmContent ?? '') };
}
