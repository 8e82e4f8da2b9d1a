import { expect, test } from 'vitest';
import { readSources } from '../support/sourceFiles.ts';

/** Comments from their first word on. A line comment that continues from the line above begins nothing. */
const beginnings = /(?<!^[ \t]*\/\/.*\n[ \t]*)(?:\/\*\*?|(?<=^|\s)\/\/)\s+(?:\* )?(\w+)/gm;

/** A comment that opens with one of these has no subject, and is read twice. */
const bare = new Set(['Who', 'Whoever', 'Whose', 'What', 'Whatever', 'Of', 'That', 'Whether']);

test('a comment in the source begins as a sentence with a subject', async () => {
  const found = (await readSources('src')).flatMap(({ path, text }) =>
    [...text.matchAll(beginnings)]
      .filter(match => bare.has(match[1]!))
      .map(match => `${path}:${text.slice(0, match.index).split('\n').length}`),
  );
  expect(found).toEqual([]);
});
