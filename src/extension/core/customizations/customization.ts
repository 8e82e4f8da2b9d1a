/* One thing that is added to Folio: a server, a command, an agent, a skill, discovered tools, an extension. */

import { createHash } from 'node:crypto';
import type { CustomizationKind, UnseenItem } from '../../../protocol/customizations.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import type { CustomFileKind, CustomOrigin } from '../../platform/customFiles.ts';

export interface Customization {
  readonly kind: Exclude<CustomizationKind, 'hook'>;
  readonly name: string;
  readonly origin: CustomOrigin;
  /** The file that names it, absolute. */
  readonly path: string;
  /** What it would do, for the person; of a program all that decides what runs. */
  readonly detail: string;
  /** How its file is written. */
  readonly format: CustomFileKind;
  /** Of one that is a file of its own. */
  readonly text: string;
  /** Of one that is an entry in a file. */
  readonly value?: unknown;
  /** A program that it starts; what of the workspace that names is a part of it. */
  readonly command?: string;
  /** Where that runs, as the entry names it; absent: in the first folder. */
  readonly cwd?: string;
}

/** Where it stands and all that says what it does: a changed one is a new one. */
export function fingerprintOf(item: Customization, scripts: string): string {
  const { kind, name, path, text, value } = item;
  const whole = canonicalJson([kind, name, path, text, value ?? null, scripts]);
  return `${kind}-${createHash('sha256').update(whole).digest('hex')}`;
}

/** @param id its fingerprint. @param relative makes a path short for the person */
export function toUnseen(
  id: string,
  { kind, name, detail, path }: Customization,
  relative: (path: string) => string,
): UnseenItem {
  return { id, kind, name, detail, file: relative(path) };
}
