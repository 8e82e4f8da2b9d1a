import type { BundledPackage } from './readPackage.ts';

/** Licences under which parts of an MIT-licensed program may be shipped when their text goes along. */
const allowed: ReadonlySet<string> = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
  // Fonts and icons.
  'CC-BY-4.0',
  'OFL-1.1',
]);

/** Sentences about what stands against shipping this package; none: it may be shipped. */
export function findProblems({ name, version, licence, texts }: BundledPackage): readonly string[] {
  const problems: string[] = [];
  if (!isAllowed(licence))
    problems.push(
      `${name} ${version} is under "${licence || 'no licence'}". Use another package, or add the licence to scripts/notices/licences.ts if Folio may ship it.`,
    );
  if (texts.length === 0)
    problems.push(
      `${name} ${version} has no text of its licence. Say in scripts/notices/readPackage.ts where it stands.`,
    );
  return problems;
}

/** Of alternatives one must be allowed, of several that hold together all. What is nested deeper is not understood. */
export function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  const alternatives = plain.split(' OR ');
  return alternatives.some(each => each.split(' AND ').every(licence => allowed.has(licence)));
}
