/* Formats test results for a model: counts, and for each failure expectation and location. */

import { isAbsolute, join } from 'node:path';
import type { TestCounts } from '../../../protocol/asks.ts';
import { t } from '../../../protocol/language.ts';
import { cutMiddle, formatQuantity, oneLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import type { TestLocation, TestOutcome } from '../../platform/editorTests.ts';

/** Failures in one answer. */
const failureLimit = 20;
/** Characters of one failure. */
const messageLimit = 1_500;
const nameLimit = 40;

interface OutcomePlace {
  readonly paths: Pick<WorkspacePaths, 'show'>;
  /** Absolute base of relative paths. */
  readonly folder: string;
}

export function testCounts(outcomes: readonly TestOutcome[]): TestCounts {
  const count = (result: TestOutcome['result']) => outcomes.filter(each => each.result === result).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** `2 passed, 1 failed` */
export function countOutcomes(outcomes: readonly TestOutcome[]): string {
  const counts = (['passed', 'failed', 'skipped'] as const).flatMap(result => {
    const count = outcomes.filter(each => each.result === result).length;
    return count > 0 ? [countOf(result, count)] : [];
  });
  return counts.join(', ') || t('No tests ran');
}

function countOf(result: TestOutcome['result'], count: number): string {
  switch (result) {
    case 'passed':
      return t('{0} passed', count);
    case 'failed':
      return t('{0} failed', count);
    case 'skipped':
      return t('{0} skipped', count);
  }
}

/** Returns the tests whose names contain these words. Ignores separators, which differ between runners. */
export function filterByName(
  outcomes: readonly TestOutcome[],
  name: string | undefined,
): readonly TestOutcome[] {
  if (name === undefined) return outcomes;
  const words = plainName(name);
  return outcomes.filter(each => plainName(each.name).includes(words));
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/::|[>›.#]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Empty if none failed. */
export async function formatFailures(outcomes: readonly TestOutcome[], where: OutcomePlace): Promise<string> {
  const failed = outcomes.filter(({ result }) => result === 'failed');
  if (failed.length === 0) return '';
  const shown = await Promise.all(failed.slice(0, failureLimit).map(each => formatFailure(each, where)));
  const rest =
    failed.length > shown.length
      ? `\n… and ${formatQuantity(failed.length - shown.length, 'more failure')}`
      : '';
  return `\n${wrapUntrusted('untrusted_output', shown.join('\n\n'))}${rest}`;
}

async function formatFailure({ name, message, place }: TestOutcome, where: OutcomePlace): Promise<string> {
  const at = place === undefined ? '' : ` (${await formatPlace(place, where)})`;
  const said = cutMiddle((message ?? '').trim(), messageLimit, 0.7);
  return [`${oneLine(name, 300)}${at}`, said].filter(Boolean).join('\n');
}

async function formatPlace({ path, line }: TestLocation, { paths, folder }: OutcomePlace): Promise<string> {
  const shown = await paths.show(isAbsolute(path) ? path : join(folder, path));
  return line === undefined ? shown : `${shown}:${line}`;
}

/** Lists existing tests, for the answer that the requested one does not exist. */
export function formatExistingTests(outcomes: readonly TestOutcome[]): string {
  const names = [...new Set(outcomes.map(({ name }) => oneLine(name, 200)))];
  const more = names.length > nameLimit ? `\n… and ${names.length - nameLimit} more` : '';
  return `${wrapUntrusted('untrusted_output', names.slice(0, nameLimit).join('\n'))}${more}`;
}
