import type { BundledPackage } from './readPackage.ts';

const line = '-'.repeat(80);

/** Returns one entry for each text, with all packages that have it. */
export function describeNotices(packages: readonly BundledPackage[]): string {
  const byText = new Map<string, readonly BundledPackage[]>();
  for (const each of packages) {
    const text = each.texts.join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), each]);
  }
  const entries = [...byText].map(
    ([text, group]) => `${line}\n\n${group.map(describe).join('\n')}\n\n${text}\n`,
  );
  const head = 'Folio contains parts of the packages below, each under its own licence.\n';
  return [head, ...entries].join('\n');
}

function describe({ name, version, licence, homepage }: BundledPackage): string {
  return [`${name} ${version} (${licence.replace(/^\((.*)\)$/, '$1')})`, homepage]
    .filter(Boolean)
    .join('\n  ');
}
