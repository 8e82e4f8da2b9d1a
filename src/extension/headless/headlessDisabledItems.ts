import type { DisabledItems } from '../platform/customizations/disabledItems.ts';

/** DisabledItems for the duration of the run. Permanent ones are in settings files. */
export class HeadlessDisabledItems implements DisabledItems {
  private readonly notify: (sentence: string) => void;
  private names: ReadonlySet<string> = new Set();

  constructor(notify: (sentence: string) => void) {
    this.notify = notify;
  }

  listDisabled(): readonly string[] {
    return [...this.names];
  }

  async set(names: readonly string[], to: 'on' | 'off'): Promise<void> {
    const others = [...this.names].filter(name => !names.includes(name));
    if (to === 'off')
      this.notify(
        'It holds for this run. To keep it, add the name to "folio.disabled" in ~/.gemini/settings.json.',
      );
    this.names = new Set(to === 'off' ? [...others, ...names] : others);
  }

  problems(): readonly string[] {
    return [];
  }
}
