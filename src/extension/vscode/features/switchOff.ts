import { ConfigurationTarget, workspace } from 'vscode';

/** For this workspace where one is open, so that another one still has it. @param names of things or extensions */
export async function setDisabled(names: readonly string[], disabled: boolean): Promise<void> {
  const settings = workspace.getConfiguration('folio');
  const before = settings.get<readonly string[]>('disabled') ?? [];
  const others = before.filter(each => !names.includes(each));
  const target = workspace.workspaceFolders ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await settings.update('disabled', disabled ? [...others, ...names] : others, target);
}
