import { escapeInvisibleText } from '../../extension/base/hiddenText.ts';
import type { HookOutcome } from '../../protocol/hooks.ts';
import { plural, t } from '../../protocol/language.ts';
import type { HookItem } from '../../protocol/state.ts';
import { formatDuration } from '../ui/format.ts';
import type { IconName } from '../ui/icons.ts';

type Ended = Extract<HookItem['status'], { kind: 'ended' }>;

/** Returns true for a hook that still runs, or passed without output. */
export function isQuietHook({ status }: HookItem): boolean {
  return status.kind === 'running' || (status.outcome === 'passed' && status.output.trim() === '');
}

/** Returns for example `2 hooks ran`, or `2 hooks ran, lint runs`. */
export function summarizeHooks(hooks: readonly HookItem[]): string {
  const running = hooks.find(({ status }) => status.kind === 'running');
  const ran = hooks.filter(({ status }) => status.kind === 'ended').length;
  const done = ran > 0 && plural(ran, 'one: {0} hook ran | other: {0} hooks ran');
  return [done, running && t('hook {0} runs', hookName(running))].filter(Boolean).join(', ');
}

/** Returns the name for display. It is untrusted, since a workspace may define it. */
export function hookName({ name }: HookItem): string {
  return escapeInvisibleText(name).replace(/\s+/g, ' ');
}

/** Returns for example `BeforeTool, 1 s`. */
export function hookFacts({ event, status }: HookItem): string {
  if (status.kind === 'running') return t('{0}, running', event);
  const { durationMs } = status;
  return `${event}, ${durationMs < 1000 ? t('{0} ms', Math.round(durationMs)) : formatDuration(durationMs)}`;
}

export const outcomes = (): Readonly<
  Record<HookOutcome, { readonly icon: IconName; readonly word: string; readonly view: 'ok' | 'failed' }>
> => ({
  passed: { icon: 'check', word: '', view: 'ok' },
  changed: { icon: 'info', word: t('changed'), view: 'ok' },
  blocked: { icon: 'circle-slash', word: t('blocked'), view: 'ok' },
  stopped: { icon: 'debug-stop', word: t('ended the work'), view: 'ok' },
  failed: { icon: 'error', word: t('failed'), view: 'failed' },
  timedOut: { icon: 'error', word: t('took too long'), view: 'failed' },
});

/** Returns for example `blocked Run npm publish`, with the title of the call if the outcome is about it. */
export function outcomeWords({ outcome }: Ended, callTitle: string | undefined): string {
  const { word } = outcomes()[outcome];
  const isOfCall = outcome === 'blocked' || outcome === 'changed';
  return isOfCall && callTitle ? `${word} ${callTitle}` : word;
}
