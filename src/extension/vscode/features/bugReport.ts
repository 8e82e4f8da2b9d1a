import { homedir } from 'node:os';
import { env, version, window, workspace } from 'vscode';
import { isRecord } from '../../base/record.ts';
import { describeReport } from '../../core/commands/texts/describeReport.ts';
import type { PromptCommandParts } from './promptCommands.ts';

/** Opens the facts as a text that the person changes and sends by themselves; nothing leaves the window. */
export async function writeReport({
  session,
  connection,
  extension,
}: Pick<PromptCommandParts, 'session' | 'connection' | 'extension'>): Promise<void> {
  const manifest: unknown = extension.packageJSON;
  const content = describeReport({
    version: isRecord(manifest) && typeof manifest.version === 'string' ? manifest.version : 'unknown',
    host: `VS Code ${version}${remoteKind(env.remoteName)}`,
    system: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    provider: connection.kind === 'rehearsal' ? 'rehearsal' : connection.name,
    trusted: workspace.isTrusted,
    settings: changedSettings(manifest),
    state: session.state,
    home: homedir(),
  });
  await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
}

/** `ssh-remote` is a kind; anything else may be an address. */
function remoteKind(name: string | undefined): string {
  if (!name) return '';
  return /^[a-z-]+$/.test(name) ? `, remote: ${name}` : ', remote';
}

/** Those that are set anywhere and say something else than by default. */
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
