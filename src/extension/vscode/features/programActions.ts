import { commands, env, Uri, window } from 'vscode';
import type { ProgramAction } from '../../../protocol/intentions.ts';
import { t } from '../../../protocol/language.ts';
import type { ActiveSession } from '../activeSession.ts';

/** Performs the user's action on a program that the shown session left running. Rejects if it cannot restart. */
export async function performProgramAction(
  { present }: ActiveSession,
  callId: string,
  action: ProgramAction,
): Promise<void> {
  const program = present?.state.programs?.find(({ id }) => id === callId);
  if (!present || !program) return;
  switch (action) {
    case 'open':
      return program.address === undefined ? undefined : openAddress(program.address);
    case 'showOutput':
      return showOutput(present.programs.outputFile(callId));
    case 'restart':
      return present.programs.restart(callId);
    case 'stop':
      return present.programs.stop(callId);
    case 'keep':
      return present.programs.keep(callId);
    case 'forget':
      return present.programs.forget(callId);
  }
}

/** Opens the file itself, which the editor updates as it grows. */
async function showOutput(path: string | undefined): Promise<void> {
  if (path !== undefined) await commands.executeCommand('vscode.open', Uri.file(path), { preview: true });
}

/** Opens in VS Code's own browser beside the code if available, else in the user's. */
async function openAddress(address: string): Promise<void> {
  const uri = await env.asExternalUri(Uri.parse(address, true));
  const known = await commands.getCommands(true);
  if (known.includes('simpleBrowser.show'))
    await commands.executeCommand('simpleBrowser.show', uri.toString(true));
  else if (!(await env.openExternal(uri)))
    void window.showInformationMessage(t('{0} could not be opened.', address));
}
