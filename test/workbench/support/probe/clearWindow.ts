/* What a test leaves in its window is taken away before the next one begins. */

import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { withdrawTests } from './failingTest.ts';
import { findNothing } from './lateProblems.ts';

const commandLimit = 60_000;

/** Names the command that never ends: a window that is not cleared fails a test that has nothing to do with it. */
async function run(command: string, ...args: readonly unknown[]): Promise<unknown> {
  const late = new AbortController();
  const limit = sleep(commandLimit, undefined, { signal: late.signal }).then(() => {
    throw new Error(`${command} did not end.`);
  });
  limit.catch(() => undefined);
  return await Promise.race([vscode.commands.executeCommand(command, ...args), limit]).finally(() =>
    late.abort(),
  );
}

/**
 * Closes all that is open, stops Folio and deletes its sessions as a user would, so that it rests without one.
 * @param sessions the folder in which Folio keeps the sessions of this workspace
 */
export async function clearWindow(sessions: string): Promise<void> {
  await run('workbench.action.closeQuickOpen');
  await leaveSession();
  await closeEditors();
  await vscode.debug.stopDebugging();
  withdrawTests();
  findNothing();
  for (const terminal of vscode.window.terminals) terminal.dispose();
  for (const command of ['workbench.action.closePanel', 'workbench.action.closeAuxiliaryBar'])
    await run(command);
  // Folio's page is thrown away while another view is shown.
  await run('workbench.view.explorer');
  // Each offers to be undone and ends with that offer, so nothing waits for the commands.
  const deleted = (await listSessions(sessions)).map(id => run('folio.deleteSession', id));
  let isDone = false;
  const done = Promise.all(deleted).finally(() => {
    isDone = true;
  });
  do {
    await run('notifications.clearAll');
    await sleep(20);
  } while (!isDone);
  await done;
}

/** Also one in which nothing was asked yet: it may have a model or a mode of its own. */
async function leaveSession(): Promise<void> {
  if (!vscode.extensions.getExtension('folio.folio')?.isActive) return;
  await run('folio.stop');
  await run('folio.newSession');
}

async function closeEditors(): Promise<void> {
  // Of an untitled document that was edited once, extensions do not learn that it is dirty.
  const unsaved = vscode.workspace.textDocuments.filter(({ isDirty, isUntitled }) => isDirty || isUntitled);
  for (const document of unsaved) {
    await vscode.window.showTextDocument(document);
    await run('workbench.action.revertAndCloseActiveEditor');
  }
  await run('workbench.action.closeAllEditors');
}

async function listSessions(folder: string): Promise<readonly string[]> {
  // Nothing was stored as long as there is no folder.
  const names = await readdir(folder).catch(() => []);
  return names.filter(name => !name.startsWith('.'));
}
