/* What is asked of the syntax and the types of the source, which are read once for all of it. */

import { resolve } from 'node:path';
import { API, type Project } from 'typescript/unstable/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSources, repositoryRoot } from '../support/sourceFiles.ts';
import { findBags } from './bags.ts';
import { findCuts } from './textCuts.ts';
import { findLongWiring } from './wiring.ts';

let api: API;
let extension: Project;

function open(name: string): Project {
  const config = resolve(repositoryRoot, 'src', name, 'tsconfig.json');
  return api.updateSnapshot({ openProjects: [config] }).getProject(config)!;
}

beforeAll(() => {
  api = new API({ cwd: repositoryRoot });
  extension = open('extension');
});

afterAll(() => api.close());

test('nothing in core takes a bag of collaborators', () => {
  expect(findBags(extension)).toEqual([]);
});

test('nothing in core is named after being handed on', async () => {
  const declaration = /\b(?:interface|type|class) (\w+(?:Parts|Environment|Deps))\b/g;
  const sources = await readSources('src/extension/core');
  expect(
    sources.flatMap(({ path, text }) =>
      [...text.matchAll(declaration)].map(([, name]) => `${path}: ${name}`),
    ),
  ).toEqual([]);
});

test('no function that wires parts together is longer than a glance', () => {
  const { count, long } = findLongWiring(extension);
  expect(count).toBeGreaterThan(300);
  expect(long).toEqual([]);
});

test('a text is cut at a limit by headOf and tailOf alone, which leave characters whole', () => {
  const found = [extension, open('webview')].flatMap(findCuts);
  expect([...new Set(found)]).toEqual([]);
});
