import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { readText, repositoryRoot } from '../support/sourceFiles.ts';

const folder = '.github/ISSUE_TEMPLATE';

/** What GitHub's reference says of a form, as far as ours use it. Anything else in one is a mistake. */
const label = z.string().min(1);
const validations = z.strictObject({ required: z.boolean() }).optional();
const id = z.string().regex(/^[\w-]+$/);
const field = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('markdown'),
    attributes: z.strictObject({ value: z.string().min(1) }),
  }),
  z.strictObject({
    type: z.literal('textarea'),
    id,
    attributes: z.strictObject({
      label,
      description: z.string().optional(),
      placeholder: z.string().optional(),
      render: z.string().optional(),
    }),
    validations,
  }),
  z.strictObject({
    type: z.literal('checkboxes'),
    id,
    attributes: z.strictObject({ label, options: z.array(z.strictObject({ label })).min(1) }),
  }),
]);
const form = z.strictObject({
  name: z.string().min(4),
  description: z.string().min(4),
  labels: z.array(z.string()),
  body: z.array(field).min(1),
});

test('Issue forms are what GitHub takes for one', async () => {
  const files = (await readdir(join(repositoryRoot, folder))).filter(name => name !== 'config.yml');
  expect(files.toSorted()).toEqual(['bug.yml', 'idea.yml']);
  for (const file of files) {
    const { body } = form.parse(parse(await readText(`${folder}/${file}`)));
    const ids = body.flatMap(each => ('id' in each ? [each.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('Every address of the repository is the one of package.json', async () => {
  const { repository, bugs, homepage, qna } = JSON.parse(await readText('package.json'));
  const address = repository.url.replace(/\.git$/, '');
  expect([bugs.url, qna, homepage]).toEqual([`${address}/issues`, `${address}/issues`, `${address}#readme`]);
  const { contact_links } = parse(await readText(`${folder}/config.yml`));
  for (const { url } of contact_links) expect(url.startsWith(`${address}/`), url).toBe(true);
});

test('The newest version of the changelog is the one of package.json', async () => {
  const { version } = JSON.parse(await readText('package.json'));
  const [, newest] =
    /^## \[(.+?)\] - (?:Unreleased|\d{4}-\d{2}-\d{2})$/m.exec(await readText('CHANGELOG.md')) ?? [];
  expect(newest).toBe(version);
});
