/* Runs a command that a slash command needs, after the policy and the user allowed it. */

import { t } from '../../../../protocol/language.ts';
import { abortable } from '../../../base/abort.ts';
import { oneLine } from '../../../base/text.ts';
import { CommandError } from '../../commandError.ts';
import type { CommandDialogs } from '../commands.ts';
import { type CommandOutcome, executeShellCommand } from '../template/runTemplateCommands.ts';
import type { TemplateServices } from '../template/templateSources.ts';

interface UserCommand {
  readonly command: string;
  /** Name of the slash command. */
  readonly name: string;
  /** Asks the user whether to run it, and tells the consequence. */
  readonly sentence: string;
}

/** Throws a `CommandError` if it may not run. Always asks the user, even if the policy would not. */
export async function confirmAndRun(
  { command, name, sentence }: UserCommand,
  work: TemplateServices,
  user: Pick<CommandDialogs, 'confirm'>,
): Promise<CommandOutcome> {
  const folder = await work.folder();
  if (folder === undefined) throw new CommandError(t('No folder is open to run it in.'));
  const verdict = await work.classify(command, folder);
  if (verdict.kind === 'deny') throw refusal(command, verdict.reason());
  if (verdict.kind === 'ask') {
    const commands = [{ command, reason: verdict.reason() }];
    const question = { name, folder, commands, canLast: false, sentence };
    const answer = await abortable(work.ask(question), work.signal);
    if (answer === 'no') throw refusal(command, t('You did not allow it to run.'));
  } else {
    const answer = await user.confirm({ sentence, text: command, button: t('Run') });
    if (answer === 'no') throw refusal(command, t('You did not allow it to run.'));
  }
  return await executeShellCommand(command, folder, work);
}

function refusal(command: string, reason: string): CommandError {
  return new CommandError(t('`{0}` did not run. {1}', oneLine(command, 200), reason));
}
