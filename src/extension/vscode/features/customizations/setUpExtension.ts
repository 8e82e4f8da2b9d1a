/* Asks for the settings of an extension. Loaded on first use. */

import { type QuickPickItem, window } from 'vscode';
import { plural, t } from '../../../../protocol/language.ts';
import { messageOf } from '../../../base/errors.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { oneLine } from '../../../base/text.ts';
import type { Extension, Extensions } from '../../../core/extensions/extensions.ts';
import type { ExtensionSetting } from '../../../core/extensions/manifest.ts';
import type { WindowCustomizations } from './windowCustomizations.ts';

/** @param wanted its name; for any other value the user chooses */
export async function setUpExtension(additions: WindowCustomizations, wanted: unknown): Promise<void> {
  const known = await additions.get();
  await known.refresh();
  const { extensions } = known;
  const asking = extensions.list.filter(({ manifest }) => manifest.settings.length > 0);
  const extension = asking.find(({ manifest }) => manifest.name === wanted) ?? (await pickExtension(asking));
  if (!extension) return;
  try {
    const kept = await extensions.findKept(extension.manifest);
    const intent = kept.length === 0 ? 'enter' : await pickIntent(kept.length);
    if (intent === 'forget') await extensions.forget(extension.manifest);
    else if (intent === 'enter') await enterAll(extensions, extension, kept);
  } catch (error) {
    void window.showWarningMessage(messageOf(error));
  } finally {
    // Its servers restart with the values entered so far.
    await extensions.refresh();
  }
}

async function pickExtension(found: readonly Extension[]): Promise<Extension | undefined> {
  if (found.length === 0) {
    void window.showInformationMessage(t('No active extension has settings.'));
    return undefined;
  }
  if (found.length === 1) return found[0];
  const rows = found.map(extension => ({
    label: plain(extension.manifest.name),
    description: extension.problem === undefined ? t('is set up') : t('needs something'),
    extension,
  }));
  const picked = await window.showQuickPick(rows, { title: t('Set up an extension') });
  return picked?.extension;
}

async function pickIntent(secrets: number): Promise<'enter' | 'forget' | undefined> {
  const rows: readonly (QuickPickItem & { readonly intent: 'enter' | 'forget' })[] = [
    { label: t('Enter its settings'), intent: 'enter' },
    {
      label: plural(secrets, 'one: Forget {0} secret kept for it | other: Forget {0} secrets kept for it'),
      intent: 'forget',
    },
  ];
  return (await window.showQuickPick(rows, { title: t('Set up an extension') }))?.intent;
}

/** Entered values are saved even if the user leaves in between. */
async function enterAll(extensions: Extensions, { manifest, env }: Extension, kept: readonly string[]) {
  for (const [index, setting] of manifest.settings.entries()) {
    const isKept = kept.includes(setting.envVar);
    const value = await window.showInputBox({
      title: t(
        '{0}: {1} ({2} of {3})',
        plain(manifest.name),
        plain(setting.name),
        index + 1,
        manifest.settings.length,
      ),
      prompt: promptOf(setting, isKept),
      password: setting.sensitive,
      ignoreFocusOut: true,
      // A stored secret is never shown again.
      value: setting.sensitive ? undefined : (env[setting.envVar] ?? ''),
    });
    if (value === undefined) return;
    await extensions.set(manifest, setting, value);
  }
}

function promptOf({ description, sensitive, envVar }: ExtensionSetting, isKept: boolean): string {
  const about = description === '' ? '' : `${plain(description).replace(/[.\s]*$/, '')}. `;
  const where = sensitive
    ? t('Its servers and hooks find it as {0}. It is kept in VS Code’s secret storage.', envVar)
    : t('Its servers and hooks find it as {0}. It is kept in the .env of the extension.', envVar);
  const empty = isKept ? ` ${t('Leave it empty to keep the current value.')}` : '';
  return `${about}${where}${empty}`;
}

function plain(text: string): string {
  return escapeInvisibleText(oneLine(text, 300));
}
