import { plainLine, plural } from '../base/text.ts';
import type { Consent } from '../core/consent/consent.ts';
import type { Additions } from '../core/customizations/additions.ts';

/** Without a window nobody sees the list of what is added, so what of it cannot be used or does not count is told. */
export function reportAdditions({ all, problems }: Additions, notify: (sentence: string) => void): void {
  for (const problem of problems) notify(plainLine(problem, 500));
  // A command that waits is told when it is called, servers are told when they are started.
  for (const { kind, path } of all.consent.unseen.values()) {
    if (kind === 'settings') notify(`The settings of ${path} do not count. ${advice('them')}`);
    else if (kind === 'agent' || kind === 'skill')
      notify(plainLine(`The ${kind} ${path} does not count. ${advice('it')}`, 500));
  }
}

function advice(what: 'it' | 'them'): string {
  return `Look at ${what}, then let ${what} count in a window or run with --trusted.`;
}

/** Says how many hooks of the workspace wait for the user, each time that others do. */
export function reportHooks(consent: Consent, notify: (sentence: string) => void): void {
  let reported = '';
  consent.onDidChange(() => {
    const waiting = [...consent.unseen].flatMap(([id, { kind }]) => (kind === 'hook' ? [id] : []));
    if (waiting.join() === reported) return;
    reported = waiting.join();
    if (waiting.length > 0)
      notify(
        `${plural(waiting.length, 'hook')} of the workspace did not run. Look at .gemini/settings.json, then run with --trusted.`,
      );
  });
}
