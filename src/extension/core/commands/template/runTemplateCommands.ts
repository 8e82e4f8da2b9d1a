/* Runs the commands of a template: classifies all, asks once, then runs them one after another. */

import { plural, t } from '../../../../protocol/language.ts';
import { abortable } from '../../../base/abort.ts';
import { HeadAndTail } from '../../../base/headAndTail.ts';
import { readableOutput } from '../../../base/terminalText.ts';
import { formatQuantity as countOf, oneLine } from '../../../base/text.ts';
import { wrapUntrusted } from '../../../base/untrusted.ts';
import { InactivityTimer, unattendedEnv, waitForExitOrStop } from '../../../platform/commandRun.ts';
import type { ProcessExit } from '../../../platform/processes.ts';
import { CommandError } from '../../commandError.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { TemplateServices } from './templateSources.ts';

/** Returns the text that replaces each command, in order. */
export async function runTemplateCommands(
  lines: readonly string[],
  name: string,
  work: TemplateServices,
): Promise<readonly string[]> {
  if (lines.length === 0) return [];
  const folder = await work.folder();
  if (folder === undefined)
    throw new CommandError(
      t(
        '/{0} was not sent: it runs a command, and no folder is open to run it in. Open one and send it again.',
        name,
      ),
    );
  await admitAll(lines, folder, name, work);
  const outputs: string[] = [];
  for (const line of lines) outputs.push(await runCommand(line, folder, work));
  return outputs;
}

type Asking = Extract<Verdict, { kind: 'ask' }>;

async function admitAll(
  lines: readonly string[],
  folder: string,
  name: string,
  work: TemplateServices,
): Promise<void> {
  const asking = new Map<string, Asking>();
  for (const command of new Set(lines)) {
    const verdict = await work.classify(command, folder);
    if (verdict.kind === 'deny')
      throw new CommandError(
        t(
          '/{0} was not sent: its command `{1}` may not run. {2}',
          name,
          oneLine(command, 200),
          verdict.reason(),
        ),
      );
    if (verdict.kind === 'ask') asking.set(command, verdict);
  }
  if (asking.size === 0) return;
  const offers = [...asking.values()].map(({ always }) => always.find(({ scope }) => scope === 'session'));
  const answer = await abortable(
    work.ask({
      name,
      folder,
      commands: [...asking].map(([command, { reason }]) => ({ command, reason: reason() })),
      canLast: offers.every(offer => offer !== undefined),
    }),
    work.signal,
  );
  if (answer === 'no')
    throw new CommandError(
      plural(
        asking.size,
        'one: /{1} was not sent: you did not let its {0} command run. | other: /{1} was not sent: you did not let its {0} commands run.',
        name,
      ),
    );
  if (answer === 'session') for (const offer of offers) if (offer) await work.remember(offer);
}

/** The output is inserted as data, followed by how the command ended if it failed. */
async function runCommand(command: string, cwd: string, work: TemplateServices): Promise<string> {
  const { output, failure } = await executeShellCommand(command, cwd, work);
  const text = describeOutput(output);
  return failure === undefined ? text : `${text}\n[The command \`${oneLine(command, 200)}\` ${failure}]`;
}

export interface CommandOutcome {
  /** Without terminal control sequences; `undefined`: binary. */
  readonly output: string | undefined;
  /** The end of a sentence; absent: it succeeded. */
  readonly failure: string | undefined;
}

/** Runs an allowed command. Rejects with the signal's reason on abort. */
export async function executeShellCommand(
  command: string,
  cwd: string,
  work: Pick<TemplateServices, 'signal' | 'processes' | 'limits' | 'clock' | 'plainText'>,
): Promise<CommandOutcome> {
  work.signal.throwIfAborted();
  const process = work.processes.start({ command, cwd, env: unattendedEnv });
  const { outputLength, inactivityTimeout } = work.limits();
  const head = Math.floor(outputLength / 5);
  const output = new HeadAndTail({ head, tail: Math.max(1, outputLength - head) }, leftOut);
  const silence = new InactivityTimer(work.clock, inactivityTimeout);
  const listening = process.onDidWrite(text => {
    silence.reset();
    output.append(text);
  });
  try {
    const exit = await waitForExitOrStop(process, silence, work.signal);
    const failure = describeEnd(exit, silence.isOver ? silence.seconds : undefined);
    const raw = readableOutput(output.text);
    return { output: raw === undefined ? undefined : work.plainText(raw), failure };
  } finally {
    silence.end();
    listening.dispose();
  }
}

function leftOut(count: number): string {
  return `\n… ${count} characters left out …\n`;
}

function describeOutput(text: string | undefined): string {
  if (text === undefined) return '(binary output, left out)';
  return text.trim() === '' ? '(no output)' : wrapUntrusted('untrusted_output', text);
}

function describeEnd({ code, signal, failure }: ProcessExit, silent: number | undefined): string | undefined {
  if (failure !== undefined) return `could not start: ${oneLine(failure, 200)}`;
  if (silent !== undefined) return `was stopped: it printed nothing for ${countOf(silent, 'second')}`;
  if (signal !== null) return `was ended by the signal ${signal}`;
  return code === 0 || code === null ? undefined : `ended with exit code ${code}`;
}
