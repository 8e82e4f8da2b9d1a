import type { ApprovalMode } from '../../../protocol/intentions.ts';
import { t } from '../../../protocol/language.ts';
import { modeWords } from '../../../protocol/words/modeWords.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { LimitSettings } from '../limitSettings.ts';
import { nearestMode } from './initialMode.ts';

/** Describes the modes to choose from. @param allowed absent: all */
export function offeredModes(allowed: readonly ApprovalMode[] | undefined): ReturnType<typeof modeWords> {
  return modeWords().filter(({ value }) => nearestMode(value, allowed) === value);
}

/** Creates the event for a user's choice. Throws a `LocalizedError` if the organisation forbids the mode. */
export function modeChange(mode: ApprovalMode, { modes }: Pick<LimitSettings, 'modes'>) {
  assertModeAllowed(mode, modes);
  return { type: 'mode.changed', mode } as const;
}

/** Throws a `LocalizedError` if the mode is not allowed. @param allowed absent: all */
export function assertModeAllowed(mode: ApprovalMode, allowed: readonly ApprovalMode[] | undefined): void {
  if (nearestMode(mode, allowed) === mode) return;
  throw new LocalizedError(() => {
    const label = modeWords().find(({ value }) => value === mode)?.label ?? mode;
    const others = offeredModes(allowed).map(each => each.label);
    return t('Your organization does not allow the mode {0}. It allows {1}.', label, others.join(', '));
  });
}
