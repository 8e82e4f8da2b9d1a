/* A prompt of a run without a window: sent, or carried out when it is a command. */

import type { Attachment } from '../../protocol/intentions.ts';
import type { AnswerPrompt } from './commandSurface.ts';
import type { HeadlessAgent } from './headlessAgent.ts';

/**
 * Decides how a prompt is answered. Throws `PromptError`, before there is a session, when it looks like a command and
 * is none. Commands are loaded for what may be one.
 */
export async function readPrompt(
  text: string,
  made: HeadlessAgent,
  attachments: readonly Attachment[] = [],
): Promise<AnswerPrompt> {
  const send: AnswerPrompt = session => session.send(text, attachments);
  if (!text.trimStart().startsWith('/')) return send;
  const { readCommand, readTable } = await import('./answerCommand.ts');
  return readCommand(text, await readTable(made)) ?? send;
}
