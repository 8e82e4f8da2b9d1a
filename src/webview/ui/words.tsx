import type { ComponentChild } from 'preact';

/** A sentence in which elements stand: `withElements(t('Press {0} to send'), <kbd>Enter</kbd>)`. */
export function withElements(sentence: string, ...elements: readonly ComponentChild[]): ComponentChild {
  return sentence.split(/\{(\d)\}/).map((part, index) => (index % 2 === 1 ? elements[Number(part)] : part));
}
