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
};

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
  { form: /GuestHookProcesses/g, because: 'a name in the API of clients' },
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
