import { Fragment } from 'preact';

/** A line breaks between facts and not in them. */
export function Facts({ facts }: { readonly facts: readonly string[] }) {
  return facts.map((fact, index) => (
    <Fragment key={index}>
      {index > 0 && ' '}
      <span class="fact">{index < facts.length - 1 ? `${fact} ·` : fact}</span>
    </Fragment>
  ));
}
