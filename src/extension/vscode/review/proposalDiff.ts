import { basename } from 'node:path';
import { commands, type Tab, type TextDocument, Uri, window, workspace } from 'vscode';
import type { SessionEvent } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import type { Decision } from '../../core/calls/approvals.ts';
import type { Session } from '../../core/session/session.ts';
import type { EditProposal } from '../../core/tool.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import { registerCommands } from '../features/commands.ts';
import { findCall } from '../findCall.ts';
import { allTabs, closeTabs } from '../tabs.ts';
import { type ProposalUris, proposalOf, proposalUris } from './proposalUris.ts';
import type { VirtualFiles } from './virtualFiles.ts';

interface OpenProposal extends ProposalUris {
  /** The session of the call, which may wait while another is shown. */
  readonly owner: Session;
  readonly callId: string;
  /** The ask that it was opened from, if any. */
  readonly askId: string | undefined;
  readonly proposal: EditProposal;
  /** True while it waits for a decision: its right side can be edited. */
  readonly pending: boolean;
}

/**
 * A call's proposal in the diff editor. While the call waits, the right side can be edited and the editor title has
 * Accept and Reject. Once decided, here or on the card, the tab closes; opened later, it is read-only. This also
 * applies to sessions in the background, so that a switch loses no edits.
 */
export class ProposalDiff extends DisposableOwner {
  private readonly session: ActiveSession;
  private readonly files: VirtualFiles;
  private readonly log: Log;
  /** By URI of the right side. */
  private readonly opened = new Map<string, OpenProposal>();

  constructor(session: ActiveSession, files: VirtualFiles, log: Log) {
    super();
    this.session = session;
    this.files = files;
    this.log = log;
    this.closeStale();
    this.store.add(session.opened.onEvent(({ session: owner, event }) => this.follow(owner, event)));
    // A subagent's proposal is decided within its work.
    this.store.add(session.opened.onAgentEvent(({ session: owner, event }) => this.follow(owner, event)));
    this.store.add(
      window.tabGroups.onDidChangeTabs(({ closed, opened }) => {
        this.forget(closed);
        // A slow window restores its tabs after the extension has started.
        if (opened.length > 0) this.closeStale();
      }),
    );
    this.store.add(
      registerCommands(log, {
        'folio.acceptProposal': (uri?: Uri) => this.accept(uri),
        'folio.rejectProposal': (uri?: Uri) => this.reject(uri),
      }),
    );
  }

  /** Opens and focuses the proposal at the user's request. */
  async open(callId: string): Promise<void> {
    const { present } = this.session;
    const proposal = present?.proposal(callId);
    if (!present || !proposal) {
      void window.showInformationMessage(
        t('The full text of this change is no longer stored. Open the file instead.'),
      );
      return;
    }
    const uris = proposalUris(present.id, callId, proposal.path);
    if (!this.opened.has(uris.after.toString()))
      this.prepare({ ...uris, owner: present, callId, proposal, ...askOf(present, callId) });
    // Opened explicitly as UTF-8, to ignore the user's encoding settings.
    for (const uri of [uris.before, uris.after]) await workspace.openTextDocument(uri, { encoding: 'utf8' });
    const name = basename(proposal.path);
    const isPending = askOf(present, callId).pending;
    const title = isPending ? t('{0} (proposed by Folio)', name) : t('{0} (changed by Folio)', name);
    await commands.executeCommand('vscode.diff', uris.before, uris.after, title, { preview: false });
  }

  private prepare(opened: OpenProposal): void {
    const { before, after } = opened.proposal;
    this.files.put(opened.before, before ?? '', 'locked');
    this.files.put(opened.after, after, opened.pending ? 'writable' : 'locked');
    this.opened.set(opened.after.toString(), opened);
    this.reportPending();
  }

  /** Returns how to accept the call: with the user's edits in the open diff, if any. */
  acceptance(owner: Session, callId: string, askId: string): Decision {
    const opened = [...this.opened.values()].find(
      each => each.owner === owner && each.callId === callId && each.askId === askId && each.pending,
    );
    return opened ? decisionOf(opened) : { kind: 'once', askId };
  }

  private async accept(uri: Uri | undefined): Promise<void> {
    const opened = this.find(uri);
    if (!opened) return;
    if (!opened.owner.decide(opened.callId, decisionOf(opened))) await this.settle(opened);
  }

  private async reject(uri: Uri | undefined): Promise<void> {
    const opened = this.find(uri);
    if (!opened) return;
    const { owner, callId, askId } = opened;
    if (!owner.decide(callId, { kind: 'deny', askId })) await this.settle(opened);
  }

  /** Uses the command's argument; from the palette, the active tab. */
  private find(uri: Uri | undefined): OpenProposal | undefined {
    const tab = window.tabGroups.activeTabGroup.activeTab;
    const wanted = uri instanceof Uri ? uri : tab && proposalOf(tab);
    const opened = wanted && this.opened.get(wanted.toString());
    return opened?.pending ? opened : undefined;
  }

  private follow(owner: Session, event: SessionEvent): void {
    if (event.type !== 'call.decided' && event.type !== 'call.ended') return;
    for (const opened of this.opened.values()) {
      const isMeant = opened.owner === owner && opened.callId === event.callId;
      if (isMeant && opened.pending) this.settleSoon(opened);
    }
  }

  private settleSoon(opened: OpenProposal): void {
    this.settle(opened).catch(error => this.log.error('A decided proposal could not be closed', error));
  }

  /** Closes the tab without a prompt to save: edits are first saved to memory, where they are no longer needed. */
  private async settle(opened: OpenProposal): Promise<void> {
    this.opened.set(opened.after.toString(), { ...opened, pending: false });
    this.reportPending();
    const document = findDocument(opened.after);
    if (document?.isDirty) await document.save();
    this.files.lock(opened.after);
    await closeTabs(tab => isProposal(tab, uri => uri === opened.after.toString()));
    this.drop(opened);
  }

  /** Closes tabs of an earlier extension host, whose texts no longer exist. */
  private closeStale(): void {
    closeTabs(tab => isProposal(tab, uri => !this.opened.has(uri))).catch(error =>
      this.log.error('A diff of an earlier run could not be closed', error),
    );
  }

  private forget(closed: readonly Tab[]): void {
    for (const tab of closed) {
      const uri = proposalOf(tab);
      const opened = uri && this.opened.get(uri.toString());
      if (opened && !isShown(opened.after)) this.drop(opened);
    }
  }

  /** Removes the texts, so that the proposal is read from the session when it is opened again. */
  private drop(opened: OpenProposal): void {
    this.opened.delete(opened.after.toString());
    this.files.remove(opened.before);
    this.files.remove(opened.after);
    this.reportPending();
  }

  /** A list instead of a flag, so that the buttons apply only to editors of these documents. */
  private reportPending(): void {
    const pending = [...this.opened.values()].filter(opened => opened.pending);
    const uris = pending.map(opened => opened.after.toString());
    void commands.executeCommand('setContext', 'folio.pendingProposals', uris);
  }
}

function askOf({ state }: Session, callId: string): Pick<OpenProposal, 'askId' | 'pending'> {
  const status = findCall(state, callId)?.status;
  return status?.kind === 'asking'
    ? { askId: status.ask.id, pending: true }
    : { askId: undefined, pending: false };
}

function decisionOf({ after, proposal, askId }: OpenProposal): Decision {
  const document = findDocument(after);
  const text = document?.getText();
  // VS Code normalizes line endings on opening: only a later version was edited.
  const isEdited = document && document.version > 1 && text !== proposal.after;
  return isEdited && text !== undefined ? { kind: 'edited', text, askId } : { kind: 'once', askId };
}

function findDocument(uri: Uri): TextDocument | undefined {
  return workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
}

function isShown(uri: Uri): boolean {
  return allTabs().some(tab => isProposal(tab, each => each === uri.toString()));
}

function isProposal(tab: Tab, matches: (uri: string) => boolean): boolean {
  const uri = proposalOf(tab);
  return uri !== undefined && matches(uri.toString());
}
