/* The model that continues when the chosen one is busy or has no quota left: of any provider that could be asked. */

import { type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { describeModel } from '../../../../protocol/words/modelWords.ts';
import type { WritableSettings } from '../../../platform/settings.ts';
import type { Connection } from '../../connection.ts';
import { providerLabels } from './providerLabels.ts';

interface FallbackItem extends QuickPickItem {
  /** With its provider, so that it stays the same model when another provider is chosen; absent: a heading. */
  readonly name?: string;
}

/** The choice is the user's own and counts from the next failure on. */
export async function selectFallback(
  connection: Pick<Connection, 'offerAll'>,
  settings: WritableSettings,
): Promise<void> {
  const current = settings.get('fallbackModel');
  const items = connection.offerAll(AbortSignal.timeout(maxWaitMs)).then(offers => itemsOf(offers, current));
  const picked = await window.showQuickPick(items, {
    title: t('Fallback model when yours is busy or out of quota'),
    placeHolder: t('A model of any provider that you have a key for'),
    matchOnDescription: true,
  });
  if (picked?.name !== undefined) await settings.save({ fallbackModel: picked.name });
}

/** A provider that takes longer offers the models that are known of it. */
const maxWaitMs = 5000;

function itemsOf(
  offers: Awaited<ReturnType<Connection['offerAll']>>,
  current: string,
): readonly FallbackItem[] {
  const nobody = {
    label: t('None'),
    name: '',
    detail: t('Folio asks what to do'),
    description: now('', current),
  };
  return [
    nobody,
    ...offers.flatMap(({ provider, models }) => [
      { label: providerLabels()[provider], kind: QuickPickItemKind.Separator },
      ...models.map(model => {
        const name = `${provider}:${model.id}`;
        return { label: model.label, name, description: now(name, current), detail: describeModel(model) };
      }),
    ]),
  ];
}

function now(name: string, current: string): string {
  return [...(name === current ? [t('now')] : []), ...(name === '' ? [] : [name])].join(' · ');
}
