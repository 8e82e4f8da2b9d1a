/* Rows of the list of hooks, and the decisions that a user can revise by choosing one. */

import { plural, t } from '../../../../protocol/language.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { oneLine } from '../../../base/text.ts';
import type { ListedHook } from '../../../core/hooks/hooks.ts';

/** `look`: review it in the panel. `reopen`: the same, after it waits again. `keepOut`: do not run it (any more). */
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
  refused: `$(circle-slash) ${t('does not run: you refused it')}`,
  disabled: `$(circle-slash) ${t('disabled by a setting')}`,
});

/** @param shorten shortens a path for display */
export function hookRow(listed: ListedHook, shorten: (path: string) => string): HookRow {
  const { event, matcher, name, command, file, description } = listed.hook;
  const when = matcher === undefined ? event : `${event} · ${matcher}`;
  const about = description ? `${description} · ` : '';
  const open: HookChoice = {
    label: `$(go-to-file) ${t('Open its file')}`,
    action: { kind: 'open', file },
  };
  return {
    label: oneLine(escapeInvisibleText(name), 80),
    description: `${when} · ${states()[listed.state]}`,
    detail: oneLine(`${about}${escapeInvisibleText(command)} · ${shorten(file)}`, 300),
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
          label: `$(circle-slash) ${t('Refuse it')}`,
          detail: t('Takes effect the next time it would run. You can allow it here again.'),
          action: { kind: 'withdraw', ids: [id] },
        },
      ];
    case 'waiting':
      return [
        { label: `$(question) ${t('Look at it in the panel')}`, detail: whole(), action: { kind: 'look' } },
        {
          label: `$(circle-slash) ${t('Refuse it')}`,
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

const whole = () => t('You see the whole command there. It does not run until you allow it.');

/** Decisions that apply to several hooks at once. */
export function hookChoices(list: readonly ListedHook[]): readonly HookChoice[] {
  const waiting = idsOf(list, 'waiting');
  const refused = idsOf(list, 'refused');
  const ofWaiting: readonly HookChoice[] = [
    {
      label: `$(question) ${plural(waiting.length, 'one: Review {0} hook from this workspace in the panel | other: Review {0} hooks from this workspace in the panel')}`,
      action: { kind: 'look' },
    },
    {
      label: `$(circle-slash) ${plural(waiting.length, 'one: Refuse {0} hook from this workspace | other: Refuse {0} hooks from this workspace')}`,
      action: { kind: 'keepOut', ids: waiting },
    },
  ];
  const ofRefused: HookChoice = {
    label: `$(question) ${plural(refused.length, 'one: Decide again on {0} hook that you refused | other: Decide again on {0} hooks that you refused')}`,
    action: { kind: 'reopen', ids: refused },
  };
  return [...(waiting.length > 0 ? ofWaiting : []), ...(refused.length > 0 ? [ofRefused] : [])];
}

function idsOf(list: readonly ListedHook[], wanted: ListedHook['state']): readonly string[] {
  return list.flatMap(({ id, state }) => (id !== undefined && state === wanted ? [id] : []));
}
