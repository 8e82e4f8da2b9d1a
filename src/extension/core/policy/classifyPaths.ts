/* Demands of paths. They hold under every rule and mode. */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { escapeInvisibleText, hasInvisibleText } from '../../base/hiddenText.ts';
import { dedupeMessages } from '../../shell/classify/analysis.ts';
import type { WorkspacePaths } from '../paths.ts';
import type { Access } from '../protectedPaths.ts';

type PathDemand =
  | { readonly kind: 'denied'; readonly reason: LocalizedMessage }
  /** `reasons`: why a user must decide; empty: no need. `real`: where the first path leads. */
  | { readonly kind: 'open'; readonly reasons: readonly LocalizedMessage[]; readonly real?: string };

export async function classifyPaths(
  gate: Pick<WorkspacePaths, 'locate'>,
  paths: readonly string[],
  access: Access,
): Promise<PathDemand> {
  const reasons: LocalizedMessage[] = [];
  let real: string | undefined;
  for (const path of paths) {
    const place = await gate.locate(path, access);
    if (place.kind === 'refused') return { kind: 'denied', reason: place.reason };
    real ??= place.path;
    if (place.protection) reasons.push(place.protection.why);
    if (hasInvisibleText(path))
      reasons.push(() => t('The path contains invisible characters: {0}.', escapeInvisibleText(path)));
  }
  return { kind: 'open', reasons: dedupeMessages(reasons), real };
}
