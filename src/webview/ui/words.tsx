import { type ComponentChild, Fragment } from 'preact';

/** Inserts elements into a sentence: `withElements(t('Press {0} to send'), <kbd>Enter</kbd>)`. */
export function withElements(sentence: string, ...elements: readonly ComponentChild[]): ComponentChild {
  return sentence.split(/\{(\d)\}/).map((part, index) => (index % 2 === 1 ? elements[Number(part)] : part));
}

/** Number of final characters that are never cut, enough for most file names' ends. */
const tailLength = 12;

interface MiddleCutProps {
  readonly text: string;
  /** Part that is cut, such as the path in `Edit src/invoice.ts`; absent: all. */
  readonly part?: string;
  readonly class?: string;
}

/** Text that is cut in its middle if space is short. Copying and screen readers get all of it. */
export function MiddleCut({ text, part = text, class: style = '' }: MiddleCutProps) {
  const at = text.indexOf(part);
  if (part !== text && at >= 0)
    return (
      <span class={`${style} middle-cut`}>
        <span>{text.slice(0, at)}</span>
        <MiddleCut text={part} />
        <span>{text.slice(at + part.length)}</span>
      </span>
    );
  // By code point, to keep surrogate pairs.
  const letters = [...text];
  if (letters.length < tailLength + 4) return <span class={`${style} ellipsis`}>{text}</span>;
  return (
    <span class={`${style} middle-cut`}>
      <span class="ellipsis">{letters.slice(0, -tailLength).join('')}</span>
      <span>{letters.slice(-tailLength).join('')}</span>
    </span>
  );
}

/** Returns a function that tells whether a text contains all words of a query, whatever their case. */
export function wordsMatcher(query: string): (text: string) => boolean {
  const words = query.toLowerCase().split(/\s+/);
  return text => words.every(word => text.toLowerCase().includes(word));
}

/** Facts in a line that breaks only between them. */
export function Facts({ facts }: { readonly facts: readonly string[] }) {
  return facts.map((fact, index) => (
    <Fragment key={index}>
      {index > 0 && ' '}
      <span class="fact">{index < facts.length - 1 ? `${fact} ·` : fact}</span>
    </Fragment>
  ));
}
