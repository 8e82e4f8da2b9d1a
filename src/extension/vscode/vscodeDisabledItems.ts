/*
 * Items that the user disabled: everywhere in their own settings, and per workspace in storage that no repository can
 * supply. The workspace's settings are ignored, since they could disable something that the user relies on, such as an
 * extension whose hook blocks calls.
 */

import { t } from '../../protocol/language.ts';
import { escapeInvisibleText } from '../base/hiddenText.ts';
import { isRecord } from '../base/record.ts';
import { oneLine } from '../base/text.ts';
import type { DisabledItems } from '../platform/customizations/disabledItems.ts';

export interface DisabledItemStores {
  /** Names in the user's own settings. */
  readonly everywhere: () => readonly string[];
  readonly setEverywhere: (names: readonly string[]) => PromiseLike<void>;
  /** Value in the workspace's settings, not validated. */
  readonly ofWorkspace: () => unknown;
  /** Storage of this workspace; `undefined` if none is open. */
  readonly here: () => KeptSwitches | undefined;
}

interface KeptSwitches {
  /** Not validated; `undefined` if nothing is stored. */
  read(): unknown;
  write(value: unknown): PromiseLike<void>;
}

/** Exceptions from the global list. */
interface Here {
  readonly off: readonly string[];
  readonly on: readonly string[];
}

export class VscodeDisabledItems implements DisabledItems {
  private readonly places: DisabledItemStores;

  constructor(places: DisabledItemStores) {
    this.places = places;
  }

  listDisabled(): readonly string[] {
    const { off, on } = parseHere(this.places.here()?.read());
    const others = this.places.everywhere().filter(name => !on.includes(name));
    return [...new Set([...others, ...off])];
  }

  async set(names: readonly string[], to: 'on' | 'off'): Promise<void> {
    const { everywhere, setEverywhere, here } = this.places;
    const kept = here();
    const before = everywhere();
    if (!kept) return setEverywhere(changed(before, names, to));
    const { off, on } = parseHere(kept.read());
    // Names that are disabled everywhere need no entry here.
    const exceptions = names.filter(name => to === 'off' || before.includes(name));
    await kept.write({
      off: changed(off, names, to),
      on: changed(on, exceptions, to === 'on' ? 'off' : 'on'),
    } satisfies Here);
  }

  problems(): readonly string[] {
    const names = namesOf(this.places.ofWorkspace());
    if (names.length === 0) return [];
    const shown = oneLine(escapeInvisibleText(names.join(', ')), 200);
    return [
      t(
        'The workspace settings disable {0} (folio.disabled). This is ignored, because only you can do that: use "Folio: Show Servers, Commands, Agents and Skills", or your user settings.',
        shown,
      ),
    ];
  }
}

/** Adds or removes the names. */
function changed(list: readonly string[], names: readonly string[], to: 'on' | 'off'): readonly string[] {
  const others = list.filter(name => !names.includes(name));
  return to === 'off' ? [...others, ...names] : others;
}

function parseHere(value: unknown): Here {
  return isRecord(value) ? { off: namesOf(value.off), on: namesOf(value.on) } : { off: [], on: [] };
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];
}
