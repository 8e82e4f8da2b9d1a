/* Quick picks for the model, the fallback model and the effort. Loaded on first use. */

import { commands, type QuickPick, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { effectiveModel, findAutoRoute } from '../../../../protocol/routes.ts';
import { autoModel } from '../../../../protocol/routing.ts';
import { effortRows } from '../../../../protocol/words/effortWords.ts';
import { describeModel } from '../../../../protocol/words/modelWords.ts';
import { DisposableStore } from '../../../base/disposable.ts';
import { type ProviderName, type WritableSettings, withEffort } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { ModelConnection } from '../../modelConnection.ts';
import {
  type ModelListStatus,
  type ModelPickerState,
  type ModelRow,
  type ModelRowChoice,
  rowsOfModels,
} from './modelRows.ts';

/**
 * Shows known models at once; the provider's list follows.
 * @param read returns what is known now
 * @param listModels queries the provider; returns a sentence if that failed, and never rejects
 * @returns `undefined` if the user left without a choice
 */
async function pickModel(
  read: () => Omit<ModelPickerState, 'listing' | 'typed'>,
  listModels: (signal: AbortSignal) => Promise<string | undefined>,
): Promise<Exclude<ModelRowChoice, { kind: 'refresh' }> | undefined> {
  const store = new DisposableStore();
  const abort = new AbortController();
  const picker = store.add(window.createQuickPick<Item>());
  picker.title = t('Select model');
  picker.placeholder = t('Name of a model, or any id');
  picker.matchOnDescription = true;
  let listing: ModelListStatus = { status: 'running' };
  const show = () => showRows(picker, rowsOfModels({ ...read(), listing, typed: picker.value }));
  const list = async () => {
    listing = { status: 'running' };
    picker.busy = true;
    show();
    const message = await listModels(abort.signal);
    if (abort.signal.aborted) return;
    listing = message === undefined ? { status: 'done' } : { status: 'failed', message };
    picker.busy = false;
    show();
  };
  try {
    return await new Promise(resolve => {
      store.add(picker.onDidChangeValue(show));
      store.add(picker.onDidHide(() => resolve(undefined)));
      store.add(
        picker.onDidAccept(() => {
          const choice = standsOn(picker)?.choice;
          if (choice?.kind === 'refresh') void list();
          else if (choice) resolve(choice);
        }),
      );
      void list();
      const { current } = read();
      picker.activeItems = picker.items.filter(({ id }) => id === `model ${current}`);
      picker.show();
    });
  } finally {
    abort.abort();
    store.dispose();
  }
}

interface Item extends QuickPickItem {
  readonly id: string;
  readonly choice?: ModelRowChoice;
}

/** Keeps the active row. If the typed text hides it, activates the first match, so that Enter always has a row. */
function showRows(picker: QuickPick<Item>, rows: readonly ModelRow[]): void {
  const active = picker.activeItems[0]?.id;
  picker.items = rows.map(asItem);
  const found =
    picker.value.trim() === '' ? picker.items.find(({ id }) => id === active) : firstTyped(picker);
  if (found) picker.activeItems = [found];
}

/** VS Code loses the active row when items are replaced. Then uses the same row as the list shows. */
function standsOn(picker: QuickPick<Item>): Item | undefined {
  const typed = () => (picker.value.trim() === '' ? undefined : firstTyped(picker));
  return picker.selectedItems[0] ?? picker.activeItems[0] ?? typed();
}

function firstTyped({ items, value }: QuickPick<Item>): Item | undefined {
  const typed = value.trim().toLowerCase();
  return items.find(
    ({ choice, label, description = '' }) =>
      choice !== undefined && `${label}\n${description}`.toLowerCase().includes(typed),
  );
}

function asItem(row: ModelRow): Item {
  if (row.kind === 'separator') return { label: row.label, id: '', kind: QuickPickItemKind.Separator };
  const { id, label, description, detail, always = false, choice } = row;
  return {
    id,
    label,
    alwaysShow: always,
    choice,
    description: description || undefined,
    detail: detail || undefined,
  };
}

export async function selectModel(
  session: ActiveSession,
  connection: ModelConnection,
  settings: WritableSettings,
): Promise<void> {
  const read = () => ({
    current: session.state.model,
    models: connection.models,
    provider: nameOf(connection),
    routed: findAutoRoute(session.state)?.model,
    fallback: settings.get('fallbackModel'),
  });
  const choice = await pickModel(read, async signal => {
    await connection.refreshModels(signal);
    return connection.listProblem;
  });
  if (choice?.kind === 'model') await session.setModel(choice.model);
  if (choice?.kind === 'fallback') await commands.executeCommand('folio.selectFallback');
  if (choice?.kind === 'provider') await commands.executeCommand('folio.connect');
}

function nameOf({ kind, name }: ModelConnection): string {
  return kind === 'rehearsal' ? t('Rehearsal') : providerLabels()[name];
}

interface FallbackItem extends QuickPickItem {
  /** Includes the provider, so that it stays the same model under another chosen provider; absent for a heading. */
  readonly name?: string;
}

/**
 * Picks the model to use when the chosen one is busy or over quota, from any usable provider. Saved in the user's
 * settings; applies from the next failure on.
 */
export async function selectFallback(
  connection: Pick<ModelConnection, 'offerAll'>,
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

/** Afterwards a provider offers only its known models. */
const maxWaitMs = 5000;

function itemsOf(
  offers: Awaited<ReturnType<ModelConnection['offerAll']>>,
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

/** Saves the choice for the model in the user's settings. Applies from the next request on. */
export async function selectEffort(
  { state }: Pick<ActiveSession, 'state'>,
  { models }: Pick<ModelConnection, 'models'>,
  settings: WritableSettings,
): Promise<void> {
  const id = effectiveModel(state) ?? autoModel;
  const { label = id, efforts = [] } = models.find(model => model.id === id) ?? {};
  if (efforts.length === 0) {
    const what =
      id === autoModel ? t('Auto has not chosen a model yet.') : t('{0} offers no choice of effort.', label);
    void window.showInformationMessage(`${what} ${t('Choose another model with "Folio: Select Model".')}`);
    return;
  }
  const rows = effortRows(efforts, id, settings.get('effort'));
  const picked = await window.showQuickPick(rows, { title: t('Effort of {0}', label) });
  if (picked) await settings.change('effort', before => withEffort(before, id, picked.effort));
}

/** Names as in the setting. */
const providerLabels = (): Readonly<Record<ProviderName, string>> => ({
  gemini: 'Gemini',
  anthropic: 'Anthropic',
  'openai-responses': 'OpenAI',
  openai: 'OpenAI-compatible',
  vertex: 'Vertex AI',
  bedrock: 'Amazon Bedrock',
  vscode: t("VS Code's models"),
});
