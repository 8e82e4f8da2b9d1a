import { t } from '../language.ts';
import type { Effort } from '../panel/messages.ts';

interface EffortRow {
  readonly label: string;
  /** Short label for narrow places. */
  readonly short: string;
  readonly description?: string;
  readonly isCurrent: boolean;
  /** Absent: no effort is set for this model. */
  readonly effort?: Effort;
}

const labels = (): Readonly<Record<Effort, string>> => ({
  low: t('Low'),
  medium: t('Medium'),
  high: t('High'),
  max: t('Max'),
});

/**
 * @param steps efforts of the model
 * @param efforts set efforts by model id; `*` applies to all others
 */
export function effortRows(
  steps: readonly Effort[],
  model: string,
  efforts: Readonly<Record<string, Effort>>,
): readonly EffortRow[] {
  const current = Object.hasOwn(efforts, model) ? efforts[model] : undefined;
  const others = efforts['*'];
  const own: EffortRow = {
    label: others ? t('Same as other models: {0}', labels()[others]) : t('Default'),
    short: others ? shortOf(others) : t('Effort'),
    description: current ? undefined : 'now',
    isCurrent: current === undefined,
  };
  const isLacking = current !== undefined && !steps.includes(current);
  const lacking = isLacking ? [rowOf(current, t('now · Folio sends the nearest level'), true)] : [];
  const rows = steps.map(effort => rowOf(effort, effort === current ? 'now' : undefined, effort === current));
  return [own, ...rows, ...lacking];
}

function rowOf(effort: Effort, description: string | undefined, isCurrent: boolean): EffortRow {
  return { label: labels()[effort], short: shortOf(effort), description, isCurrent, effort };
}

function shortOf(effort: Effort): string {
  return effort === 'medium' ? t('Med') : labels()[effort];
}
