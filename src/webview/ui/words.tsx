import { type ComponentChild, Fragment } from 'preact';

/** A sentence in which elements stand: `withElements(t('Press {0} to send'), <kbd>Enter</kbd>)`. */
export function withElements(sentence: string, ...elements: readonly ComponentChild[]): ComponentChild {
  return sentence.split(/\{(\d)\}/).map((part, index) => (index % 2 === 1 ? elements[Number(part)] : part));
}

/** So many characters of the end are whole: most names with their extension end in fewer. */
const tailLength = 12;

/** A text that gives way in its middle where there is too little room. Copied and read it is one text. */
export function MiddleCut({ text, class: style = '' }: { readonly text: string; readonly class?: string }) {
  // By code point, or a pair would be torn.
  const letters = [...text];
  if (letters.length < tailLength + 4) return <span class={`${style} ellipsis`}>{text}</span>;
  return (
    <span class={`${style} middle-cut`}>
      <span class="ellipsis">{letters.slice(0, -tailLength).join('')}</span>
      <span>{letters.slice(-tailLength).join('')}</span>
    </span>
  );
}

/** A line breaks between facts and not in them. */
export function Facts({ facts }: { readonly facts: readonly string[] }) {
  return facts.map((fact, index) => (
    <Fragment key={index}>
      {index > 0 && ' '}
      <span class="fact">{index < facts.length - 1 ? `${fact} ·` : fact}</span>
    </Fragment>
  ));
}
