import { autoModel } from '../../../protocol/routing.ts';
import { nearestNames } from '../../base/similarity.ts';

type PickedModel =
  | { readonly kind: 'listed'; readonly id: string }
  /** Nobody has told of such a model; `near` names those that are called alike. */
  | { readonly kind: 'unlisted'; readonly id: string; readonly near: readonly string[] }
  | { readonly kind: 'refused'; readonly sentence: string };

/** A model by its id or label, or by a part that only one has. Any id is possible: lists are seldom complete. */
export function pickModelName(
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
  const shown = wanted.trim().slice(0, 60);
  if (only) {
    const names = parts.slice(0, 5).map(({ id }) => id);
    return {
      kind: 'refused',
      sentence: `Several models fit “${shown}”: ${names.join(', ')}. Write more of the name.`,
    };
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
  return {
    kind: 'refused',
    sentence: `There is no model “${shown}”. Use /model alone to see those that there are.`,
  };
}

/** A sentence about a model that no list names; it may exist all the same. */
export function describeUnlisted({ id, near }: Extract<PickedModel, { kind: 'unlisted' }>): string {
  const others = near.length > 0 ? ` Near it: ${near.join(', ')}.` : '';
  return `The model is ${id}, which is not among those that are listed.${others}`;
}
