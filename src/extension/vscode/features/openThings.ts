import { isAbsolute, resolve } from 'node:path';
import { commands, env, FileSystemError, Range, Uri, ViewColumn, window, workspace } from 'vscode';
import { t } from '../../../protocol/language.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { findLinkTarget, type LinkTarget } from '../../../protocol/words/linkTarget.ts';
import { folderContains } from '../../core/folderPaths.ts';
import type { SessionBrowsers } from '../../platform/browser/browser.ts';
import { findItem } from '../findCall.ts';
import type { PanelFeed } from '../panel/panelFeed.ts';
import { workspaceFolders } from '../workspaceFolders.ts';

/**
 * Opens a file named by the panel. A model may write any path, so only workspace files are opened.
 * @param named absolute paths outside of the workspace that the host itself sent to the panel
 */
export async function openFile(
  path: string,
  line: number | undefined,
  named: ReadonlySet<string>,
): Promise<void> {
  const file = named.has(path) ? path : findInWorkspace(path);
  if (file === undefined) {
    void window.showInformationMessage(t('{0} is not in the open folder.', path));
    return;
  }
  const uri = Uri.file(file);
  try {
    await workspace.fs.stat(uri);
  } catch {
    void window.showInformationMessage(t('{0} does not exist.', path));
    return;
  }
  const start = Math.max(0, (line ?? 1) - 1);
  const selection = line === undefined ? undefined : new Range(start, 0, start, 0);
  await commands.executeCommand('vscode.open', uri, { selection, preview: true });
}

/** Sends a picture as an address that the page may show; without address if it does not exist. */
export async function sendPicture(
  feed: PanelFeed,
  callId: string,
  state: SessionState,
  pages: SessionBrowsers,
): Promise<void> {
  const path = picturePathIn(state, callId);
  const bytes = path === undefined ? undefined : await readBytes(Uri.file(path));
  const address = bytes && `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`;
  const isOpen = pages.get(state.sessionId)?.address !== undefined;
  feed.deliver({ type: 'picture.told', callId, address, isOpen });
}

/** Opens it beside the code and keeps the focus there, so that the next one opens in the same place. */
export async function openPicture(state: SessionState, callId: string): Promise<void> {
  const path = picturePathIn(state, callId);
  const uri = path === undefined ? undefined : Uri.file(path);
  if (!uri || !(await readBytes(uri))) {
    void window.showInformationMessage(t('The picture is no longer there.'));
    return;
  }
  const isEmpty = window.tabGroups.activeTabGroup.tabs.length === 0;
  const viewColumn = isEmpty ? ViewColumn.Active : ViewColumn.Beside;
  await commands.executeCommand('vscode.open', uri, { viewColumn, preview: true, preserveFocus: true });
}

function picturePathIn(state: SessionState, callId: string): string | undefined {
  const item = findItem(state, callId);
  if (item?.type !== 'call' || item.status.kind !== 'ended') return undefined;
  return item.status.display.picture?.path;
}

async function readBytes(uri: Uri): Promise<Uint8Array | undefined> {
  try {
    return await workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}

/**
 * Opens only addresses for a browser or mail program, and shows them to the user first. VS Code's own dialog covers
 * untrusted web hosts, but no mail addresses, shows look-alike letters as they are, and truncates long queries. On a
 * host trusted by default, a query could exfiltrate data unseen.
 */
export async function openLink(url: string): Promise<void> {
  const target = findLinkTarget(url);
  if (!target) {
    void window.showInformationMessage(t('Only web and mail addresses are opened from here.'));
    return;
  }
  if (mustBeShown(target) && !(await isWanted(target))) return;
  await env.openExternal(Uri.parse(target.address, true));
}

/** Number of characters that VS Code's dialog shows in full. */
const shownWhole = 60;

function mustBeShown({ address, isMail, isDisguised }: LinkTarget): boolean {
  return isMail || isDisguised || (address.length > shownWhole && /[?#]/.test(address));
}

async function isWanted({ to, address, isMail }: LinkTarget): Promise<boolean> {
  const question = isMail ? t('Write a mail to {0}?', to) : t('Open a page of {0}?', to);
  const detail = t('The link leads to {0}', address);
  return (await window.showInformationMessage(question, { modal: true, detail }, t('Open'))) !== undefined;
}

function findInWorkspace(path: string): string | undefined {
  const folders = workspaceFolders();
  const [first] = folders;
  if (first === undefined) return undefined;
  const file = isAbsolute(path) ? path : resolveIn(folders, first, path);
  return folders.some(folder => folderContains(folder, file)) ? file : undefined;
}

/** With several folders, VS Code prefixes a path with its folder's name. */
function resolveIn(folders: readonly string[], first: string, path: string): string {
  const [name, ...rest] = path.split(/[\\/]/);
  const named = workspace.workspaceFolders?.find(folder => folders.length > 1 && folder.name === name);
  return named ? resolve(named.uri.fsPath, ...rest) : resolve(first, path);
}

export async function openKeybindings(): Promise<void> {
  await commands.executeCommand('workbench.action.openGlobalKeybindings', '@ext:folio.folio');
}

export async function openWalkthrough(): Promise<void> {
  await commands.executeCommand('workbench.action.openWalkthrough', 'folio.folio#start', false);
}

/** Filters by extension: a word would also find settings of others. */
export async function openSettings(): Promise<void> {
  await commands.executeCommand('workbench.action.openSettings', '@ext:folio.folio');
}
