import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../support/sourceFiles.ts';

type Context = Readonly<Record<string, string | number | boolean | readonly string[]>>;

interface Entry {
  readonly command: string;
  readonly when?: string;
}

const { activationEvents, contributes } = JSON.parse(
  await readFile(join(repositoryRoot, 'package.json'), 'utf8'),
) as {
  readonly activationEvents: readonly string[];
  readonly contributes: {
    readonly commands: readonly Entry[];
    readonly menus: Readonly<Record<string, readonly Entry[]>> & {
      readonly commandPalette: readonly Entry[];
    };
  };
};

const file = { activeEditor: 'workbench.editors.files.textFileEditor', resourceScheme: 'file' };
const aboutCode = [
  'folio.addSelection',
  'folio.fixProblem',
  'folio.explainProblem',
  'folio.addProblem',
  'folio.editSelection',
  'folio.explainSelection',
  'folio.writeTests',
  'folio.documentSelection',
];
const aboutReview = [
  'acceptHunk',
  'rejectHunk',
  'peekHunk',
  'acceptFile',
  'rejectFile',
  'openFileChanges',
].map(name => `folio.review.${name}`);
const whileReviewing = ['nextHunk', 'previousHunk', 'acceptAll', 'rejectAll'].map(
  name => `folio.review.${name}`,
);

test.each<[string, Context, readonly string[]]>([
  ['nothing is open', {}, []],
  ['a file is open', file, aboutCode],
  [
    'a file of a repository is open',
    { ...file, gitOpenRepositoryCount: 1 },
    [...aboutCode, 'folio.reviewChanges', 'folio.resolveConflicts'],
  ],
  ['a repository is open and no file', { gitOpenRepositoryCount: 2 }, ['folio.reviewChanges']],
  ['a terminal is open', { terminalIsOpen: true }, ['folio.fixTerminal']],
  [
    'text of a terminal is selected',
    { terminalIsOpen: true, terminalTextSelected: true },
    ['folio.fixTerminal', 'folio.addTerminalSelection'],
  ],
  ['a program runs in the debugger', { debugState: 'running' }, []],
  ['a program stands still in the debugger', { debugState: 'stopped' }, ['folio.fixStopped']],
  [
    'a proposal is open that waits',
    {
      resourceScheme: 'folio-proposal',
      resource: 'folio-proposal:/a',
      'folio.pendingProposals': ['folio-proposal:/a'],
    },
    ['folio.acceptProposal', 'folio.rejectProposal'],
  ],
  [
    'a proposal is open that was decided',
    { resourceScheme: 'folio-proposal', resource: 'folio-proposal:/a', 'folio.pendingProposals': [] },
    [],
  ],
  [
    'another file waits for review',
    { ...file, resourcePath: '/b', 'folio.reviewing': true, 'folio.reviewedFiles': ['/a'] },
    [...aboutCode, ...whileReviewing],
  ],
  [
    'the open file waits for review and can be commented on',
    {
      ...file,
      resourcePath: '/a',
      'folio.reviewing': true,
      'folio.reviewedFiles': ['/a'],
      'folio.commentableFiles': ['/a'],
    },
    [...aboutCode, ...aboutReview, ...whileReviewing, 'folio.comments.begin'],
  ],
  ['a change was rejected', { 'folio.canBringBack': true }, ['folio.review.bringBackLastRejected']],
  ['comments are open', { 'folio.hasOpenComments': true }, ['folio.comments.send']],
])('where %s, the palette offers what applies there and nothing else', (_where, context, offered) => {
  const conditional = contributes.menus.commandPalette.filter(({ when }) => holds(when ?? 'true', context));
  expect(conditional.map(({ command }) => command).toSorted()).toEqual([...offered].toSorted());
});

test('each command of the palette has one entry at most, and no entry is of a command that is gone', () => {
  const names = contributes.menus.commandPalette.map(({ command }) => command);
  expect(new Set(names).size).toBe(names.length);
  const known = new Set(contributes.commands.map(({ command }) => command));
  expect(names.filter(name => !known.has(name))).toEqual([]);
});

test('nothing starts Folio but a use of it: no start-up, no language, no workspace', () => {
  expect(activationEvents).toEqual(['onFileSystem:folio-summary', 'onUri', 'onWebviewPanel:folio.editor']);
});

/** As VS Code reads a clause, as far as the palette's go: terms joined by `&&`. */
function holds(clause: string, context: Context): boolean {
  return clause.split('&&').every(term => holdsTerm(term.trim(), context));
}

function holdsTerm(term: string, context: Context): boolean {
  const [, key = '', operator, value = ''] = /^(!?[\w.]+)(?:\s+(==|in|>)\s+(\S+))?$/.exec(term) ?? [];
  if (key === '') throw new Error(`The test cannot read “${term}”.`);
  if (key === 'true' || key === 'false') return key === 'true';
  const known = context[key];
  switch (operator) {
    case '==':
      return String(known) === value;
    case '>':
      return Number(known ?? 0) > Number(value);
    case 'in': {
      const list = context[value];
      return Array.isArray(list) && list.includes(known);
    }
    default:
      return key.startsWith('!') ? !context[key.slice(1)] : Boolean(known);
  }
}

test('what stands in menus of VS Code or of others says that it is of Folio', async () => {
  const titles: unknown = JSON.parse(await readFile(join(repositoryRoot, 'package.nls.json'), 'utf8'));
  // Menus of Folio's own, or of what only Folio shows, name it once at their top.
  const own = /folio[.-]|commentController == folio/;
  const foreign = Object.entries(contributes.menus)
    .filter(([menu]) => menu !== 'commandPalette')
    .flatMap(([, entries]) => entries)
    .filter(
      ({ command, when = '' }) => command && !own.test(when.replace('resourceScheme != folio-proposal', '')),
    );
  expect(foreign.length).toBeGreaterThan(8);
  expect(
    foreign
      .map(({ command }) => command)
      .filter(name => !/Folio/.test((titles as Record<string, string>)[name] ?? '')),
  ).toEqual([]);
});

test('the menu of the view begins a session in a worktree, where there is a repository', () => {
  const entry = contributes.menus['view/title']?.find(({ command }) => command === 'folio.newInWorktree');
  expect(entry?.when).toBe('view == folio.panel && gitOpenRepositoryCount > 0');
});
