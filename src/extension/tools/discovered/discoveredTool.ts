/* A tool implemented by a program of the user or the project. Its name is an argument, its input JSON. */

import * as z from 'zod';
import { inEnglish, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { cutMiddle, oneLine, sanitiseLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import { type AnyTool, defineTool, ToolFailure, type ToolResult } from '../../core/tool.ts';
import type { HookExit, HookProcesses } from '../../platform/customizations/hooks.ts';
import type { ProgramGrants } from '../../platform/sandbox.ts';
import type { DiscoveredDeclaration } from './parseDeclarations.ts';

interface CallPorts {
  readonly processes: Pick<HookProcesses, 'run'>;
  readonly callCommand: string;
  /** Absolute and real. */
  readonly cwd: string;
  /** Returns whether the settings still declare it and the user still allows it. */
  readonly isCurrent: () => Promise<boolean>;
  readonly timeoutMs: number;
  /** The sandbox that it must run in, if any. */
  readonly sandbox: ProgramGrants | undefined;
}

type Args = Readonly<Record<string, unknown>>;

const input = lazySchema(() => z.record(z.string(), z.unknown()));

const maxShownLength = 8_000;

/** Needs the same approval as the command that it runs. */
export function discoveredTool(declaration: DiscoveredDeclaration, ports: CallPorts): AnyTool {
  const { name, description, schema } = declaration;
  const { callCommand, cwd, sandbox } = ports;
  // The name contains nothing that a shell would interpret.
  const command = `${callCommand} ${name}`;
  return defineTool<Args, undefined>({
    name: `discovered_tool_${name.replaceAll('.', '_')}`,
    description: `${description || name} (Runs ${oneLine(callCommand, 80)} of this project.)`,
    schema,
    input,
    effect: 'run',
    title: args => sanitiseLine(`${name} ${JSON.stringify(args)}`, 200),
    prepare: async args => ({
      plan: undefined,
      subject: { kind: 'other', detail: describe(command, args) },
      target: { kind: 'command', command, cwd },
    }),
    run: async (args, _plan, { signal }) => {
      if (!(await ports.isCurrent()))
        throw new ToolFailure(
          'The settings or scripts of this tool have changed and wait for the user to look at them. Continue without it.',
          () => t('Changed since you allowed it'),
        );
      const { timeoutMs } = ports;
      const exit = await ports.processes.run(
        { command, cwd, env: {}, input: JSON.stringify(args), timeoutMs, sandbox },
        signal,
      );
      signal.throwIfAborted();
      return toResult(exit, timeoutMs);
    },
  });
}

function describe(command: string, args: Args): string {
  return `${command}\n${cutMiddle(JSON.stringify(args, undefined, 2), maxShownLength, 0.7)}`;
}

/** A result is only the output if the program succeeded without messages. */
function toResult(exit: HookExit, timeoutMs: number): ToolResult {
  switch (exit.kind) {
    case 'ended': {
      const { code, stdout, stderr } = exit;
      const text = code === 0 && stderr === '' ? stdout : describeEnd(stdout, stderr, `Exit code: ${code}`);
      if (code !== 0)
        throw new ToolFailure(wrapUntrusted('untrusted_output', text), () => t('Exit code {0}', code));
      return {
        text:
          text.trim() === ''
            ? 'The tool succeeded and printed nothing.'
            : wrapUntrusted('untrusted_output', text),
        display: { summary: () => oneLine(stdout, 160) || t('Done'), detail: { kind: 'text', text } },
      };
    }
    case 'timedOut': {
      const end = () => t('It was ended after {0} seconds.', timeoutMs / 1000);
      const text = describeEnd(exit.stdout, exit.stderr, inEnglish(end));
      throw new ToolFailure(wrapUntrusted('untrusted_output', text), end);
    }
    case 'failed':
      throw new ToolFailure(`The program gave no result. ${exit.message}`, () => exit.message);
    case 'stopped':
      throw new ToolFailure('The program was ended before it gave a result.', () => t('Ended'));
  }
}

function describeEnd(stdout: string, stderr: string, end: string): string {
  const part = (title: string, text: string) => `${title}: ${text.trimEnd() || '(nothing)'}`;
  return [part('Standard output', stdout), part('Standard error', stderr), end].join('\n');
}
