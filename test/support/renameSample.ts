/** A project in TypeScript whose `computeSum` is used twice in each of so many files, beside its declaration. */
export function renameSample(files: number): Readonly<Record<string, string>> {
  const users = Array.from({ length: files - 1 }, (_, at) => [
    `user${at}.ts`,
    `import { computeSum } from './sums';

export function use${at}(first: number): number {
  return computeSum(first, ${at}) + computeSum(first, first);
}
`,
  ]);
  return {
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }',
    'sums.ts':
      'export function computeSum(first: number, second: number): number {\n  return first + second;\n}\n',
    ...Object.fromEntries(users),
  };
}
