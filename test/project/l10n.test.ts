import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  compareCatalogs,
  findProblems,
  generatedFiles,
  languages,
  type Messages,
  readMessages,
} from '../../scripts/l10n/catalogs.ts';
import { findLiterals, isSaidByHost, isSaidOnPage, type Literal } from '../../scripts/l10n/findLiterals.ts';
import { eachSource, type FoundMessage, findMessages } from '../../scripts/l10n/findMessages.ts';
import { readText } from '../support/sourceFiles.ts';

describe('the sentences of the source', () => {
  let messages: Messages;

  beforeAll(async () => {
    messages = await readMessages();
  });

  test('are literals where they are looked up', () => {
    const computed = messages.all.filter(({ message }) => message === undefined);
    expect(computed.map(({ place }) => place)).toEqual([]);
  });

  test('are looked up when they are said, not as a module loads', () => {
    expect(messages.all.filter(({ isEarly }) => isEarly).map(({ place }) => place)).toEqual([]);
  });

  test('are looked up wherever the page says one', () => {
    expect(messages.literals).toEqual([]);
  });

  test('are in the catalogs: run "npm run l10n" when one is not', async () => {
    for (const [path, text] of Object.entries(generatedFiles(messages)))
      expect(await readText(path), `Run "npm run l10n" and commit what it writes to ${path}`).toBe(text);
  });

  test('and those of package.json are whole in every language, with the same placeholders', async () => {
    expect(await findProblems()).toEqual([]);
  });
});

test.each(languages)('a sentence in %s calls a command as the palette does', async language => {
  const { contributes } = JSON.parse(await readText('package.json'));
  const english = JSON.parse(await readText('package.nls.json'));
  const translated = JSON.parse(await readText(`package.nls.${language}.json`));
  const keys: readonly string[] = contributes.commands.map(({ title }: { title: string }) =>
    title.replaceAll('%', ''),
  );
  // The longer one of two that begin alike is meant.
  const longestFirst = keys.toSorted((a, b) => english[b].length - english[a].length);
  const nameIn = (text: string) => longestFirst.find(key => text.includes(`Folio: ${english[key]}`));
  const sentences: Record<string, string> = JSON.parse(await readText(`l10n/bundle.l10n.${language}.json`));
  const naming = Object.entries(sentences).filter(([sentence]) => nameIn(sentence) !== undefined);
  expect(naming.length).toBeGreaterThan(5);
  const wrong = naming.filter(
    ([sentence, text]) => !text.includes(`Folio: ${translated[nameIn(sentence)!]}`),
  );
  expect(wrong.map(([, text]) => text)).toEqual([]);
});

test('package.json says nothing itself', async () => {
  const { contributes } = JSON.parse(await readText('package.json'));
  const said: string[] = [];
  JSON.stringify(
    { ...contributes, languageModelTools: namesOf(contributes.languageModelTools) },
    (key, value) => {
      if (spoken.test(key))
        said.push(
          ...[value].flat().filter(text => typeof text === 'string' && !/^(?:%.*%|[Ff]olio|)$/.test(text)),
        );
      return value;
    },
  );
  expect(said).toEqual([]);
});

/** Names in package.json under which VS Code shows a text. */
const spoken =
  /^(?:title|name|description|markdownDescription|enumDescriptions|enumItemLabels|displayName|userDescription|label|altText)$/;

/** What a model is told of a tool is English. */
function namesOf(tools: readonly { readonly displayName: string; readonly userDescription: string }[]) {
  return tools.map(({ displayName, userDescription }) => ({ displayName, userDescription }));
}

test('a translation lacks nothing, has nothing more, and has the places of values and the forms of its language', () => {
  const english = {
    'Open {0}': 'Open {0}',
    'one: {0} file | other: {0} files': 'one: {0} file | other: {0} files',
  };
  const [open, files] = Object.keys(english) as [string, string];
  const german = { [open]: '{0} öffnen', [files]: 'one: {0} Datei | other: {0} Dateien' };
  expect(compareCatalogs(english, german, 'de')).toEqual([]);
  expect(compareCatalogs(english, { [open]: '打开 {0}', [files]: 'other: {0} 个文件' }, 'zh-cn')).toEqual([]);
  expect(
    compareCatalogs(english, { [open]: '{1} öffnen', [files]: 'other: {0} Dateien', Old: 'Alt' }, 'de'),
  ).toEqual([
    'de has what nobody says any more: Old',
    'de has other placeholders: Open {0}',
    `de must have the forms one, other and no other: ${files}`,
  ]);
  expect(compareCatalogs(english, { [open]: german[open]! }, 'de')).toEqual([`de lacks: ${files}`]);
});

test('the finder knows a sentence when it sees one', async () => {
  const { messages, literals } = await findIn(`
    import { plural, t } from '../protocol/language.ts';
    const early = t('Too early');
    const codes = { kind: 'two words', 'a key': 1 };
    export function Page({ name, count }) {
      if (name === 'Two words') throw new Error('A bug of ours');
      const late = t('Hello ' + 'you') + t(name) + plural(count, 'one: {0} file | other: {0} files');
      return (
        <p class="two classes" title={name ? 'Title' : undefined} data-code="code">
          Some words <b>{late}</b> {count > 1 ? 'many' : ''} {\`\${count} of them\`} {t('Said', early)}
        </p>
      );
    }`);
  expect(messages.map(({ message, isEarly }) => [message, isEarly])).toEqual([
    ['Too early', true],
    ['Hello you', false],
    [undefined, false],
    ['one: {0} file | other: {0} files', false],
    ['Said', false],
  ]);
  expect(literals.map(each => each.replace(/^[^:]*:\d+: /, ''))).toEqual([
    'two words',
    'Title',
    'Some words',
    'many',
    '{} of them',
  ]);
}, 60_000);

test('the finder knows what the host says to people', async () => {
  const { literals } = await findIn(
    `
    import { t } from '../protocol/language.ts';
    import { plural } from '../base/text.ts';
    const note = { kind: 'two words', title: 'Title', description: 'staged', path: '/What was sent.md' };
    export async function tell({ log, window, name, count }) {
      log.warn('The log is English');
      if (name === 'Two words') throw new Error('A bug of ours');
      await window.showErrorMessage(\`\${name} is gone\`, 'Open', t('Said'), '$(trash)\\u00a0Delete');
      return [plural(count, 'file'), 'code', 'Gemini', 'BeforeTool', note];
    }`,
    isSaidByHost,
  );
  expect(literals.map(each => each.replace(/^[^:]*:\d+: /, ''))).toEqual([
    'two words',
    'Title',
    'staged',
    '{} is gone',
    'Open',
    '$(trash)\u00a0Delete',
    'file',
  ]);
}, 60_000);

async function findIn(text: string, said: (literal: Literal) => boolean = isSaidOnPage) {
  const root = await mkdtemp(join(tmpdir(), 'folio-l10n-'));
  const files = {
    'src/webview/tsconfig.json': '{"compilerOptions": {"jsx": "preserve"}}',
    'src/webview/page.tsx': text,
  };
  const messages: FoundMessage[] = [];
  const literals: string[] = [];
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    const visit: Parameters<typeof eachSource>[0] = (file, path) => {
      messages.push(...findMessages(file, path));
      literals.push(...findLiterals(file, path, said));
    };
    eachSource(visit, root, ['webview']);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  return { messages, literals };
}

test('sentences in German say Sie', async () => {
  const paths = ['l10n/bundle.l10n.de.json', 'package.nls.de.json'];
  const sentences = (await Promise.all(paths.map(readText))).flatMap(text => Object.values(JSON.parse(text)));
  expect(sentences.length).toBeGreaterThan(1000);
  expect(sentences.filter(text => /\b(?:du|dir|dich|dein\w*)\b/i.test(String(text)))).toEqual([]);
});
