import { join } from 'node:path';
import { expect } from 'vitest';
import type {
  CodeAction,
  CodeEdit,
  CodeSymbol,
  Languages,
  SymbolRelation,
} from '../../src/extension/platform/languages.ts';
import { applyEdits } from '../../src/extension/tools/symbols/manyFiles.ts';

/** A project in TypeScript in which each name means one thing. */
export const languageSample = {
  'loose.ts': 'export  const amount=1;\nexport const two = amuont;\n',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }',
  'sums.ts': `export function computeSum(first: number, second: number): number {
  return first + second;
}

export class Invoice {
  total(): number {
    return computeSum(1, 2);
  }
}
`,
  'main.ts': `import { computeSum, Invoice } from './sums';

export function printAll(): string {
  const sum = computeSum(3, 4);
  return String(sum + new Invoice().total());
}
`,
};

/** What holds for language servers that have answered once. `folder`: absolute, it holds the sample. */
export async function expectLanguages(languages: Languages, folder: string): Promise<void> {
  await expectSymbols(languages, folder);
  await expectFixes(languages, folder);
}

/** What any server gives, whichever fixes it knows. */
export async function expectSymbols(languages: Languages, folder: string): Promise<void> {
  const { signal } = new AbortController();
  const [sums, main] = [join(folder, 'sums.ts'), join(folder, 'main.ts')];
  const symbols = await languages.outline(sums, signal);
  expect(symbols.map(notify)).toEqual([
    'Function computeSum 1-3 at 1:17',
    'Class Invoice 5-9 at 5:14',
    'Method Invoice.total 6-8 at 6:3',
  ]);
  expect(await languages.outline(join(folder, 'none.ts'), signal)).toEqual([]);
  expect(await languages.findDeclaringFiles('computeSum', signal)).toEqual([sums]);
  expect(await languages.findDeclaringFiles('comput', signal)).toEqual([]);

  const follow = async (name: string, relation: SymbolRelation) => {
    const { at } = symbols.find(symbol => symbol.name === name)!;
    const places = await languages.follow(at, relation, signal);
    return places.map(({ path, first, inside }) => `${path} ${first} ${inside ?? ''}`.trim()).sort();
  };
  expect(await follow('computeSum', 'references')).toEqual(
    [`${main} 1`, `${main} 4`, `${sums} 1`, `${sums} 7`].sort(),
  );
  expect(await follow('computeSum', 'callers')).toEqual([`${main} 4 printAll`, `${sums} 7 total`].sort());
  expect(await follow('Invoice', 'definition')).toEqual([`${sums} 5`]);
  const { at } = symbols.find(({ name }) => name === 'computeSum')!;
  const renaming = await languages.rename(at, 'addUp', signal);
  const changed = renaming.kind === 'edits' ? renaming.files : [];
  expect(Object.fromEntries(changed.map(({ path, edits }) => [path, edits.map(reportEdit).sort()]))).toEqual({
    [main]: ['1:10-20 addUp', '4:15-25 addUp'],
    [sums]: ['1:17-27 addUp', '7:12-22 addUp'],
  });
  const inLibrary = { path: main, line: 5, column: 10 };
  expect(await languages.rename(inLibrary, 'Text', signal)).toMatchObject({ kind: 'refused' });

  const loose = join(folder, 'loose.ts');
  const whole = await languages.offer({ path: loose }, signal);
  expect(applied(whole, 'Format Document', loose)).toBe(
    'export const amount = 1;\nexport const two = amuont;\n',
  );
  expect(await languages.offer({ path: join(folder, 'none.ts') }, signal)).toEqual([]);

  // Also from a place that only uses it.
  const used = {
    path: main,
    line: 5,
    column: languageSample['main.ts'].split('\n')[4]!.indexOf('total') + 1,
  };
  expect(
    (await languages.follow(used, 'definition', signal)).map(({ path, first }) => [path, first]),
  ).toEqual([[sums, 6]]);
}

async function expectFixes(languages: Languages, folder: string): Promise<void> {
  const { signal } = new AbortController();
  const loose = join(folder, 'loose.ts');
  const fixes = await languages.offer({ path: loose, first: 2, last: 2 }, signal);
  expect(applied(fixes, "Change spelling to 'amount'", loose)).toBe(
    'export  const amount=1;\nexport const two = amount;\n',
  );
  expect(fixes.map(({ title }) => title)).not.toContain('Format Document');
  // An action that makes a file is no change of text, and one that changes nothing is no offer.
  expect(fixes.find(({ title }) => title === 'Move to a new file')?.change.kind).toBe('refused');
  expect(fixes.filter(({ change }) => change.kind === 'edits' && change.files.length === 0)).toEqual([]);
}

function applied(actions: readonly CodeAction[], title: string, path: string): string | undefined {
  const change = actions.find(action => action.title === title)?.change;
  if (change?.kind !== 'edits') return undefined;
  expect(change.files.map(file => file.path)).toEqual([path]);
  return applyEdits(languageSample['loose.ts'], change.files[0]!.edits);
}

function reportEdit({ from, to, text }: CodeEdit): string {
  return `${from.line}:${from.column}-${to.column} ${text}`;
}

function notify({ kind, container, name, first, last, at }: CodeSymbol): string {
  const whole = container === '' ? name : `${container}.${name}`;
  return `${kind} ${whole} ${first}-${last} at ${at.line}:${at.column}`;
}
