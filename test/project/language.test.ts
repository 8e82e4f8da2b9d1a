import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../support/sourceFiles.ts';

/** Words that stop a reader from the field, in names, comments, texts and docs, and what to write instead. */
const words: Readonly<Record<string, string>> = {
  person: 'user',
  persons: 'users',
  trouble: 'error, problem or failure',
  troubles: 'errors, problems or failures',
  wish: 'request, intent',
  wishes: 'requests, intents',
  walls: 'sandbox',
  surroundings: 'environment, context',
  sighting: 'snapshot',
  bystander: 'other run',
  bystanders: 'other runs',
  neighbour: 'other extension, adjacent entry',
  neighbours: 'other extensions, adjacent entries',
  guest: 'client extension',
  guests: 'client extensions',
  keeper: 'supervisor, owner',
  keepers: 'supervisors, owners',
  anew: 'again',
  beforehand: 'in advance',
  doings: 'activity',
  hindered: 'blocked',
  untold: 'unreported',
  unsaid: 'unreported',
  catastrophe: 'destructive command',
  catastrophes: 'destructive commands',
  walled: 'sandboxed',
};

/** Parts of exported names that readers guess wrong, since they do not say how, by whom or for what. */
const vagueParts: Readonly<Record<string, string>> = {
  beside: 'the relation: exclusive, side query, without',
  heard: 'reported, attributed',
  held: 'staged, buffered, blocked',
  kept: 'saved, compressed, quarantined, visible',
  taught: 'learned',
  wanted: 'a request, a plan',
};

/** Names of the page and of servers that stay until their folders change anyway. */
const vagueNames: ReadonlySet<string> = new Set([...['KeptPicture', 'heldHint']]);

/** What other files, other versions or other programs know by such a word, and the reason why it stays. */
const allowed: readonly { readonly form: RegExp; readonly because: string }[] = [
  {
    form: /'person'|\bperson:(?= t\(| 'person')|`person:NAME`/g,
    because: 'a value in journals, settings and commands',
  },
  { form: /comment == person/g, because: 'a value of context in package.json' },
  {
    form: /(?<=[.{ (]|^)trouble(?=\??: |\.|\)|\}|,| }|;|$)/gm,
    because: 'a member of a failed turn in journals and the API',
  },
  { form: /(?<=[.{ ])walls(?=\??: |\)|\.| &&| ?\}| \?)/g, because: 'a member of an ask in journals' },
  { form: /'trouble'|[\w-]+-trouble[\w-]*/g, because: 'an id of a row and names of classes of the webview' },
];

test('names, comments, texts and docs use the words of the field', async () => {
  const found = (await readPages()).flatMap(({ path, text }) => {
    const plain = allowed.reduce(
      (rest, { form }) => rest.replace(form, match => ' '.repeat(match.length)),
      text,
    );
    return plain.split('\n').flatMap((line, index) =>
      wordsOf(line)
        .filter(word => Object.hasOwn(words, word))
        .map(word => `${path}:${index + 1}: "${word}"; write ${words[word]}`),
    );
  });
  expect(found).toEqual([]);
});

test('exported names say what they hold', async () => {
  const found = (await readPages()).flatMap(({ path, text }) =>
    [...text.matchAll(exported)].flatMap(([, name = '']) =>
      wordsOf(name)
        .filter(word => Object.hasOwn(vagueParts, word) && !vagueNames.has(name))
        .map(word => `${path}: ${name}; instead of "${word}" write ${vagueParts[word]}`),
    ),
  );
  expect(found).toEqual([]);
});

const exported = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;

/** Names count by their parts: `forPerson` holds `person`. */
function wordsOf(line: string): readonly string[] {
  return line.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.map(word => word.toLowerCase()) ?? [];
}

async function readPages(): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const below = await Promise.all(
    ['src', 'docs'].map(async folder => {
      const entries = await readdir(join(repositoryRoot, folder), { recursive: true, withFileTypes: true });
      return entries
        .filter(entry => entry.isFile() && /\.(ts|tsx|css|md)$/.test(entry.name))
        .map(entry =>
          join(entry.parentPath, entry.name)
            .slice(repositoryRoot.length + 1)
            .replaceAll('\\', '/'),
        );
    }),
  );
  const paths = [...below.flat(), 'README.md', 'AGENTS.md', 'CONTRIBUTING.md'];
  return await Promise.all(
    paths.map(async path => ({ path, text: await readFile(join(repositoryRoot, path), 'utf8') })),
  );
}
