/* One thing that is added to Folio: a server, a command, an agent, a skill, discovered tools, an extension. */

import type { CustomizationKind } from '../../../../protocol/panel/customizations.ts';
import { canonicalJson } from '../../../base/canonicalJson.ts';
import type { CustomFileKind, CustomOrigin } from '../../../platform/customizations/customFiles.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';

export interface Customization {
  readonly kind: Exclude<CustomizationKind, 'hook'>;
  readonly name: string;
  readonly origin: CustomOrigin;
  /** The file that names it, absolute. */
  readonly path: string;
  /** Says to the user what it would do; for a program everything that decides what runs. */
  readonly detail: string;
  /** How its file is written. */
  readonly format: CustomFileKind;
  /** The text of one that is a file of its own. */
  readonly text: string;
  /** The value of one that is an entry in a file. */
  readonly value?: unknown;
  /** A program that it starts; what of the workspace that names is a part of it. */
  readonly command?: string;
  /** Where that runs, as the entry names it; absent: in the first folder. */
  readonly cwd?: string;
}

/** @param scripts what its command leads to */
export function fingerprintOfItem(item: Customization, scripts: string): string {
  const { kind, name, path, text, value } = item;
  return fingerprintOf(kind, canonicalJson([kind, name, path, text, value ?? null, scripts]));
}
