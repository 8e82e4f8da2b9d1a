import { plainLine } from '../base/text.ts';
import type { Additions } from '../core/customizations/additions.ts';

/** Without a window nobody sees the list of what is added, so what of it cannot be used or does not count is told. */
export function tellOfAdditions({ all, problems }: Additions, tell: (sentence: string) => void): void {
  for (const problem of problems) tell(plainLine(problem, 500));
  const waiting = [...all.unseen.values()].filter(({ kind }) => kind === 'settings');
  for (const { path } of waiting) {
    tell(
      `The settings of ${path} do not count. Look at them, then let them count in a window or run with --trusted.`,
    );
  }
}
