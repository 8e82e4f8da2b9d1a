import { t } from '../../../protocol/language.ts';
import { nearestNames } from '../../base/similarity.ts';
import { oneLine } from '../../base/text.ts';
import { CommandError } from '../commandError.ts';

export function assertKnownName(name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw unknownName(name, known);
}

export function unknownName(name: string, known: readonly string[]): CommandError {
  const [nearest] = nearestNames(name, [...known]);
  return new CommandError(
    nearest === undefined
      ? t('{0} was not found.', oneLine(name, 60))
      : t('{0} was not found. Did you mean {1}?', oneLine(name, 60), nearest),
  );
}
