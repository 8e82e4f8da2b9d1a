/* Rows of the model picker. Pure: the picker shows them and queries the provider. */

import { t } from '../../../../protocol/language.ts';
import type { ModelChoice } from '../../../../protocol/panel/messages.ts';
import { autoModel } from '../../../../protocol/routing.ts';
import { describeModel } from '../../../../protocol/words/modelWords.ts';

/** Contents of the model picker. */
export interface ModelPickerState {
  /** The session's model, or `auto`. */
  readonly current: string;
  /** The model that Auto chose last. */
  readonly routed?: string;
  /** The provider's name in the setting. */
  readonly provider: string;
  readonly models: readonly ModelChoice[];
  /** The model to fall back to; empty if none. */
  readonly fallback: string;
  readonly listing: ModelListStatus;
  /** The text that the user typed. */
  readonly typed: string;
}

/** State of the request for the provider's list. */
export type ModelListStatus =
  | { readonly status: 'running' }
  | { readonly status: 'done' }
  /** A sentence on what happened. */
  | { readonly status: 'failed'; readonly message: string };

export type ModelRow =
  | { readonly kind: 'separator'; readonly label: string }
  | {
      readonly kind: 'row';
      /** Stable while the list is rebuilt. */
      readonly id: string;
      readonly label: string;
      readonly description?: string;
      readonly detail?: string;
      /** Shown even if it does not match the typed text. */
      readonly always?: true;
      readonly choice: ModelRowChoice;
    };

export type ModelRowChoice =
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'provider' }
  | { readonly kind: 'fallback' }
  | { readonly kind: 'refresh' };

export function rowsOfModels(state: ModelPickerState): readonly ModelRow[] {
  return [
    autoRow(state),
    { kind: 'separator', label: state.provider },
    ...problemRows(state),
    ...modelRows(state),
    ...typedRows(state),
    { kind: 'separator', label: '' },
    {
      kind: 'row',
      id: 'fallback',
      choice: { kind: 'fallback' },
      label: `$(debug-step-over) ${t('When the model is busy…')}`,
      description: state.fallback === '' ? undefined : `${t('now')} · ${state.fallback}`,
    },
    {
      kind: 'row',
      id: 'provider',
      choice: { kind: 'provider' },
      label: `$(arrow-swap) ${t('Change the provider…')}`,
    },
    { kind: 'row', id: 'refresh', choice: { kind: 'refresh' }, label: `$(refresh) ${t('List again')}` },
  ];
}

function autoRow({ current, routed, models }: ModelPickerState): ModelRow {
  const name = models.find(({ id }) => id === routed)?.label ?? routed;
  const isCurrent = current === autoModel;
  return {
    ...modelRow(autoModel, t('Auto'), isCurrent ? nowAnd(name) : undefined),
    detail: t('For each turn: a strong model for plans and hard tasks, a fast model for the rest'),
  };
}

/** Includes the current model even if it is not listed. */
function modelRows({ current, models }: ModelPickerState): readonly ModelRow[] {
  const isListed = current === autoModel || models.some(({ id }) => id === current);
  return [
    ...(isListed ? [] : [modelRow(current, current, nowAnd(t('not listed')))]),
    ...models.map(model => ({
      ...modelRow(model.id, model.label, model.id === current ? nowAnd(model.id) : model.id),
      detail: describeModel(model),
    })),
  ];
}

function problemRows({ listing, models }: ModelPickerState): readonly ModelRow[] {
  const problem = { kind: 'row', id: 'trouble', choice: { kind: 'refresh' } } as const;
  if (listing.status === 'failed') {
    const what =
      models.length > 0
        ? t("Couldn't list the models. These are known models")
        : t("Couldn't list the models. Type a model id");
    const label = `$(warning) ${what}`;
    return [{ ...problem, label, detail: listing.message }];
  }
  if (models.length > 0) return [];
  if (listing.status === 'running')
    return [{ ...problem, label: `$(loading~spin) ${t('Asking for the models…')}` }];
  return [{ ...problem, label: `$(info) ${t('No models are listed')}`, detail: t('Type a model id.') }];
}

/** Ids have no spaces: a text with spaces is a search for a name. */
function typedRows({ typed, models }: ModelPickerState): readonly ModelRow[] {
  const model = typed.trim();
  const isKnown =
    model.toLowerCase() === autoModel || models.some(({ id, label }) => id === model || label === model);
  if (model === '' || /\s/.test(model) || isKnown) return [];
  return [
    {
      ...modelRow(model, t("Use '{0}'", model), undefined),
      id: 'typed',
      detail: t('An id that is not in the list is sent to the provider unchanged'),
      always: true,
    },
  ];
}

function modelRow(model: string, label: string, description: string | undefined) {
  return {
    kind: 'row',
    id: `model ${model}`,
    label,
    description,
    choice: { kind: 'model', model },
  } as const satisfies ModelRow;
}

function nowAnd(more: string | undefined): string {
  return more === undefined ? t('now') : `${t('now')} · ${more}`;
}
