import { t } from '../../../protocol/language.ts';
import { nearestNames } from '../../base/similarity.ts';
import { oneLine } from '../../base/text.ts';

/** A sentence about a name that is none of the known ones; undefined: it is one. */
export function findUnknown(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const [nearest] = nearestNames(name, [...known]);
  return nearest === undefined
    ? t('There is nothing called {0}.', oneLine(name, 60))
    : t('There is nothing called {0}. The nearest is {1}.', oneLine(name, 60), nearest);
}
