import type { WorldCase } from './report.ts';

export type Contents = Readonly<Record<string, string>>;

export interface ExcludeCase extends WorldCase {
  /** Below the user's home folder. */
  readonly home?: Contents;
  /** XDG_CONFIG_HOME, below the user's home folder. */
  readonly xdg?: string;
  /** Arguments of git, in the folder `work`, before the files are written. */
  readonly git?: readonly (readonly string[])[];
  /** Beside the folder `work`, a repository that has `work/info/exclude` in its `.git`. */
  readonly exclude?: string;
  /** Empty files end in nothing, others hold rules. */
  readonly files: Contents;
  /** Searched in place of `work`. */
  readonly searched?: string;
  /** Of the searched files those that count; absent: what Git says. */
  readonly found: readonly string[];
}

const commit = ['commit', '--quiet', '--allow-empty', '--message=first'];

/** Held against Git itself by `gitExcludes.test.ts`. */
export const excludeCases: readonly ExcludeCase[] = [
  {
    title: 'the excludes of the repository',
    source: 'report',
    exclude: '# mine\nnotes/\n*.key\n',
    files: { 'a.txt': '', 'a.key': '', 'notes/b.txt': '', 'src/c.key': '', 'src/d.txt': '' },
    found: ['a.txt', 'src/d.txt'],
  },
  {
    title: 'the file in the usual place',
    source: 'report',
    home: { '.config/git/ignore': '.DS_Store\n.idea/\n' },
    files: { 'a.txt': '', '.DS_Store': '', 'src/.idea/b.xml': '', 'src/.DS_Store': '' },
    found: ['a.txt'],
  },
  {
    title: 'another folder of settings',
    source: 'report',
    home: { '.config/git/ignore': 'a.txt\n', 'settings/git/ignore': 'b.txt\n' },
    xdg: 'settings',
    files: { 'a.txt': '', 'b.txt': '' },
    found: ['a.txt'],
  },
  {
    title: 'a setting with ~',
    source: 'report',
    home: { '.gitconfig': '[core]\n\texcludesfile = ~/my ignore # comment\n', 'my ignore': '*.tags\n' },
    files: { 'a.txt': '', 'x.tags': '' },
    found: ['a.txt'],
  },
  {
    title: 'a setting in quotes, over several lines, in capitals',
    source: 'peer',
    home: { '.gitconfig': '[CORE] ExcludesFile = "~/my\\\n ignore;x"\n', 'my ignore;x': '*.tags\n' },
    files: { 'a.txt': '', 'x.tags': '' },
    found: ['a.txt'],
  },
  {
    title: 'a setting in an included file',
    source: 'report',
    home: {
      '.gitconfig': '[include]\n\tpath = git/more\n[include]\npath = nothing\n',
      'git/more': '[core]\nexcludesFile = ~/ignored\n',
      ignored: '*.tags\n',
    },
    files: { 'a.txt': '', 'x.tags': '' },
    found: ['a.txt'],
  },
  {
    title: 'a setting for repositories in one place',
    source: 'report',
    home: {
      '.gitconfig':
        '[includeIf "gitdir:**/work/"]\npath = ~/one\n[includeIf "gitdir:~/other/"]\npath = ~/two\n',
      one: '[core]\nexcludesFile = ~/ignored\n',
      two: '[core]\nexcludesFile = ~/nothing\n',
      ignored: '*.tags\n',
    },
    files: { 'a.txt': '', 'x.tags': '' },
    found: ['a.txt'],
  },
  {
    title: 'a setting for one branch',
    source: 'peer',
    home: {
      '.gitconfig':
        '[includeIf "onbranch:feature/"]\npath = ~/one\n[includeIf "onbranch:main"]\npath = ~/two\n',
      one: '[core]\nexcludesFile = ~/ignored\n',
      two: '[core]\nexcludesFile = ~/nothing\n',
      ignored: '*.tags\n',
    },
    git: [['symbolic-ref', 'HEAD', 'refs/heads/feature/x']],
    files: { 'a.txt': '', 'x.tags': '' },
    found: ['a.txt'],
  },
  {
    title: 'the repository sets another file than the user',
    source: 'peer',
    home: { '.gitconfig': '[core]\nexcludesFile = ~/mine\n', mine: 'a.txt\n', theirs: 'b.txt\n' },
    git: [['config', 'core.excludesFile', '~/theirs']],
    files: { 'a.txt': '', 'b.txt': '' },
    found: ['a.txt'],
  },
  {
    title: 'a setting that names nothing switches the usual place off',
    source: 'peer',
    home: { '.config/git/ignore': 'a.txt\n', '.gitconfig': '[core]\nexcludesFile =\n' },
    files: { 'a.txt': '' },
    found: ['a.txt'],
  },
  {
    title: 'rules from the top',
    source: 'peer',
    home: { '.config/git/ignore': '/build\nsrc/gen\n' },
    exclude: '/top.txt\n',
    files: {
      'build/a': '',
      'src/build/b': '',
      'src/gen/c': '',
      'gen/d': '',
      'top.txt': '',
      'src/top.txt': '',
    },
    found: ['gen/d', 'src/build/b', 'src/top.txt'],
  },
  {
    title: 'rules from the top, for a search below it',
    source: 'peer',
    home: { '.config/git/ignore': '/build\n/src/gen\n' },
    exclude: '/src/x.txt\n',
    files: { 'src/build/b': '', 'src/gen/c': '', 'src/x.txt': '', 'src/sub/x.txt': '' },
    searched: 'work/src',
    found: ['build/b', 'sub/x.txt'],
  },
  {
    title: 'each source brings back what the ones before it leave out',
    source: 'peer',
    home: { '.config/git/ignore': '*.log\n*.tmp\n*.bak\n' },
    exclude: '!*.tmp\n!*.bak\n',
    files: {
      '.gitignore': '*.bak\n',
      'a.log': '',
      'a.tmp': '',
      'a.bak': '',
      'src/.gitignore': '!a.log\n',
      'src/a.log': '',
    },
    found: ['.gitignore', 'a.tmp', 'src/.gitignore', 'src/a.log'],
  },
  {
    title: 'nothing below a folder that is left out comes back',
    source: 'peer',
    exclude: 'gone/\n!gone/a.txt\n',
    files: { 'gone/a.txt': '', 'gone/.gitignore': '!*\n', 'b.txt': '' },
    found: ['b.txt'],
  },
  {
    title: 'a rule for folders spares a file of the name',
    source: 'peer',
    exclude: 'cache/\n',
    files: { cache: '', 'src/cache/a.txt': '' },
    found: ['cache'],
  },
  {
    title: 'escaped signs, sets and gaps',
    source: 'peer',
    exclude: '\\#a\n\\!b\n[cd].txt\ne/**/f\ng\\ \n*.[!ch]\n',
    files: {
      '#a': '',
      '!b': '',
      'c.txt': '',
      'd.txt': '',
      'e/f': '',
      'e/x/y/f': '',
      'g ': '',
      'h.o': '',
      'h.c': '',
    },
    found: ['h.c'],
  },
  {
    title: 'a file with a byte-order mark and line ends of Windows',
    source: 'report',
    exclude: '\ufeffa.txt\r\nb.txt\r\n',
    files: { 'a.txt': '', 'b.txt': '', 'c.txt': '' },
    found: ['c.txt'],
  },
  {
    title: 'the case of letters',
    source: 'peer',
    exclude: '*.LOG\n',
    git: [['config', 'core.ignoreCase', 'false']],
    files: { 'a.log': '', '.gitignore': 'B.txt\n', 'b.txt': '' },
    found: ['.gitignore', 'a.log', 'b.txt'],
  },
  {
    title: 'letters of either case, where the file system does not tell them apart',
    source: 'peer',
    exclude: '*.LOG\n',
    home: { '.config/git/ignore': 'C.txt\n' },
    git: [['config', 'core.ignoreCase', 'true']],
    files: { 'a.log': '', '.gitignore': 'B.txt\n', 'b.txt': '', 'c.txt': '' },
    found: ['.gitignore'],
  },
  {
    title: 'a repository in the repository has excludes of its own',
    source: 'peer',
    exclude: '*.log\n/inner/c.txt\n',
    home: { '.config/git/ignore': '/top\n' },
    git: [['init', '--quiet', 'inner']],
    files: {
      '.gitignore': 'b.txt\n',
      'inner/.git/info/exclude': 'a.txt\n',
      'inner/a.txt': '',
      'inner/b.txt': '',
      'inner/c.txt': '',
      'inner/d.log': '',
      'inner/top/e': '',
      'a.txt': '',
      'b.txt': '',
      'src/top/f': '',
    },
    found: ['.gitignore', 'a.txt', 'inner/b.txt', 'inner/c.txt', 'inner/d.log', 'src/top/f'],
  },
  {
    title: 'a repository in the repository that is left out',
    source: 'report',
    exclude: 'inner/\n',
    git: [['init', '--quiet', 'inner']],
    files: { 'inner/a.txt': '', 'b.txt': '' },
    found: ['b.txt'],
  },
  {
    title: 'a worktree, which shares the excludes',
    source: 'report',
    exclude: '*.key\n/top\n',
    git: [commit, ['worktree', 'add', '--quiet', '../tree']],
    files: { '../tree/a.key': '', '../tree/top/b': '', '../tree/src/top/c': '', '../tree/d.txt': '' },
    searched: 'tree',
    found: ['.git', 'd.txt', 'src/top/c'],
  },
  {
    title: 'a worktree inside of the repository',
    source: 'report',
    exclude: '*.key\n',
    git: [commit, ['worktree', 'add', '--quiet', 'trees/one']],
    files: { 'trees/one/a.key': '', 'trees/one/b.txt': '' },
    found: ['trees/one/.git', 'trees/one/b.txt'],
  },
  {
    title: 'a submodule, whose data lie in those of the repository',
    source: 'peer',
    exclude: '*.key\n',
    git: [
      commit,
      ['clone', '--quiet', '.', '../origin'],
      ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../origin', 'sub'],
    ],
    files: { '.git/modules/sub/info/exclude': '*.log\n', 'sub/a.key': '', 'sub/b.log': '', 'c.log': '' },
    found: ['.gitmodules', 'c.log', 'sub/.git', 'sub/a.key'],
  },
  {
    title: 'a folder without a repository',
    source: 'trial',
    home: { '.config/git/ignore': '*.log\n' },
    files: { '../plain/a.log': '', '../plain/.gitignore': 'b.txt\n', '../plain/b.txt': '' },
    searched: 'plain',
    found: ['.gitignore', 'a.log'],
  },
];
