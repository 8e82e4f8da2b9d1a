import { commands, env } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { userCommandOf } from '../../../../protocol/words/userCommand.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { sanitiseLine } from '../../../base/text.ts';
import type { SessionBrowsers } from '../../../platform/browser/browser.ts';
import type { Log } from '../../../platform/log.ts';
import { type WritableSettings, withEffort } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { ConnectFlow } from '../../connect/connectFlow.ts';
import type { WindowEnvironment } from '../../environment.ts';
import type { ApprovalModeChanger } from '../../features/approvalModeChanger.ts';
import type { OutputOpener } from '../../features/documents/outputOpener.ts';
import type { PromptSender } from '../../features/entryPoints/promptSender.ts';
import { completeMilestone } from '../../features/milestones.ts';
import type { PermissionsController } from '../../features/permissionsController.ts';
import { reportFailure } from '../../features/report.ts';
import type { PanelDrafts } from '../../features/sessions/panelDrafts.ts';
import type { VscodeEditor } from '../../ports/vscodeEditor.ts';
import type { ProposalDiff } from '../../review/proposalDiff.ts';
import { sessionTitleLimit } from '../../sessionLibrary.ts';
import type { WindowTrust } from '../../windowTrust.ts';
import type { PanelView } from '../panelView.ts';
import { handleMessage, type PanelHandlers, type SomeHandlers } from './panelHandlers.ts';
import { isRestingAtEnd } from './stillAsked.ts';

/** Connects the panel: runs the handlers of its intentions. */
export function handlePanelMessages(panel: PanelView, handlers: PanelHandlers, log: Log): Disposable {
  return panel.onDidReceive(({ message, page }) => {
    handleMessage(handlers, message, page).catch(error =>
      reportFailure(log, t('Folio could not do that'), error),
    );
  });
}

export function followEnvironment(panel: PanelView, environment: WindowEnvironment): Disposable {
  return environment.onDidChange(() =>
    panel.notify(() => ({ type: 'environment.changed', environment: environment.current })),
  );
}

/**
 * @param prepare finds the ways to reach a model, so that the panel can say what is missing
 * @param drafts loaded with the first page
 */
export function pageHandlers(
  panel: PanelView,
  session: ActiveSession,
  environment: WindowEnvironment,
  pages: SessionBrowsers,
  prepare: () => Promise<void>,
  drafts: () => Promise<PanelDrafts>,
) {
  return {
    'panel.ready': async (_, page) =>
      (await import('./initializePage.ts')).initializePage(
        page,
        panel,
        session,
        environment,
        prepare,
        drafts,
      ),
    'panel.focused': ({ isFocused }, page) => panel.setFocused(page, isFocused),
    'picture.open': async ({ callId }, page) => (await openThings()).openPicture(panel.stateOf(page), callId),
    'panel.picture': async ({ callId }, page) =>
      (await openThings()).sendPicture(page.feed, callId, panel.stateOf(page), pages),
  } satisfies SomeHandlers;
}

/** @param drafts loaded with the first page */
export function draftHandlers(drafts: () => Promise<PanelDrafts>, door: Pick<PromptSender, 'getReady'>) {
  return {
    'panel.drafted': async (change, page) => {
      const kept = await drafts();
      kept.keep(change, page);
      if (change.text !== '') await door.getReady();
    },
  } satisfies SomeHandlers;
}

export function turnHandlers(session: ActiveSession, door: Pick<PromptSender, 'send' | 'run'>) {
  return {
    'prompt.send': ({ text, attachments, how }) => {
      const command = userCommandOf(text);
      return command === undefined ? door.send(text, attachments, how) : door.run(command, how);
    },
    'turn.stop': () => session.present?.stop(),
    'turn.retry': ({ endId }) => {
      const { present } = session;
      return present && isRestingAtEnd(present.state, endId) ? present.retry() : undefined;
    },
    'retry.now': () => session.present?.retryNow(),
  } satisfies SomeHandlers;
}

export function modelHandlers(session: ActiveSession, settings: WritableSettings) {
  return {
    'model.set': ({ model }) => session.setModel(model),
    'agent.set': ({ option, value }) => session.present?.setForAgent(option, value),
    'effort.set': ({ model, effort }) =>
      settings.change('effort', before => withEffort(before, model, effort)),
  } satisfies SomeHandlers;
}

export function callHandlers(session: ActiveSession, diff: ProposalDiff, modes: ApprovalModeChanger) {
  return {
    'call.decide': ({ sessionId, callId, askId, decision }) => {
      const owner = sessionId === undefined ? session.present : session.opened.find(sessionId);
      const isWhole = owner && decision.kind === 'once';
      owner?.decide(callId, isWhole ? diff.acceptance(owner, callId, askId) : { ...decision, askId });
    },
    'command.restart': ({ callId }) => void session.present?.restartCommand(callId),
    'mode.set': ({ mode }) => modes.change(mode),
    'diff.open': ({ callId }) => diff.open(callId),
  } satisfies SomeHandlers;
}

const worktreeHandlers = {
  'worktree.listChanges': () => commands.executeCommand('folio.showWorktreeChanges'),
  'worktree.bringHome': () => commands.executeCommand('folio.bringHome'),
  'worktree.update': () => commands.executeCommand('folio.updateWorktree'),
  'worktree.remove': () => commands.executeCommand('folio.removeWorktree'),
} satisfies SomeHandlers;

export function windowHandlers(
  outputs: OutputOpener,
  permissions: Pick<PermissionsController, 'files'>,
  trust: Pick<WindowTrust, 'manage'>,
  editor: Pick<VscodeEditor, 'omitSelection'>,
) {
  return {
    'changes.open': () => commands.executeCommand('folio.openChanges'),
    ...worktreeHandlers,
    'container.leave': () => commands.executeCommand('folio.leaveContainer'),
    'command.answer': ({ callId }) => commands.executeCommand('folio.answerCommand', callId),
    'output.open': ({ callId }) => outputs.open(callId),
    'selection.attach': () => commands.executeCommand('folio.addSelection'),
    'selection.omit': () => editor.omitSelection(),
    'file.open': async ({ path, line }) => (await openThings()).openFile(path, line, permissions.files),
    'link.open': async ({ url }) => (await openThings()).openLink(url),
    'text.copy': ({ text }) => env.clipboard.writeText(text),
    'model.select': () => commands.executeCommand('folio.selectModel'),
    'key.set': () => commands.executeCommand('folio.setApiKey'),
    'settings.open': async () => (await openThings()).openSettings(),
    'folder.open': () => commands.executeCommand('vscode.openFolder'),
    'trust.manage': () => trust.manage(),
  } satisfies SomeHandlers;
}

export function controlHandlers(session: ActiveSession, permissions: PermissionsController) {
  return {
    'queue.change': ({ prompt }) => session.present?.queue.change(prompt),
    'queue.remove': ({ id }) => session.present?.queue.remove(id),
    'queue.sendNow': ({ id }) => session.present?.sendQueuedNow(id),
    'permissions.list': (_, { feed }) => permissions.notify(feed),
    'permission.remove': ({ id }, { feed }) => permissions.remove(id, feed),
    'permission.add': () => permissions.begin(),
    'page.takeOver': () => commands.executeCommand('folio.browser.takeOver'),
    'page.giveBack': () => commands.executeCommand('folio.browser.giveBack'),
    'page.share': () => commands.executeCommand('folio.browser.shareTab'),
    'page.stopSharing': () => commands.executeCommand('folio.browser.stopSharing'),
    'program.act': async ({ callId, action }) =>
      (await import('../../features/programActions.ts')).performProgramAction(session, callId, action),
    'plan.open': () =>
      import('../../features/documents/planTab.ts').then(({ openPlan }) => openPlan(session)),
  } satisfies SomeHandlers;
}

export function chapterHandlers(session: ActiveSession) {
  return {
    'chapter.rename': ({ chapterId, title }) =>
      session.present?.renameChapter(chapterId, sanitiseLine(title, sessionTitleLimit)),
    'chapter.folded': () => completeMilestone('foldedChapter'),
    'chapter.copy': ({ chapterId }) => commands.executeCommand('folio.copyChapter', chapterId),
    'chapter.export': ({ chapterId }) => commands.executeCommand('folio.exportChapter', chapterId),
  } satisfies SomeHandlers;
}

export function connectHandlers(flow: () => Promise<ConnectFlow>) {
  return {
    'connect.open': async (_, { feed }) => {
      const ways = await flow();
      feed.notify({ type: 'connect.told', connecting: ways.connecting });
      await ways.scan();
    },
    'connect.start': async ({ way }) => (await flow()).start(way),
    'connect.choose': async ({ id }) => (await flow()).choose(id),
    'connect.act': async ({ action }) => (await flow()).act(action),
    'connect.stop': async () => (await flow()).stop(),
  } satisfies SomeHandlers;
}

export function contextHandlers(session: ActiveSession) {
  return {
    'context.compress': () => commands.executeCommand('folio.compressContext'),
    'context.describe': async (_, { feed }) => {
      const breakdown = await (await session.open()).breakdown();
      feed.notify({ type: 'context.described', breakdown });
    },
    'compression.apply': ({ compressionId }) => session.present?.compressions.apply(compressionId),
    'compression.edit': ({ compressionId }) => commands.executeCommand('folio.editSummary', compressionId),
    'compression.discard': ({ compressionId }) => session.present?.compressions.discard(compressionId),
    'compression.undo': ({ compressionId }) => session.present?.compressions.undo(compressionId),
    'pin.set': ({ id, pinned }) => session.present?.setPin(id, pinned),
    'request.show': () => commands.executeCommand('folio.showRequest'),
  } satisfies SomeHandlers;
}

/** Loads the code on first use. */
function openThings() {
  return import('../../features/openThings.ts');
}
