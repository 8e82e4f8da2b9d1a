/**
 * Where a case of this folder comes from, in our own words:
 * `report`: a public report about another agent; `service`: the documentation or the answers of a service;
 * `peer`: what another program (Git, ripgrep, a shell) does with the same input; `trial`: our own trial of Folio.
 */
export type Source = 'report' | 'service' | 'peer' | 'trial';

/** One input that the world sends. Each case is a row of a table, so that a later one is one more line. */
export interface WorldCase {
  readonly title: string;
  readonly source: Source;
}
