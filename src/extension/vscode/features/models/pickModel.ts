/* VS Code's quick pick over the rows of `modelRows.ts`. Known models are there at once, the list follows. */

import { commands, type QuickPick, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { autoRouted } from '../../../../protocol/routes.ts';
import { DisposableStore } from '../../../base/disposable.ts';
import type { WritableSettings } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { Connection } from '../../connection.ts';
import { type Listing, type ModelOffer, type ModelRow, type RowChoice, rowsOfModels } from './modelRows.ts';
import { providerLabels } from './providerLabels.ts';

interface PickModelParts {
  /** The offer as far as it is known now. */
  readonly offer: () => Omit<ModelOffer, 'listing' | 'typed'>;
  /** Asks the provider; gives the sentence why that failed. Never rejects. */
  readonly list: (signal: AbortSignal) => Promise<string | undefined>;
}

/** `undefined`: left without a choice. */
async function pickModel(
  parts: PickModelParts,
): Promise<Exclude<RowChoice, { kind: 'refresh' }> | undefined> {
  const store = new DisposableStore();
  const abort = new AbortController();
  const picker = store.add(window.createQuickPick<Item>());
  picker.title = t('Select model');
  picker.placeholder = t('Name of a model, or any id');
  picker.matchOnDescription = true;
  let listing: Listing = { status: 'running' };
  const show = () => showRows(picker, rowsOfModels({ ...parts.offer(), listing, typed: picker.value }));
  const list = async () => {
    listing = { status: 'running' };
    picker.busy = true;
    show();
    const message = await parts.list(abort.signal);
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
      const { current } = parts.offer();
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
  readonly choice?: RowChoice;
}

/**
 * The row that the user stands on stays under them. Typed words may hide it: then they stand on the first row that
 * holds the words, so that Enter always has a row.
 */
function showRows(picker: QuickPick<Item>, rows: readonly ModelRow[]): void {
  const active = picker.activeItems[0]?.id;
  picker.items = rows.map(asItem);
  const found =
    picker.value.trim() === '' ? picker.items.find(({ id }) => id === active) : firstTyped(picker);
  if (found) picker.activeItems = [found];
}

/** VS Code loses the focus of a row that was just replaced; then the same row counts as the list shows it. */
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
  connection: Connection,
  settings: WritableSettings,
): Promise<void> {
  const choice = await pickModel({
    offer: () => {
      return {
        current: session.state.model,
        models: connection.models,
        provider: nameOf(connection),
        routed: autoRouted(session.state)?.model,
        fallback: settings.get('fallbackModel'),
      };
    },
    list: async signal => {
      await connection.refreshModels(signal);
      return connection.listProblem;
    },
  });
  if (choice?.kind === 'model') await session.setModel(choice.model);
  if (choice?.kind === 'fallback') await commands.executeCommand('folio.selectFallback');
  if (choice?.kind === 'provider') await commands.executeCommand('folio.connect');
}

function nameOf({ kind, name }: Connection): string {
  return kind === 'rehearsal' ? t('Rehearsal') : providerLabels()[name];
}
