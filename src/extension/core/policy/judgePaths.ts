/* Demands of paths, which hold whatever rules and modes say. */

import { hasHiddenText, showHidden } from '../../base/hiddenText.ts';
import type { WorkspacePaths } from '../paths.ts';
import type { Access } from '../protectedPaths.ts';

type PathDemand =
  /** `reason` is for the model. */
  | { readonly kind: 'denied'; readonly reason: string }
  /** `reasons`: sentences why a person must look; empty: nothing to say. `real`: where the first path leads. */
  | { readonly kind: 'open'; readonly reasons: readonly string[]; readonly real?: string };

export async function judgePaths(
  gate: Pick<WorkspacePaths, 'locate'>,
  paths: readonly string[],
  access: Access,
): Promise<PathDemand> {
  const reasons = new Set<string>();
  let real: string | undefined;
  for (const path of paths) {
    const place = await gate.locate(path, access);
    if (place.kind === 'refused') return { kind: 'denied', reason: place.reason };
    real ??= place.path;
    if (place.protection) reasons.add(place.protection.why);
    if (hasHiddenText(path))
      reasons.add(`The path holds characters that cannot be seen: ${showHidden(path)}.`);
  }
  return { kind: 'open', reasons: [...reasons], real };
}
