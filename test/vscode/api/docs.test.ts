import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('the examples of the API in docs are those that are compiled and run', async () => {
  const docs = await read('docs/api.md');
  const examples = await read('test/api/client/examples.ts');
  const shown = [...docs.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code.trim());
  const regions = [...examples.matchAll(/\/\/ #region \w+\n(.*?)\/\/ #endregion/gs)].map(([, code = '']) =>
    // Others copy the file with the types beside their own.
    code.trim().replace('../../../src/extension/vscode/api/folioApi.ts', './folioApi.ts'),
  );
  expect(shown.length).toBeGreaterThan(5);
  expect(shown).toEqual(regions);
});

test('each function of the API has an example', async () => {
  const api = await read('src/extension/vscode/api/folioApi.ts');
  const examples = await read('test/api/client/examples.ts');
  const connection = /interface FolioConnection [^{]*\{(.*?)\n\}/s.exec(api)?.[1] ?? '';
  const names = [...connection.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(4);
  for (const name of [...names, 'connect']) expect(examples).toContain(`.${name}(`);
});
