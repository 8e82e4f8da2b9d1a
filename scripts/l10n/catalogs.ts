/* Reads, generates and checks the catalogs of `l10n/`. */

import { formsOf } from '../../src/protocol/language.ts';
import { findImports, readSources, resolveImport } from '../../test/support/sourceFiles.ts';
import { findLiterals, isSaidByHost, isSaidByTool, isSaidOnPage, isSaidOrThrown } from './findLiterals.ts';
import { eachSource, type FoundMessage, findMessages } from './findMessages.ts';
import { type Catalog, readCatalog } from './readCatalog.ts';

export const languages = ['de', 'zh-cn'] as const;

export interface Messages {
  readonly all: readonly FoundMessage[];
  /** Messages of the page, sorted. */
  readonly ofPage: readonly string[];
  /** Literal sentences without a look-up: `src/webview/app.tsx:12: Loading`. */
  readonly literals: readonly string[];
}

/** Finds all messages that the source looks up, and sentences that it should look up. */
export async function readMessages(): Promise<Messages> {
  const page = await filesOfPage();
  const all: FoundMessage[] = [];
  const literals: string[] = [];
  eachSource((file, path) => {
    all.push(...findMessages(file, path));
    if (onCards.test(path) && !heardByOthers.test(path))
      literals.push(...findLiterals(file, path, isSaidByTool));
    if (page.has(path)) literals.push(...findLiterals(file, path, isSaidOnPage));
    if (isSpoken(path)) {
      const isSaid = throwsToPeople.test(path) ? isSaidOrThrown : isSaidByHost;
      literals.push(...findLiterals(file, path, literal => isSaid(literal) && !english.has(literal.text)));
    }
  });
  const ofPage = all.filter(({ place }) => page.has(place.replace(/:\d+$/, '')));
  return { all, ofPage: sortedMessages(ofPage), literals };
}

/** Rooms with texts for models, except those on the cards of calls. */
const onCards = /^src\/extension\/(?:tools|mcp\/tools|core\/(?!commands\/|agents\/(?:parseAgent|toolNames)))/;

/** Returns true for rooms with texts for users, except those for models or extension authors. */
function isSpoken(path: string): boolean {
  return spokenRooms.test(path) && !heardByOthers.test(path) && !sentOn.test(path);
}

const spokenRooms = new RegExp(
  `^src/extension/(?:${[
    'mcp/(?!content/|tools/|connection/(?:serverMessages|changeSubscription|paramHeaders))',
    'compose[./]',
    'platform/(?!debug/)',
    'base/issueWords',
    'models/(?!media/)',
    'node/(?!browser/|keyring/systemKeyring|debug/|search/|scripts/scriptChild|checks/|settings/fileSettings|sandbox/(?:hostProxy|seatbeltProfile|secretPlaces)|processes/(?:nodeProcesses|shell))',
    'tools/(?:createMentionFiles|readMentionedPage)\\.ts',
    'vscode/',
    'shell/',
    'core/(?:changes|export|policy|routing)/',
    'core/commands/',
    'core/(?:paths|protectedPaths).ts',
    'core/context/(?:compression/(?:compressions|excess|summarise)|describeMemory|describeRequest|extraFolders|memory).ts',
    'core/(?:extensions|skills)/',
    'core/agents/(?:parseAgent|readAgents|toolNames).ts',
    'core/customizations/',
    'core/mentions/(?:completeMention|readMentions).ts',
    'core/hooks/(?:hookRuns|mergeAnswers|parse\\w+).ts',
    'core/recording/(?:workClosingEvents|recorder|restore).ts',
  ].join('|')})`,
);

/** Rooms whose errors are shown to users. Elsewhere errors are bugs. */
const throwsToPeople = /^src\/extension\/(?:compose|mcp|node|platform)[./]/;

/** Files with requests, classified errors and names of models, which users do not read as written. */
const sentOn =
  /models\/(?:\w+\/(?:to[A-Z]\w+|toolSchema|eventStream)|(?:anthropic|bedrock|gemini)\/(?:bedrockM|m)odels|wire\/(?:callArguments|exchange|readAnswerEvents))\.ts$/;

const heardByOthers =
  /core\/(?:commands\/(?:creation\/creationTexts|table\/composeInitPrompt|texts\/(?:conflictPrompt|formatBugReport))|comments\/describeComments|export\/gitDrafts|context\/compression\/summaryPrompt|plan\/approvedPlan|policy\/commandClassifier|routing\/classifier)\.ts|vscode\/(?:(?:api|ports)\/|languageModels\/toLanguageModelRequest)|vscode\/features\/(?:otherExtensions\/|entryPoints\/actionTexts\.ts)|vscode\/(?:panel\/panelHtml|serverSettings|vscodeDebugger)\.ts/;

/** Texts for models and developers. */
const english: ReadonlySet<string> = new Set([
  'New file, not tracked yet: {}',
  'Load the skill "{}" with `activate_skill` and do what it says.',
  '{}\n[The command `{}` {}]',
  '(binary output, left out)',
  '(no output)',
  'could not start: {}',
  'was stopped: it printed nothing for {}',
  'second',
  'was ended by the signal {}',
  'ended with exit code {}',
  '\n… {} characters left out …\n',
  ', remote: {}',
  'the end of Folio',
  'Probably "{}" is missing.',
  'This does not read as valid syntax.',
  '--enable-auto-tool-choice and --tool-call-parser',
  'America/Los_Angeles',
  'Bearer {}',
  'chat completions',
  'data: {}\n\n',
  'text/html; charset=utf-8',
  // Content security policies, and texts between pages and the model.
  'img-src data: blob: {}',
  'media-src data: blob: {}',
  'font-src data: {}',
  'connect-src {}',
  'sandbox allow-scripts',
  "default-src 'none'; style-src {}; script-src {}; frame-src {}; base-uri 'none'; form-action 'none'; sandbox allow-scripts",
  'Folio does not know {}.',
  'a page of the server {}, which they see, called its tool {}',
  // Names used as keys.
  'worktree push',
  'worktree pr',
  'extension {} {}',
  'excluded tool',
  'discovered tools',
  'link to {}',
  'Makefile',
  'symbol:',
  // What would run stands as its file has it, and its length decides whether it may.
  'sign-in at {}',
  'in {}',
  'variables of {}',
  'in the sandbox',
  'connects to',
  // Log lines of servers, and output of hooks.
  'Its tool {} was left out: {}.',
  'The sandbox did not let it connect to {}. Name it in "hosts" of its "sandbox".',
  'The sandbox took back what is protected: {}.',
  'Its sandbox could not be taken down: {}',
  'A message of {} was left out.',
  'It printed what is no message: {}',
  'A question to you could not be shown: {}',
  'Its answers to {} go on and on: {} were read, the rest was left out.',
  'The schema of a tool cannot be checked: {}',
  '{} of {} entries of {} are not valid and were left out.',
  '{} is declared and refused, so that nothing was read: {}',
  'Its lists could not be read again: {}',
  'The rehearsal could not be started',
  'The proxy {} answers {}.',
  // Errors that are caught, or bugs.
  'There is no program {}.',
  'Too many symbolic links.',
  'A pipe could not be made in {}.',
  'The journal is closed.',
  'The server for the answer is closed.',
  'No sign-in is under way.',
  // Output for other programs.
  'data: {}\n',
  'Basic {}',
  '{} missing\n',
  '{} could not be written and ends here: {}',
  'git {} {}',
  'gzip, deflate, br',
  'Mozilla/5.0 (compatible; Folio)',
  '/Library/Application Support',
  'forgotten {}',
  'signal {}',
  'No terminal could be opened here, so its standard input is a plain pipe: programs that ask for a terminal do not work.',
  // Unit symbols are international.
  '{} ms',
  ' {} min',
  '{} min{}',
  '{} UTC',
]);

/** Returns the generated files by path: the English catalog, and the part of each catalog for the page. */
export function generatedFiles({ all, ofPage }: Messages): Readonly<Record<string, string>> {
  const english = Object.fromEntries(sortedMessages(all).map(message => [message, message]));
  return { 'l10n/bundle.l10n.json': jsonText(english), 'l10n/page.json': jsonText(ofPage) };
}

/** Returns problems of the translations of source and `package.json`, one sentence each. */
export async function findProblems(): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const kind of ['l10n/bundle.l10n', 'package.nls']) {
    const english = await readCatalog(`${kind}.json`);
    for (const language of languages)
      problems.push(...compareCatalogs(english, await readCatalog(`${kind}.${language}.json`), language));
  }
  return problems;
}

/** Returns problems of a translation, one sentence each. `english`: messages by key. */
export function compareCatalogs(english: Catalog, translated: Catalog, language: string): readonly string[] {
  const missing = Object.keys(english).filter(key => !Object.hasOwn(translated, key));
  const stale = Object.keys(translated).filter(key => !Object.hasOwn(english, key));
  const both = Object.entries(translated).filter(([key]) => Object.hasOwn(english, key));
  return [
    ...missing.map(key => `${language} lacks: ${key}`),
    ...stale.map(key => `${language} has what nobody says any more: ${key}`),
    ...both.flatMap(([key, text]) =>
      differences(english[key]!, text, language).map(what => `${language} ${what}: ${key}`),
    ),
  ];
}

/** Checks that placeholders match, and that a plural has the forms of its language. */
function differences(english: string, translated: string, language: string): readonly string[] {
  const [forms, others] = [formsOf(english), formsOf(translated)];
  if (forms.size === 0)
    return placeholders(english) === placeholders(translated) ? [] : ['has other placeholders'];
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const isWhole = pluralCategories.every(name => others.has(name)) && others.size === pluralCategories.length;
  if (!isWhole) return [`must have the forms ${pluralCategories.join(', ')} and no other`];
  const wanted = placeholders(forms.get('other')!);
  return [...others.values()].every(text => placeholders(text) === wanted) ? [] : ['has other placeholders'];
}

function placeholders(text: string): string {
  return [...new Set(text.match(/\{\d\}/g))].toSorted().join(' ');
}

/** Returns all files that the entry of the page imports, transitively. */
async function filesOfPage(): Promise<ReadonlySet<string>> {
  const sources = new Map((await readSources('src')).map(({ path, text }) => [path, text]));
  const reached = new Set(['src/webview/main.tsx']);
  for (const path of reached) {
    for (const specifier of findImports(sources.get(path) ?? ''))
      if (specifier.startsWith('.')) reached.add(resolveImport(path, specifier));
  }
  return reached;
}

function sortedMessages(found: readonly FoundMessage[]): readonly string[] {
  return [...new Set(found.flatMap(({ message }) => message ?? []))].toSorted();
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
