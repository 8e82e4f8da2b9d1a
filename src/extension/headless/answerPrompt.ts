/* Sends a prompt, or runs it if it is a command, in a headless run. */

import type { Attachment } from '../../protocol/intentions.ts';
import type { AnswerPrompt } from './commandContext.ts';
import type { HeadlessAgent } from './headlessAgent.ts';

/**
 * Decides how a prompt is answered. Throws `RunRefusal` before the session starts, if it looks like a command but is
 * none. Loads the commands only for a possible command.
 */
export async function resolvePrompt(
  text: string,
  made: HeadlessAgent,
  attachments: readonly Attachment[] = [],
): Promise<AnswerPrompt> {
  const send: AnswerPrompt = session => session.send(text, attachments);
  if (!text.trimStart().startsWith('/')) return send;
  const { resolveCommand, loadCommands } = await import('./answerCommand.ts');
  return resolveCommand(text, await loadCommands(made)) ?? send;
}
