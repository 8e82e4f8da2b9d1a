/* Rows of the list of hooks, and the decisions that a user can revise by choosing one. */

import { plural, t } from '../../../../protocol/language.ts';
import { showHidden } from '../../../base/hiddenText.ts';
import { oneLine } from '../../../base/text.ts';
import type { ListedHook } from '../../../core/hooks/hooks.ts';

/** `scan`: review it in the panel. `reopen`: the same, after it waits again. `keepOut`: do not run it (any more). */
export type HookAction =
  | { readonly kind: 'open'; readonly file: string }
  | { readonly kind: 'look' }
  | { readonly kind: 'reopen' | 'withdraw' | 'keepOut'; readonly ids: readonly string[] };

export interface HookChoice {
  readonly label: string;
  readonly detail?: string;
  readonly action: HookAction;
}

export interface HookRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Never empty. A single choice needs no selection. */
  readonly choices: readonly HookChoice[];
}

const states = (): Readonly<Record<ListedHook['state'], string>> => ({
  enabled: `$(check) ${t('runs')}`,
  waiting: `$(question) ${t('waits for your decision')}`,
  refused: `$(circle-slash) ${t('does not run: you kept it from it')}`,
  disabled: `$(circle-slash) ${t('switched off by a setting')}`,
});

/** @param shorten shortens a path for display */
export function hookRow(listed: ListedHook, shorten: (path: string) => string): HookRow {
  const { event, matcher, name, command, file, description } = listed.hook;
  const when = matcher === undefined ? event : `${event} · ${matcher}`;
  const about = description ? `${description} · ` : '';
  const open: HookChoice = {
    label: `$(go-to-file) ${t('Open the file that names it')}`,
    action: { kind: 'open', file },
  };
  return {
    label: oneLine(showHidden(name), 80),
    description: `${when} · ${states()[listed.state]}`,
    detail: oneLine(`${about}${showHidden(command)} · ${shorten(file)}`, 300),
    choices: [...decisionsOn(listed), open],
  };
}

/** Rows are truncated, so a hook cannot be allowed here but only in the panel, which shows all of it. */
function decisionsOn({ id, state }: ListedHook): readonly HookChoice[] {
  if (id === undefined) return [];
  switch (state) {
    case 'enabled':
      return [
        {
          label: `$(circle-slash) ${t('Keep it from running')}`,
          detail: t('From its next occasion on. You can decide again here.'),
          action: { kind: 'withdraw', ids: [id] },
        },
      ];
    case 'waiting':
      return [
        { label: `$(question) ${t('Look at it in the panel')}`, detail: whole(), action: { kind: 'look' } },
        {
          label: `$(circle-slash) ${t('Keep it from running')}`,
          detail: t('You can decide again here.'),
          action: { kind: 'keepOut', ids: [id] },
        },
      ];
    case 'refused':
      return [
        {
          label: `$(question) ${t('Decide again in the panel')}`,
          detail: whole(),
          action: { kind: 'reopen', ids: [id] },
        },
      ];
    case 'disabled':
      return [];
  }
}

const whole = () => t('There it is shown whole. It does not run before you let it.');

/** Decisions that apply to several hooks at once. */
export function hookChoices(list: readonly ListedHook[]): readonly HookChoice[] {
  const waiting = idsOf(list, 'waiting');
  const refused = idsOf(list, 'refused');
  const ofWaiting: readonly HookChoice[] = [
    {
      label: `$(question) ${plural(waiting.length, 'one: Look at {0} hook of this workspace in the panel | other: Look at {0} hooks of this workspace in the panel')}`,
      action: { kind: 'look' },
    },
    {
      label: `$(circle-slash) ${plural(waiting.length, 'one: Keep {0} hook of this workspace from running | other: Keep {0} hooks of this workspace from running')}`,
      action: { kind: 'keepOut', ids: waiting },
    },
  ];
  const ofRefused: HookChoice = {
    label: `$(question) ${plural(refused.length, 'one: Decide again on {0} hook that you kept from running | other: Decide again on {0} hooks that you kept from running')}`,
    action: { kind: 'reopen', ids: refused },
  };
  return [...(waiting.length > 0 ? ofWaiting : []), ...(refused.length > 0 ? [ofRefused] : [])];
}

function idsOf(list: readonly ListedHook[], wanted: ListedHook['state']): readonly string[] {
  return list.flatMap(({ id, state }) => (id !== undefined && state === wanted ? [id] : []));
}
