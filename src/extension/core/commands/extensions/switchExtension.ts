import type { SwitchScope } from '../../../platform/customizations/extensionFolders.ts';
import { type CommandSurface, type Refusal, refuse } from '../commands.ts';
import type { Words } from './parseWords.ts';
import { notInstalled } from './updateExtensions.ts';

export async function switchExtension(
  surface: CommandSurface,
  name: string,
  to: 'on' | 'off',
  { inWorkspace }: Words,
): Promise<Refusal | undefined> {
  const { folders, additions } = await surface.extensions();
  const installed = await folders.list();
  if (!installed.some(each => each.name === name)) return refuse(notInstalled(name));
  const [folder] = surface.place().folders;
  if (inWorkspace && folder === undefined)
    return refuse('No folder is open that it could be switched in. Leave --workspace out.');
  const scope: SwitchScope =
    inWorkspace && folder !== undefined ? { kind: 'folder', path: folder } : { kind: 'everywhere' };
  await folders.switch(name, to, scope);
  if (to === 'on' && additions.switchedOff.includes(name)) await additions.switch([name], 'on');
  await additions.refresh();
  const where = inWorkspace ? 'in this workspace' : 'everywhere';
  const entry = additions.all.list.find(({ item }) => item.kind === 'extension' && item.name === name);
  if (to === 'on' && entry?.state === 'disabled')
    return refuse(
      `The extension ${name} still does not count: the setting folio.disabled names it. Take it out of ~/.gemini/settings.json.`,
    );
  surface.answer(`The extension ${name} is switched ${to} ${where}.`);
  return undefined;
}
