/* Opens sessions from elsewhere: a file, an address, another agent. */

import { ProgressLocation, type QuickPickItem, Uri, window, workspace } from 'vscode';
import { languageTag, plural, t } from '../../../../protocol/language.ts';
import { formatBytes, sanitiseLine } from '../../../base/text.ts';
import { CommandError } from '../../../core/commandError.ts';
import { toImportedSession } from '../../../core/imports/agentEvents.ts';
import { type ImportedSession, importLimit } from '../../../core/imports/importedSession.ts';
import type { LocatedChange } from '../../../core/imports/locatedChanges.ts';
import type { FoundSession, OtherAgentSessions } from '../../../core/imports/otherAgentSessions.ts';
import { parseSessionFile } from '../../../core/imports/sessionFile.ts';
import type { SessionImporter } from '../../../core/imports/sessionImporter.ts';
import type { SessionManager } from '../../../core/session/sessionManager.ts';
import type { Http } from '../../../platform/http/http.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';

interface ImportPorts {
  readonly session: ActiveSession;
  readonly panel: Pick<PanelView, 'focus'>;
  readonly agent: () => Promise<SessionManager>;
  readonly http: Http;
  readonly otherAgents: OtherAgentSessions;
  readonly now: () => number;
  readonly trust: { readonly isTrusted: boolean };
}

/** Files that a question lists, followed by the total number. */
const maxNames = 40;
const fetchTimeoutMs = 60_000;

export class SessionImportDialogs {
  private readonly ports: ImportPorts;

  constructor(ports: ImportPorts) {
    this.ports = ports;
  }

  /** Asks where the session is, reads it, and shows it. */
  async openFromPlace(): Promise<void> {
    const places: readonly (QuickPickItem & { readonly read: () => Promise<ImportedSession | undefined> })[] =
      [
        { label: t('From a File…'), read: () => this.readFile() },
        { label: t('From an Address…'), read: () => this.readAddress() },
      ];
    const picked = await window.showQuickPick(places, { title: t('Open Session') });
    const imported = await picked?.read();
    if (imported) await this.open(imported);
  }

  /** Lists sessions of other agents, of this workspace first. */
  async openOfAgent(): Promise<void> {
    const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    const picked = await this.pickOfAgent(folders.length > 0 ? folders : 'all');
    if (!picked) return;
    if (picked.problem !== undefined) throw new CommandError(t('Cannot be read: {0}', picked.problem));
    const transcript = await this.ports.otherAgents.read(picked);
    if (transcript.turns.length === 0)
      throw new CommandError(t('This session has no prompts, or its format is unknown.'));
    await this.open(toImportedSession(picked, transcript));
  }

  private async pickOfAgent(folders: readonly string[] | 'all'): Promise<FoundSession | undefined> {
    const title = t('Open Session of Another Agent');
    const location = ProgressLocation.Window;
    const found = await window.withProgress(
      { location, title: t('Looking for sessions of other agents…') },
      () => this.ports.otherAgents.find(folders),
    );
    const all = t('All Folders…');
    if (found.length === 0) {
      if (folders === 'all') {
        void window.showInformationMessage(t('No session of another agent was found on this machine.'));
        return undefined;
      }
      const none = t('No session of another agent was found for this workspace.');
      return (await window.showInformationMessage(none, all)) === all ? this.pickOfAgent('all') : undefined;
    }
    const items: (QuickPickItem & { readonly session?: FoundSession })[] = found.map(session => ({
      label: sanitiseLine(session.title, 80),
      description: describe(session, this.ports.now()),
      session,
    }));
    if (folders !== 'all') items.push({ label: all });
    const picked = await window.showQuickPick(items, { title, matchOnDescription: true });
    return picked && !picked.session ? this.pickOfAgent('all') : picked?.session;
  }

  /** Creates a session in this workspace, and shows it. */
  private async open(imported: ImportedSession): Promise<void> {
    const { session, panel, agent } = this.ports;
    const importer = await (await agent()).importer();
    const found = await importer.findChanges(imported.changes);
    const changes = (await this.confirmWriting(found)) ? await importer.applyChanges(found) : found;
    await session.switchTo(await importer.bring(imported, changes));
    await panel.focus();
  }

  private async readFile(): Promise<ImportedSession | undefined> {
    const [uri] = (await window.showOpenDialog({ title: t('Open Session'), canSelectMany: false })) ?? [];
    if (!uri) return undefined;
    const { size } = await workspace.fs.stat(uri);
    if (size > importLimit) throw tooLarge();
    return parseSessionFile(new TextDecoder().decode(await workspace.fs.readFile(uri)), uri.fsPath);
  }

  private async readAddress(): Promise<ImportedSession | undefined> {
    const typed = await window.showInputBox({
      title: t('Open Session'),
      prompt: t('The https address of a session file'),
      placeHolder: 'https://',
      ignoreFocusOut: true,
      validateInput: text => (isAddress(text) ? undefined : t('Type an address that begins with https://.')),
    });
    if (typed === undefined || !isAddress(typed)) return undefined;
    const url = Uri.parse(typed.trim(), true).toString(true);
    const importer = await (await this.ports.agent()).importer();
    if (!(await confirmFetch(importer, url))) return undefined;
    const request = { url, timeoutMs: fetchTimeoutMs, maxBytes: importLimit };
    const { status, body } = await this.ports.http.get(request, AbortSignal.timeout(fetchTimeoutMs));
    if (status !== 200) throw new CommandError(t('The server answered with status {0}.', status));
    return parseSessionFile(new TextDecoder().decode(body), url);
  }

  /** Asks whether to apply the session's changes to files that are unchanged since. */
  private async confirmWriting(changes: readonly LocatedChange[]): Promise<boolean> {
    const open = changes.filter(({ status }) => status === 'applicable');
    if (open.length === 0 || !this.ports.trust.isTrusted) return false;
    const names = open.slice(0, maxNames).map(({ change }) => sanitiseLine(change.name, 120));
    const detail = [
      ...(open.length > names.length ? [...names, '…'] : names),
      '',
      t('You can accept or reject each change afterwards.'),
    ].join('\n');
    const write = t('Write Changes');
    const onlyOpen = t('Only Open Session');
    const question = plural(
      open.length,
      'one: Write the change of this session to {0} file? | other: Write the changes of this session to {0} files?',
    );
    return (
      (await window.showInformationMessage(question, { modal: true, detail }, write, onlyOpen)) === write
    );
  }
}

/** The policy decides as for a call that reads from the web. If it asks, this asks the user. */
async function confirmFetch(importer: SessionImporter, url: string): Promise<boolean> {
  const verdict = await importer.classifyAddress(url);
  if (verdict.kind === 'allow') return true;
  if (verdict.kind === 'deny') throw new CommandError(verdict.reason());
  const action = t('Fetch');
  const detail = t('The conversation and tool calls are imported, but not permissions or settings.');
  const question = t('Fetch a session from {0}?', new URL(url).host);
  return (await window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}

/** `Codex · 2 days ago · 3 prompts` */
function describe({ agent, changedAt, prompts, isCut, problem }: FoundSession, now: number): string {
  const age = new Intl.RelativeTimeFormat(languageTag(), { numeric: 'auto' });
  const hours = Math.max(0, (now - changedAt) / 3_600_000);
  const ago =
    hours < 24 ? age.format(-Math.floor(hours), 'hour') : age.format(-Math.floor(hours / 24), 'day');
  const count = isCut
    ? t('{0} or more prompts', prompts)
    : plural(prompts, 'one: {0} prompt | other: {0} prompts');
  const state = problem === undefined ? count : t('Cannot be read: {0}', sanitiseLine(problem, 80));
  return [agent, ago, state].join(' · ');
}

function isAddress(text: string): boolean {
  return URL.parse(text.trim())?.protocol === 'https:';
}

function tooLarge(): CommandError {
  return new CommandError(
    t('The file is larger than {0}, the most that can be opened.', formatBytes(importLimit)),
  );
}
