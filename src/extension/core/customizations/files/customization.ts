/* A customization: a server, a command, an agent, a skill, discovered tools, or an extension. */

import type { CustomizationKind } from '../../../../protocol/panel/customizations.ts';
import { canonicalJson } from '../../../base/canonicalJson.ts';
import type { CustomFileKind, CustomOrigin } from '../../../platform/customizations/customFiles.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';

export interface Customization {
  readonly kind: Exclude<CustomizationKind, 'hook'>;
  readonly name: string;
  readonly origin: CustomOrigin;
  /** Absolute path of the file that defines it. */
  readonly path: string;
  /** Describes its effect to the user; for a program, everything that determines what runs. */
  readonly detail: string;
  readonly format: CustomFileKind;
  /** Its text, if it is a separate file. */
  readonly text: string;
  /** Its value, if it is an entry in a file. */
  readonly value?: unknown;
  /** The program that it starts. Workspace files in that command belong to it. */
  readonly command?: string;
  /** The entry's working folder; absent: the first workspace folder. */
  readonly cwd?: string;
}

/** @param scripts content of the files that its command names */
export function fingerprintOfItem(item: Customization, scripts: string): string {
  const { kind, name, path, text, value } = item;
  return fingerprintOf(kind, canonicalJson([kind, name, path, text, value ?? null, scripts]));
}
