import { t } from '../../../protocol/language.ts';
import { nearestNames } from '../../base/similarity.ts';
import { oneLine } from '../../base/text.ts';
import { Refusal } from '../refusal.ts';

export function assertKnownName(name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw unknownName(name, known);
}

export function unknownName(name: string, known: readonly string[]): Refusal {
  const [nearest] = nearestNames(name, [...known]);
  return new Refusal(
    nearest === undefined
      ? t('{0} was not found.', oneLine(name, 60))
      : t('{0} was not found. Did you mean {1}?', oneLine(name, 60), nearest),
  );
}
