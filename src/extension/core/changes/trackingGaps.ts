/* Describes which changes of a command or a server's tool are not covered. */

import { formatList, plural, t } from '../../../protocol/language.ts';

export interface TrackingGaps {
  /** Folders without version control. */
  readonly bare: readonly string[];
  /** All ignored files that the setting names were scanned. */
  readonly areNamed: boolean;
  /** Number of files that may have changed but could not be compared. */
  readonly missed: number;
}

export function describeTrackingGaps(
  folders: readonly string[],
  { bare, areNamed, missed }: TrackingGaps,
): string | undefined {
  const gaps: string[] = [];
  if (bare.length > 0) {
    gaps.push(
      bare.length < folders.length
        ? t('Without Git in {0}, a rewind restores only files that Folio wrote.', formatList(bare))
        : t('Without Git, a rewind restores only files that Folio wrote.'),
    );
  }
  if (!areNamed) {
    gaps.push(
      t(
        'Folio does not track the ignored files of “folio.review.alsoIgnored”: too many match, or they cannot be searched.',
      ),
    );
  }
  if (missed > 0) {
    gaps.push(
      plural(
        missed,
        'one: A rewind cannot restore {0} file that may have changed: too many, too large or unreadable. | other: A rewind cannot restore {0} files that may have changed: too many, too large or unreadable.',
      ),
    );
  }
  return gaps.length > 0 ? gaps.join(' ') : undefined;
}
