/*
 * Programs that only read, with the options for which that holds. The table lists what is harmless, so an option that
 * is missing asks.
 */

import { t } from '../../../protocol/language.ts';
import type { Word } from './analysis.ts';
import { type Finding, likelyPaths, readOnlyFinding, unclearFinding } from './finding.ts';
import { type OptionRules, optionRules, type ParsedOptions, readOptions } from './options.ts';

interface ReadingProgram {
  readonly names: string;
  readonly options: string;
  readonly operands: 'paths' | 'text' | 'none' | 'pattern, paths';
  /** Maximal number of operands. More would change something: `uniq` writes its second one. */
  readonly most?: number;
  readonly also?: (read: ParsedOptions) => boolean;
}

const table: readonly ReadingProgram[] = [
  { names: 'ls dir vdir', options: '* -I= -w= -T= --ignore= --color?', operands: 'paths' },
  { names: 'cat tac nl rev', options: '*', operands: 'paths' },
  { names: 'head tail', options: '* -n= -c= --lines= --bytes= -s= --pid=', operands: 'paths' },
  { names: 'wc', options: '* --files0-from@', operands: 'paths' },
  { names: 'cut paste', options: '* -d= -f= -c= -b= --delimiter= --fields=', operands: 'paths' },
  { names: 'join', options: '* -t= -1= -2= -o= -e= -j= -a= -v=', operands: 'paths' },
  { names: 'comm', options: '*', operands: 'paths' },
  { names: 'cmp', options: '* -n=', operands: 'paths' },
  { names: 'diff', options: '* -U= -C= -x= -I= -X@ --exclude= --label= --exclude-from@', operands: 'paths' },
  { names: 'grep egrep fgrep', options: grepOptions(), operands: 'pattern, paths' },
  {
    names: 'sort',
    options:
      '-bdfghiMnRrVcCmsuz -k= -t= -S= --reverse --unique --key= --field-separator= --numeric-sort --version-sort --human-numeric-sort --general-numeric-sort --ignore-case --check? --stable --zero-terminated',
    operands: 'paths',
  },
  {
    names: 'uniq',
    options: '-cdDiuz -f= -s= -w= --count --repeated --unique --ignore-case',
    operands: 'paths',
    most: 1,
  },
  {
    names: 'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum',
    options: '*',
    operands: 'paths',
  },
  { names: 'shasum', options: '* -a=', operands: 'paths' },
  { names: 'stat', options: '* -c= -f --format= --printf=', operands: 'paths' },
  {
    names: 'file',
    options: '-bikLhprsN0 -F= --brief --mime --mime-type --mime-encoding --dereference',
    operands: 'paths',
  },
  {
    names: 'du',
    operands: 'paths',
    also: namesNoList,
    options: '* -d= -B= -t= -X@ --max-depth= --exclude= --exclude-from@ --files0-from@',
  },
  { names: 'df', options: '* -B= -t= -x=', operands: 'paths' },
  { names: 'readlink realpath', options: '* --relative-to@ --relative-base@', operands: 'paths' },
  { names: 'basename dirname', options: '* -s=', operands: 'text' },
  {
    names: 'tree',
    options: '-adfilpsughDFrtvnCJXUcQqNSA -L= -P= -I= --noreport --dirsfirst --gitignore --du --prune',
    operands: 'paths',
  },
  { names: 'column expand unexpand fold fmt', options: '*', operands: 'paths' },
  { names: 'od', options: '* -A= -t= -N= -j=', operands: 'paths' },
  { names: 'hexdump', options: '* -n=', operands: 'paths' },
  { names: 'strings', options: '* -n= -t=', operands: 'paths', also: namesNoOptionFile },
  { names: 'xxd', options: '-aCbeEgipu -c= -g= -l= -s= -o= -n=', operands: 'paths', most: 1 },
  { names: 'base64 base32', options: '-d -w= --decode --wrap= --ignore-garbage', operands: 'paths', most: 1 },
  { names: 'zcat bzcat xzcat', options: '-f', operands: 'paths' },
  { names: 'zipinfo', options: '-12smlvhTtzM', operands: 'paths' },
  {
    names: 'unzip',
    options: '-lvq',
    operands: 'paths',
    also: ({ names }) => names.has('-l') || names.has('-v'),
  },
  {
    names: 'jq',
    options:
      '-rRnescjaSCM --raw-output --raw-input --null-input --slurp --compact-output --sort-keys --exit-status --tab --indent= --arg=',
    operands: 'pattern, paths',
    also: harmlessJq,
  },
  { names: 'tr', options: '*', operands: 'text' },
  { names: 'echo : true false', options: '*', operands: 'text' },
  { names: 'seq expr sleep', options: '*', operands: 'text' },
  {
    names: 'pwd whoami logname tty arch nproc uptime free groups id uname sw_vers',
    options: '*',
    operands: 'text',
  },
  { names: 'hostname', options: '-fisdAI --fqdn --short --domain', operands: 'none' },
  {
    names: 'date',
    options: '-uR -I? -d= -r@ --date= --utc --iso-8601? --rfc-3339= --reference@',
    operands: 'text',
    also: readsDate,
  },
  { names: 'cal ncal', options: '*', operands: 'text' },
  { names: 'who users', options: '*', operands: 'paths' },
  { names: 'w lscpu lsblk getconf', options: '*', operands: 'text' },
  {
    names: 'ps',
    options:
      '-A -a -e -f -F -l -j -L -M -N -T -w -x -p= -o= -u= -C= --pid= --ppid= --sort= --forest --no-headers',
    operands: 'text',
    also: noEnvironment,
  },
  { names: 'pgrep pidof', options: '*', operands: 'text' },
  { names: 'which type whereis', options: '*', operands: 'text' },
  { names: 'locale', options: '-a -m', operands: 'none' },
  { names: 'jobs times umask', options: '-lprsnS', operands: 'none' },
  { names: 'wait', options: '-n', operands: 'text' },
  { names: 'exit return break continue shift', options: '', operands: 'text' },
];

const programs = new Map(
  table.flatMap(program => {
    const rules = optionRules(program.options);
    return program.names.split(' ').map(name => [name, { program, rules }] as const);
  }),
);

/**
 * Programs that print their version if that is their only argument. Omits programs that a workspace file can replace:
 * yarn (yarnPath), pnpm (packageManager), cargo, rustc, go (toolchain), mvn, gradle (options of Java), dotnet
 * (global.json).
 */
const versioned = new Set(
  'node npm npx bun deno python python3 pip pip3 ruby gem perl php java javac gcc g++ cc clang make cmake git docker kubectl tsc esbuild eslint prettier vitest jest bash zsh code rg fd jq curl wget ssh tar sed awk gawk swift uv poetry brew'.split(
    ' ',
  ),
);

export function classifyVersion(name: string, words: readonly Word[]): Finding | undefined {
  return isVersionQuestion(name, words)
    ? readOnlyFinding(() => t('{0} only prints its version.', name))
    : undefined;
}

/** Returns `undefined` for programs not known to only read. */
export function classifyReadOnly(name: string, words: readonly Word[]): Finding | undefined {
  const found = programs.get(name);
  return found && classifyOptions(name, words, found.program, found.rules);
}

export function isReadOnlyProgram(name: string): boolean {
  return programs.has(name);
}

function classifyOptions(
  name: string,
  words: readonly Word[],
  program: ReadingProgram,
  rules: OptionRules,
): Finding {
  const read = readOptions(words, rules);
  const paths = pathsOf(program, read);
  if (read.strange) return unknownOptionFinding(name, read.strange, [...paths, ...likelyPaths(words)]);
  const tooMany =
    read.operands.length > (program.operands === 'none' ? 0 : (program.most ?? Number.POSITIVE_INFINITY));
  const uncertain = program.most !== undefined && read.operands.some(({ kind }) => kind !== 'plain');
  if (tooMany || uncertain || program.also?.(read) === false) {
    return unclearFinding(() => t('With these arguments, {0} may do more than read.', name), paths);
  }
  return readOnlyFinding(() => t('{0} only reads.', name), paths);
}

export function unknownOptionFinding(name: string, word: Word, paths: readonly Word[] = []): Finding {
  if (word.kind === 'plain')
    return unclearFinding(() => t('{0} with {1} may write files or start programs.', name, word.text), paths);
  return unclearFinding(
    () => t('The value of {0} may make {1} write files or start programs.', word.text, name),
    paths,
  );
}

export const currentFolder: Word = { kind: 'plain', text: '.', value: '.' };

function pathsOf({ names, operands }: ReadingProgram, read: ParsedOptions): readonly Word[] {
  if (operands === 'paths') return [...read.files, ...read.operands];
  if (operands !== 'pattern, paths') return read.files;
  // Without a path it searches the current folder.
  const recurses = ['-r', '-R', '--recursive', '--dereference-recursive', '-d', '--directories'];
  const isSearch = names.startsWith('grep') && recurses.some(name => read.names.has(name));
  const hasPattern = ['-e', '-f', '--regexp', '--file'].some(name => read.names.has(name));
  const paths = read.operands.slice(hasPattern ? 0 : 1);
  return [...read.files, ...(isSearch && paths.length === 0 ? [currentFolder] : paths)];
}

function isVersionQuestion(name: string, words: readonly Word[]): boolean {
  const [only, ...rest] = words;
  if (only?.kind !== 'plain' || rest.length > 0 || !versioned.has(name)) return false;
  return only.value === '--version' || (only.value === '-v' && /^(?:node|npm|npx)$/.test(name));
}

function grepOptions(): string {
  return '* -e= -f@ -m= -A= -B= -C= -d= -D= --regexp= --file@ --include= --exclude= --exclude-dir= --exclude-from@ --max-count= --color? --recursive --dereference-recursive --directories=';
}

function readsDate({ operands }: ParsedOptions): boolean {
  // An operand without a plus sets the clock.
  return operands.every(word => word.kind === 'plain' && word.value.startsWith('+'));
}

/** Names that cannot be found are printed, which would reveal the content of the list. */
function namesNoList({ names }: ParsedOptions): boolean {
  return !names.has('--files0-from');
}

/** `@list` is a file of options. Unknown options in it are printed. */
function namesNoOptionFile({ operands }: ParsedOptions): boolean {
  return operands.every(word => word.kind === 'plain' && !word.value.startsWith('@'));
}

function noEnvironment({ operands, values }: ParsedOptions): boolean {
  // Combined with another letter or as a column, `e` may still mean the environment: `-auxe` equals `auxe`.
  if (
    values.some(
      value =>
        /env|e$/i.test(value) &&
        !/^(?:[a-z]*,)*(?:etime|time|cmd|rss|state|ppid|pid|args|comm|user|pcpu|pmem|vsz|nice)$/.test(value),
    )
  )
    return false;
  // Without a dash, `e` shows the environment of every process.
  return operands.every(word => word.kind === 'plain' && /^(?:[afux]*|\d+)$/.test(word.value));
}

function harmlessJq({ operands }: ParsedOptions): boolean {
  // `--arg` takes two words, so it is uncertain which operand is the filter.
  return operands.every(
    word => word.kind === 'plain' && !/\benv\b|\$ENV|\b(?:import|include)\b/.test(word.value),
  );
}
