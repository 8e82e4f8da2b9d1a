/* Dialogs of a rewind. Loaded on first use. */

import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { RewindScope, RewindTarget } from '../../../protocol/intentions.ts';
import { t } from '../../../protocol/language.ts';
import type { ActiveSession } from '../activeSession.ts';
import { notify } from '../features/report.ts';
import { rewindChoices, type ScopeChoice, scopeChoices, undoChoices } from './rewindChoices.ts';
import { type RewindParts, rewindTo, undoRewind } from './rewindTo.ts';

/** Asks for missing arguments. */
export async function rewind(parts: RewindParts, wanted: unknown, wantedScope: unknown): Promise<void> {
  const { session, panel } = parts;
  const state = await restored(session);
  const to = findPlace(state, wanted) ?? (await pickPlace(state));
  if (!to || !(await stopIfConfirmed(session))) return;
  const scope = scopes.find(each => each === wantedScope) ?? (await pickScope(session, to));
  if (!scope) return;
  await rewindTo(parts, to, scope);
  if (scope !== 'files') await panel.focus();
}

/** Undoes all changes of files since the newest prompt, like the link below its answer. */
export async function undoChanges(parts: RewindParts): Promise<void> {
  const newest = rewindChoices(await restored(parts.session)).find(({ kind }) => kind === 'turn');
  if (!newest) return notify(t('There is nothing to go back to yet.'));
  if (await stopIfConfirmed(parts.session)) await rewindTo(parts, newest.to, 'files');
}

/**
 * Lets the user pick a command, a server's call or a subagent, and undoes its changes of files, but no later ones. Stops
 * a running turn first, if the user agrees.
 */
export async function undoCallChanges(parts: RewindParts): Promise<void> {
  const { session } = parts;
  const choices = undoChoices(await restored(session));
  if (choices.length === 0)
    return notify(
      t(
        'No command and no agent of this session has changed a file. To undo edits, run Undo Changes of Last Prompt.',
      ),
    );
  const items = choices.map(({ label, to }) => ({ label: `$(terminal) ${label}`, to }));
  const placeHolder = t('The command or agent whose changes to undo. Later changes stay');
  const picked = await window.showQuickPick(items, { title: t('Folio: Undo Command'), placeHolder });
  if (!picked || !(await stopIfConfirmed(session))) return;
  await rewindTo(parts, picked.to, 'files');
}

export async function undoNewestRewind(parts: RewindParts): Promise<void> {
  if (!(await restored(parts.session)).rewound) return notify(t('There is no rewind to undo.'));
  if (await stopIfConfirmed(parts.session)) await undoRewind(parts);
}

const scopes: readonly RewindScope[] = ['files', 'conversation', 'both'];

function findPlace(state: ActiveSession['state'], wanted: unknown): RewindTarget | undefined {
  return rewindChoices(state).find(({ to }) => JSON.stringify(to) === JSON.stringify(wanted))?.to;
}

async function pickScope(session: ActiveSession, to: RewindTarget): Promise<RewindScope | undefined> {
  const files = (await session.present?.previewRewind(to)) ?? [];
  const choices: readonly (QuickPickItem & ScopeChoice)[] = scopeChoices(files);
  const title = t('Folio: Rewind');
  return (await window.showQuickPick(choices, { title, placeHolder: t('What to restore') }))?.scope;
}

/** Also restores the session from before a reload. */
async function restored(session: ActiveSession) {
  await session.restore();
  return session.state;
}

async function pickPlace(state: ActiveSession['state']): Promise<RewindTarget | undefined> {
  const choices = rewindChoices(state);
  if (choices.length === 0) {
    notify(t('There is nothing to go back to yet.'));
    return undefined;
  }
  const items = choices.flatMap(({ kind, label, to, at }, i) => {
    const group = kind === 'turn' ? t('Prompts') : t('Chapters');
    const icon = kind === 'turn' ? 'comment' : 'bookmark';
    return [
      ...(kind === choices[i - 1]?.kind ? [] : [{ label: group, kind: QuickPickItemKind.Separator, to }]),
      { label: `$(${icon}) ${label}`, description: timeOf(at), to },
    ];
  });
  const placeHolder = t('Go back to before a prompt or a chapter');
  const picked = await window.showQuickPick(items, {
    title: t('Folio: Rewind'),
    placeHolder,
    matchOnDescription: true,
  });
  return picked?.to;
}

function timeOf(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  return isToday ? time : `${date.toLocaleDateString()} ${time}`;
}

/** A rewind and a running turn would write the same files. */
async function stopIfConfirmed(session: ActiveSession): Promise<boolean> {
  if (!session.isBusy) return true;
  const stop = t('Stop and continue');
  const question = t('Folio is still working in this session.');
  const choice = await window.showWarningMessage(question, { modal: true }, stop);
  if (choice !== stop) return false;
  await session.present?.stop();
  return true;
}
