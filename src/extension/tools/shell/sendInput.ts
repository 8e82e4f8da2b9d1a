import * as z from 'zod';
import { inEnglish, type LocalizedMessage, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { oneLine } from '../../base/text.ts';
import { defineTool, type Tool, ToolFailure } from '../../core/tool.ts';
import type { CommandPorts } from './commandPorts.ts';
import { followCommand } from './foregroundCommand.ts';
import type { InteractiveCommand, InteractiveCommands } from './interactiveCommands.ts';

const input = lazySchema(() =>
  z.object({
    id: z.number().int().describe('Process id'),
    text: z.string().optional().describe('One line, Enter follows; absent: only reads on'),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

interface AnswerPlan {
  readonly command: InteractiveCommand;
  /** Folder of the shell that receives the text, as classified; `undefined` without a shell. */
  readonly shell: string | undefined;
}

/** Lets the model answer a waiting command, line by line. */
export function sendInputTool(ports: CommandPorts, open: InteractiveCommands): Tool<Input, AnswerPlan> {
  return defineTool({
    name: 'send_input',
    description:
      'Types a line into an interactive command that waits for input. Returns what it prints until it ends or waits again. Never for passwords: the user types those.',
    input,
    effect: 'run',
    isOffered: () => !open.isEmpty,
    title: ({ id, text }) =>
      text === undefined
        ? t('Read on from process {0}', id)
        : t('Answer process {0}: {1}', id, oneLine(text, 100)),
    prepare: async ({ id, text }) => {
      const command = findOpen(open, id);
      if (text !== undefined) await refuse(() => findFault(command, text));
      const line = oneLine(command.process.spec.command, 300);
      const detail =
        text === undefined ? `Read on from: ${line}` : `Type “${escapeInvisibleText(text)}” into: ${line}`;
      const shell = text === undefined || isSignal(text) ? undefined : await command.findShell();
      return {
        plan: { command, shell },
        subject: { kind: 'other', detail },
        target: text === undefined || shell === undefined ? undefined : { kind: 'typed', text, cwd: shell },
      };
    },
    run: async ({ text }, { command, shell }, call) => {
      if (text !== undefined) {
        await refuse(async () => (isSignal(text) ? undefined : findMove(shell, await command.findShell())));
        await refuse(() => command.answer(text));
      }
      const result = await followCommand(ports, open, command, call);
      return { ...result, text: ports.sandbox?.late.before(result.text) ?? result.text };
    },
  });
}

function findOpen(open: InteractiveCommands, id: number): InteractiveCommand {
  const command = open.find(id);
  if (command) return command;
  throw new ToolFailure(
    `No interactive command with the process id ${id} waits. It has ended, belongs to another session, or was never started: run it again with run_shell_command.`,
    () => t('No such command is waiting'),
  );
}

async function findFault(command: InteractiveCommand, text: string): Promise<LocalizedMessage | undefined> {
  // A second line might answer a password prompt.
  if (/[\r\n]/.test(text)) return () => t('Send only one line at a time.');
  // The key may end the program in front, and the rest would go unchecked to the next reader.
  if (text.length > 1 && endingKeys.test(text))
    return () => t('Send keys such as Ctrl+C and Ctrl+D without other text.');
  return command.findHindrance();
}

/** Ctrl+C, Ctrl+D, Ctrl+Z and Ctrl+\. */
const endingKeys = /[\x03\x04\x1a\x1c]/;

/** Ctrl+C and Ctrl+D mean the same to every program. */
function isSignal(text: string): boolean {
  return text === '\x03' || text === '\x04';
}

/** Returns why a line classified for another shell must not be typed now. */
function findMove(classified: string | undefined, now: string | undefined): LocalizedMessage | undefined {
  if (now === undefined || now === classified) return undefined;
  return () => t('Another program now reads the input. Call send_input again.');
}

async function refuse(findReason: () => Promise<LocalizedMessage | undefined>): Promise<void> {
  const reason = await findReason();
  if (reason !== undefined) throw new ToolFailure(`Nothing was typed. ${inEnglish(reason)}`, reason);
}
