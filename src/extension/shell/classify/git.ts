import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import type { Word } from './analysis.ts';
import { dangerousFinding, type Finding, likelyPaths, readOnlyFinding, unclearFinding } from './finding.ts';
import { optionRules, type ParsedOptions, readOptions } from './options.ts';
import { globalOptionKind } from './programOptions.ts';
import { unknownOptionFinding } from './programs.ts';

/** Options of every command that prints history or changes, except those that write or start something. */
const output =
  '--oneline --stat? --shortstat --numstat --name-only --name-status --summary --patch --no-patch --color? --no-color --abbrev? --no-ext-diff --no-textconv --unified= --word-diff? --ignore-all-space --ignore-space-change --ignore-blank-lines --minimal --patience --histogram --find-renames? --diff-filter= --relative? --no-renames --raw --full-index --binary --compact-summary --dirstat? --no-prefix --exit-code --quiet --check --cc -puswbzMCR -U= -S= -G= -O@ --pickaxe-regex --no-pager';
const history =
  '--all --graph --decorate? --no-decorate --format= --pretty? --date= --since= --until= --after= --before= --author= --committer= --grep= --max-count= --skip= --reverse --follow --merges --no-merges --first-parent --left-right --cherry-pick --cherry-mark --cherry --branches? --tags? --remotes? --topo-order --date-order --simplify-by-decoration --no-walk? --abbrev-commit --no-abbrev-commit --full-history --ancestry-path --parents --children --count --source --invert-grep --regexp-ignore-case --fixed-strings --extended-regexp -iEF -n= -L= -0123456789 --objects --not';

/** A subcommand that only reads with these options. */
interface ReadingCommand {
  readonly options: string;
  /** `0`: an operand changes something, unless an option makes it a search (`takesOperands`). */
  readonly operands?: 0;
  /** Required first word. Without it, something is changed. */
  readonly needs?: string;
}

const reading: Readonly<Record<string, ReadingCommand>> = {
  status: {
    options:
      '-sbvuz --short --branch --porcelain? --long --verbose --untracked-files? --ignored? --show-stash --ahead-behind --no-ahead-behind --column? --renames --no-renames --find-renames? --ignore-submodules?',
  },
  log: { options: `${output} ${history}` },
  shortlog: { options: `-nse ${history} --summary --numbered --email --group=` },
  show: { options: `${output} ${history}` },
  diff: { options: `${output} --cached --staged --merge-base --no-index` },
  'diff-tree': { options: `${output} -rtm --root --no-commit-id` },
  'diff-index': { options: `${output} --cached` },
  'diff-files': { options: output },
  'rev-parse': {
    options:
      '--abbrev-ref --short? --verify --quiet -q --show-toplevel --git-dir --is-inside-work-tree --show-prefix --symbolic-full-name --absolute-git-dir --is-bare-repository --git-common-dir --all --branches --tags',
  },
  'rev-list': { options: `${history} --quiet` },
  'ls-files': {
    options:
      '-cdmosuvtzk --cached --deleted --modified --others --stage --unmerged --exclude-standard --directory --full-name --error-unmatch -x= --exclude= --eol --ignored -i',
  },
  'ls-tree': { options: '-rtdlz --name-only --name-status --long --full-name --full-tree --abbrev?' },
  'cat-file': { options: '-tspe' },
  'merge-base': { options: '-a --all --is-ancestor --octopus --fork-point --independent' },
  describe: {
    options:
      '--tags --always --dirty? --long --abbrev? --match= --exact-match --all --contains --first-parent',
  },
  blame: {
    options: '-swelbtfncMC -L= --since= --date= --porcelain --line-porcelain --color-lines --show-email',
  },
  grep: {
    options:
      '-nilIwvcEFGPhHLoqWpar -e= -A= -B= -C= --line-number --ignore-case --count --files-with-matches --name-only --word-regexp --extended-regexp --fixed-strings --perl-regexp --cached --heading --break --and --or --not --color? --function-context --context= --max-depth= --all-match',
  },
  branch: {
    options:
      '-avr --all --remotes --list --show-current --verbose -l --contains --no-contains --merged --no-merged --sort= --format= --color? --no-color --column? --points-at= -i --ignore-case',
    operands: 0,
  },
  tag: {
    options: '-ln? --list --contains --points-at= --sort= --format= --merged --no-merged --column?',
    operands: 0,
  },
  remote: { options: '-v --verbose', operands: 0 },
  stash: { options: '', needs: 'list' },
  worktree: { options: '--porcelain -v', needs: 'list' },
  'check-ignore': { options: '-vqzn --verbose --no-index' },
  'for-each-ref': { options: '--format= --sort= --count= --contains= --merged= --points-at=' },
  'show-ref': { options: '-sqd --head --heads --tags --verify --hash? --dereference' },
  'name-rev': { options: '--name-only --tags --refs=' },
  'count-objects': { options: '-vH' },
  whatchanged: { options: `${output} ${history}` },
  version: { options: '--build-options', operands: 0 },
  config: {
    options: '--get --get-all --local --global --show-origin --show-scope --name-only',
  },
};

const readers = new Map(
  Object.entries(reading).map(([name, command]) => [
    name,
    { ...command, rules: optionRules(command.options) },
  ]),
);

/** Subcommands that can run arbitrary programs: a permanent permission for one would allow anything. */
const runsAnything = new Set(
  'bisect rebase submodule filter-branch difftool mergetool config grep send-email hook daemon archive upload-pack fetch clone'.split(
    ' ',
  ),
);

interface GitCall {
  readonly command: string | undefined;
  readonly args: readonly Word[];
  /** Options before the subcommand, except those that only affect printing. */
  readonly settings: readonly Word[];
  readonly folders: readonly Word[];
}

export function classifyGit(words: readonly Word[]): Finding {
  const call = readCall(words);
  const { command, args, folders } = call;
  if (call.settings[0]) return gitWithSetting(call.settings[0], args);
  if (command === undefined) return classifyBareGit(words);
  const danger = findDanger(command, args);
  if (danger !== undefined) return dangerousFinding(danger, likelyPaths(args));
  const reader = readers.get(command);
  if (!reader)
    return unclearFinding(
      () => t('git {0} may change the repository, or connect to another one.', command),
      likelyPaths(args),
    );
  const { rules, operands, needs } = reader;
  const read = readOptions(needs === undefined ? args : args.slice(1), rules);
  const operandPaths = read.names.has('--no-index') ? read.operands : likelyPaths(read.operands);
  const paths = [...folders, ...read.files, ...operandPaths, ...inRevisions(read)];
  if (needs !== undefined && (args[0]?.kind !== 'plain' || args[0].value !== needs)) {
    return unclearFinding(() => t('git {0} without "{1}" changes the repository.', command, needs), paths);
  }
  if (read.strange) return unknownOptionFinding(`git ${command}`, read.strange, paths);
  if (operands === 0 && read.operands.length > 0 && !takesOperands(read.names)) {
    return unclearFinding(() => t('git {0} with a name changes the repository.', command), paths);
  }
  if (folders.length > 0 && paths.length > folders.length) {
    return unclearFinding(() => t('git -C reads these paths from another folder.'), paths);
  }
  if (command === 'config' && !readsHarmlessSetting(read)) {
    return unclearFinding(
      () => t('git config with these arguments changes settings, or prints settings that may include keys.'),
      paths,
    );
  }
  return readOnlyFinding(() => t('git {0} only reads.', command), paths);
}

/** Returns the file names in `HEAD:.env` and in the range of `-L 1,5:.env`. */
function inRevisions({ operands, values }: ParsedOptions): readonly Word[] {
  const plain = operands.flatMap(word => (word.kind === 'unknown' ? [] : [word.value]));
  return [...plain, ...values].flatMap(value => {
    const path = /^[^:]*:(?:[0-3]:)?(.+)$/s.exec(value)?.[1];
    return path === undefined ? [] : [{ kind: 'plain' as const, text: value, value: path }];
  });
}

/** Settings may hold keys: in headers, in addresses, in settings of other programs. */
function readsHarmlessSetting({ names, operands }: ParsedOptions): boolean {
  const [name] = operands;
  if (!names.has('--get') && !names.has('--get-all')) return false;
  return (
    name?.kind === 'plain' &&
    /^(?:user|core|init|branch|pull|push|merge|diff|commit|rebase|color|submodule)\./i.test(name.value)
  );
}

/** Returns `git commit`, and whether a permission for it would be narrow. */
export function gitPermissionRoot(words: readonly Word[]): {
  readonly root: string;
  readonly lasting: boolean;
} {
  const { command, settings, folders } = readCall(words);
  if (command === undefined) return { root: 'git', lasting: false };
  return {
    root: `git ${command}`,
    lasting: settings.length === 0 && folders.length === 0 && !runsAnything.has(command),
  };
}

function readCall(words: readonly Word[]): GitCall {
  const settings: Word[] = [];
  const folders: Word[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word.kind !== 'plain')
      return { command: undefined, args: words.slice(at), settings: [...settings, word], folders };
    if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(word.value)) continue;
    if (!word.value.startsWith('-') || /^--?(?:version|help|v|h)$/.test(word.value)) break;
    if (word.value === '-C' && words[at + 1]) folders.push(words[++at]!);
    else settings.push(word);
    if (word.value !== '-C' && globalOptionKind('git', word.value) === 'value') at++;
  }
  const name = words[at];
  const command = name?.kind === 'plain' && !name.value.startsWith('-') ? name.value : undefined;
  return { command, args: words.slice(at + 1), settings, folders };
}

function gitWithSetting(word: Word, args: readonly Word[]): Finding {
  return unclearFinding(
    () => t('git with {0} before the command can run other programs.', word.text),
    likelyPaths(args),
  );
}

function classifyBareGit(words: readonly Word[]): Finding {
  const [only] = words;
  const asks = only?.kind === 'plain' && words.length === 1 && /^(?:--version|-v)$/.test(only.value);
  return asks
    ? readOnlyFinding(() => t('git only prints its version.'))
    : unclearFinding(() => t('Folio cannot tell what git does here.'));
}

/** With `--contains` and similar, the operand of `git branch` is a search; without, it creates a branch. */
function takesOperands(names: ReadonlySet<string>): boolean {
  return ['--list', '-l', '--contains', '--no-contains', '--merged', '--no-merged'].some(name =>
    names.has(name),
  );
}

function findDanger(command: string, args: readonly Word[]): LocalizedMessage | undefined {
  const given = args.map(word => (word.kind === 'unknown' ? word.prefix : word.value));
  const has = (pattern: RegExp) => given.some(value => pattern.test(value));
  switch (command) {
    case 'push':
      if (has(/^(?:-[a-zA-Z]*f|--forc|--mir|--delete$|-d$|--prune$)/) || has(/^[+:]./)) {
        return () => t('git push with this option can destroy what others have pushed.');
      }
      return undefined;
    case 'reset':
      return has(/^--(?:har|merg|keep)/)
        ? () => t('git reset --hard throws away changes that are not committed.')
        : undefined;
    case 'clean':
      return has(/^(?:-[a-zA-Z]*[fxX]|--for)/)
        ? () => t('git clean deletes files that no commit holds.')
        : undefined;
    case 'checkout':
    case 'restore':
    case 'switch':
      return has(/^(?:-f|--force|--discard-changes|\.|:\/|\*)$/)
        ? () => t('git {0} with this argument throws away changes that are not committed.', command)
        : undefined;
    case 'branch':
      return has(/^(?:-[a-zA-Z]*[DMC]|-[a-zA-Z]*f|--force|-d|--delete)/)
        ? () => t('git branch with this option removes or moves a branch.')
        : undefined;
    case 'stash':
      return has(/^(?:drop|clear)$/)
        ? () => t('git stash with this argument throws away what was shelved.')
        : undefined;
    case 'tag':
      return has(/^(?:-d|--delete|-f|--force)$/)
        ? () => t('git tag with this option removes or moves a tag.')
        : undefined;
    case 'filter-branch':
    case 'filter-repo':
    case 'update-ref':
    case 'gc':
    case 'prune':
      return () => t('git {0} rewrites or removes what the repository holds.', command);
    case 'reflog':
      return has(/^(?:expire|delete)$/)
        ? () => t('git reflog with this argument removes the way back.')
        : undefined;
    case 'worktree':
      return has(/^remove$/) ? () => t('git worktree remove deletes a folder.') : undefined;
    default:
      return undefined;
  }
}
