import { formatQuantity, sanitiseLine } from '../base/text.ts';
import type { ConsentService } from '../core/consent/consentService.ts';
import type { LoadedCustomizations } from '../core/customizations/loadedCustomizations.ts';

/** Reports customizations that are unusable or not approved, because a headless run has no list of them. */
export function reportUnusableCustomizations(
  { all, problems }: LoadedCustomizations,
  notify: (sentence: string) => void,
): void {
  for (const problem of problems) notify(sanitiseLine(problem, 500));
  // A pending command is reported when it is called, servers when they start.
  for (const { kind, path } of all.consent.unseen.values()) {
    if (kind === 'settings') notify(`The settings of ${path} do not count. ${advice('them')}`);
    else if (kind === 'agent' || kind === 'skill')
      notify(sanitiseLine(`The ${kind} ${path} does not count. ${advice('it')}`, 500));
  }
}

function advice(what: 'it' | 'them'): string {
  return `Look at ${what}, then let ${what} count in a window or run with --trusted.`;
}

/** Reports the number of workspace hooks that need approval, whenever it changes. */
export function reportPendingHooks(consent: ConsentService, notify: (sentence: string) => void): void {
  let reported = '';
  consent.onDidChange(() => {
    const waiting = [...consent.unseen].flatMap(([id, { kind }]) => (kind === 'hook' ? [id] : []));
    if (waiting.join() === reported) return;
    reported = waiting.join();
    if (waiting.length > 0)
      notify(
        `${formatQuantity(waiting.length, 'hook')} of the workspace did not run. Look at .gemini/settings.json, then run with --trusted.`,
      );
  });
}
