import { escapeInvisibleText } from '../../extension/base/hiddenText.ts';
import { headOf, shortened } from '../../protocol/words/cutText.ts';

interface ForeignTextProps {
  readonly text: string;
  /** Maximum characters. */
  readonly limit?: number;
}

/** Untrusted name of a server, file or model: plain, on one line, unable to reorder the text around it. */
export function UntrustedText({ text, limit = 400 }: ForeignTextProps) {
  const line = escapeInvisibleText(
    headOf(text, 2 * limit)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return <bdi>{shortened(line, limit)}</bdi>;
}
