import type { FileDiff } from '../../../protocol/asks.ts';

/** Formats the hunks of a diff for a model. */
export function formatDiff(diff: FileDiff): readonly string[] {
  const signs = { context: ' ', added: '+', removed: '-' } as const;
  return diff.hunks.flatMap(hunk => [
    `@@ ${hunk.place ?? `line ${hunk.newStart}`} @@`,
    ...hunk.lines.map(line => signs[line.kind] + line.text),
  ]);
}
