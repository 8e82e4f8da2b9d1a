import type { BundledPackage } from './readPackage.ts';

/** Licences that allow shipping a package with an MIT-licensed program, with their text. */
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

/** Returns reasons against shipping a package, one sentence each. */
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

/** Returns true if one alternative of `OR`, or all of `AND`, are allowed. Nested expressions are not supported. */
export function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  const alternatives = plain.split(' OR ');
  return alternatives.some(each => each.split(' AND ').every(licence => allowed.has(licence)));
}
