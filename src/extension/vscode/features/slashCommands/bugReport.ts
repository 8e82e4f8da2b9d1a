import { homedir } from 'node:os';
import {
  type Extension,
  env,
  Position,
  type TextDocument,
  ViewColumn,
  version,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { plural, t } from '../../../../protocol/language.ts';
import { describeSystem } from '../../../base/describeSystem.ts';
import { isRecord } from '../../../base/record.ts';
import type { AboutFacts } from '../../../core/commands/commands.ts';
import { formatBugReport } from '../../../core/commands/texts/formatBugReport.ts';
import { fenceBlock } from '../../../core/export/markdownText.ts';
import type { RecentTraffic } from '../../../core/traffic/recentTraffic.ts';
import type { Settings } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { ModelConnection } from '../../modelConnection.ts';
import type { WindowTrust } from '../../windowTrust.ts';

/** Parts of the window that a report describes. */
export interface BugReportSources {
  readonly session: Pick<ActiveSession, 'state'>;
  readonly connection: Pick<ModelConnection, 'kind' | 'name' | 'traffic'>;
  /** VS Code's entry for Folio. */
  readonly extension: Pick<Extension<unknown>, 'packageJSON'>;
  readonly trust: Pick<WindowTrust, 'isTrusted'>;
  readonly settings: Pick<Settings, 'managedNames'>;
}

/** Opens the facts as a text that the user edits and sends themselves. Nothing leaves the window. */
export async function openBugReport(reported: BugReportSources, title = ''): Promise<void> {
  const { session, connection, extension } = reported;
  const content = formatBugReport({
    title,
    ...collectBugReportFacts(reported),
    settings: changedSettings(extension.packageJSON),
    state: session.state,
    home: homedir(),
  });
  const report = await workspace.openTextDocument({ language: 'markdown', content });
  await window.showTextDocument(report);
  await offerTraffic(report, connection.traffic);
}

/** Returns facts about Folio and its environment. */
export function collectBugReportFacts({
  session,
  connection,
  extension,
  trust,
  settings,
}: BugReportSources): AboutFacts {
  const manifest: unknown = extension.packageJSON;
  return {
    version: isRecord(manifest) && typeof manifest.version === 'string' ? manifest.version : 'unknown',
    host: `${env.appName} ${version}${remoteKind(env.remoteName)}`,
    system: describeSystem(),
    provider: connection.kind === 'rehearsal' ? 'rehearsal' : connection.name,
    model: session.state.model,
    trusted: trust.isTrusted,
    managed: settings.managedNames ?? [],
  };
}

/** Adds the newest requests to the report once the user has reviewed them, without the parts that they removed. */
async function offerTraffic(report: TextDocument, { exchanges }: RecentTraffic): Promise<void> {
  if (exchanges.length === 0) return;
  const offer = plural(
    exchanges.length,
    'one: The newest {0} request to the model can help to find the error. You see it before it is added. | other: The newest {0} requests to the model can help to find the error. You see them before they are added.',
  );
  if ((await window.showInformationMessage(offer, t('Show them'))) === undefined) return;
  const { formatExchanges } = await import('../../../core/traffic/trafficWriter.ts');
  // Filled after it is shown: VS Code opens a document with unsaved text on its own before a slow window shows it
  // beside.
  const shown = await workspace.openTextDocument({ language: 'json' });
  const editor = await window.showTextDocument(shown, { viewColumn: ViewColumn.Beside });
  const requests = `${formatExchanges(exchanges).join('\n')}\n`;
  if (!(await editor.edit(edit => edit.insert(new Position(0, 0), requests)))) return;
  const question = t('Add this text to the report? First remove anything private.');
  if ((await window.showInformationMessage(question, t('Add'))) === undefined) return;
  const edit = new WorkspaceEdit();
  const text = shown.getText();
  edit.insert(
    report.uri,
    report.lineAt(report.lineCount - 1).range.end,
    `\n## Requests and answers\n\n${fenceBlock(text, 'json')}\n`,
  );
  if (!(await workspace.applyEdit(edit)))
    void window.showWarningMessage(
      t('The report is closed. Write it again with /bug, or copy the requests by hand.'),
    );
}

/** `ssh-remote` is a kind. Anything else may be an address. */
function remoteKind(name: string | undefined): string {
  if (!name) return '';
  return /^[a-z-]+$/.test(name) ? `, remote: ${name}` : ', remote';
}

/** Returns settings that differ from their defaults, in any scope. */
function changedSettings(manifest: unknown): Readonly<Record<string, unknown>> {
  const changed: Record<string, unknown> = {};
  for (const name of settingNames(manifest)) {
    const inspected = workspace.getConfiguration().inspect(name);
    const value = inspected?.workspaceFolderValue ?? inspected?.workspaceValue ?? inspected?.globalValue;
    if (value !== undefined && JSON.stringify(value) !== JSON.stringify(inspected?.defaultValue))
      changed[name] = value;
  }
  return changed;
}

function settingNames(manifest: unknown): readonly string[] {
  const contributes = isRecord(manifest) ? manifest.contributes : undefined;
  const configuration = isRecord(contributes) ? contributes.configuration : undefined;
  const sections: readonly unknown[] = Array.isArray(configuration) ? configuration : [configuration];
  return sections.flatMap(section =>
    isRecord(section) && isRecord(section.properties) ? Object.keys(section.properties) : [],
  );
}
