import { t } from '../../../protocol/language.ts';
import { autoModel } from '../../../protocol/routing.ts';
import { nearestNames } from '../../base/similarity.ts';
import { headOf } from '../../base/text.ts';
import { CommandError } from '../commandError.ts';

type PickedModel =
  | { readonly kind: 'listed'; readonly id: string }
  /** An unknown model; `near` contains similar ids. */
  | { readonly kind: 'unlisted'; readonly id: string; readonly near: readonly string[] };

/**
 * Finds a model by id, label, or a part of either that is unique. Unknown ids are accepted, since lists are seldom
 * complete.
 */
export function matchModelName(
  wanted: string,
  models: readonly { readonly id: string; readonly label: string }[],
): PickedModel {
  const plain = wanted.trim().toLowerCase();
  if (plain === autoModel) return { kind: 'listed', id: autoModel };
  const exact = models.find(({ id, label }) => id.toLowerCase() === plain || label.toLowerCase() === plain);
  if (exact) return { kind: 'listed', id: exact.id };
  const parts = models.filter(({ id, label }) => `${id}\n${label}`.toLowerCase().includes(plain));
  const [only, ...others] = parts;
  if (only && others.length === 0) return { kind: 'listed', id: only.id };
  const shown = headOf(wanted.trim(), 60);
  if (only) {
    const names = parts.slice(0, 5).map(({ id }) => id);
    throw new CommandError(
      t('Several models fit “{0}”: {1}. Write more of the name.', shown, names.join(', ')),
    );
  }
  if (/^[\w.:/@-]{1,200}$/.test(wanted.trim()))
    return {
      kind: 'unlisted',
      id: wanted.trim(),
      near: nearestNames(
        plain,
        models.map(({ id }) => id),
      ),
    };
  throw new CommandError(t('There is no model “{0}”. Use /model to see all models.', shown));
}

/** Tells that a model is not listed; it may exist nevertheless. */
export function describeUnlisted({ id, near }: Extract<PickedModel, { kind: 'unlisted' }>): string {
  const what = t("The model is {0}, which is not in the provider's list.", id);
  return near.length > 0 ? `${what} ${t('Near it: {0}.', near.join(', '))}` : what;
}
