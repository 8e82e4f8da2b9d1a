/* Programs whose options form a language or start other programs: find, rg, fd, sed, awk, tar. */

import { t } from '../../../protocol/language.ts';
import type { Word } from './analysis.ts';
import {
  type Finding,
  type InnerCommand,
  type Invocation,
  likelyPaths,
  readOnlyFinding,
  unclearFinding,
} from './finding.ts';
import { mayBeOption, optionRules, type ParsedOptions, readOptions } from './options.ts';
import { currentFolder, unknownOptionFinding } from './programs.ts';
import { isHarmlessSed } from './sedScript.ts';

export function classifySearch(call: Invocation, name: string, words: readonly Word[]): Finding | undefined {
  switch (name) {
    case 'find':
      return classifyFind(words);
    case 'rg':
      return classifyRipgrep(call, words);
    case 'fd':
    case 'fdfind':
      return classifyFd(name, words);
    case 'sed':
    case 'gsed':
      return classifySed(name, words);
    case 'awk':
    case 'gawk':
    case 'mawk':
      return classifyAwk(name, words);
    case 'tar':
    case 'bsdtar':
      return classifyTar(name, words);
    case 'printf':
      return classifyPrintf(words);
    case 'test':
    case '[':
      return classifyTest(call, words);
    default:
      return undefined;
  }
}

const findTests = new Set(
  '-name -iname -path -ipath -wholename -regex -iregex -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -perm -user -group -maxdepth -mindepth -links -inum -regextype -lname -ilname -fstype -samefile -uid -gid -printf -anewer -cnewer -newermt -used'.split(
    ' ',
  ),
);
const findFlags = new Set(
  '-print -print0 -ls -prune -quit -not -a -and -o -or -empty -readable -writable -executable -depth -d -xdev -mount -follow -true -false -nouser -nogroup -daystart -noleaf -H -L -P ! ( ) ,'.split(
    ' ',
  ),
);
const findRuns = new Set(['-exec', '-execdir', '-ok', '-okdir']);

function classifyFind(words: readonly Word[]): Finding {
  const paths: Word[] = [];
  let strange: Word | undefined;
  let expression = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const value = word.kind === 'plain' ? word.value : undefined;
    if (value !== undefined && findRuns.has(value)) return findWithRun(value, words.slice(at + 1), paths);
    if (value !== undefined && findFlags.has(value)) expression ||= !/^-[HLP]$/.test(value);
    else if (value !== undefined && findTests.has(value)) {
      expression = true;
      const argument = words[++at];
      if (argument && argument.kind !== 'plain') strange ??= argument;
      if (argument && /^-(?:newer|anewer|cnewer|samefile)$/.test(value)) paths.push(argument);
    } else if (mayBeOption(word) || expression) strange ??= word;
    else paths.push(word);
  }
  if (strange) return unknownOptionFinding('find', strange, paths);
  return readOnlyFinding(() => t('find only lists files.'), paths.length > 0 ? paths : [currentFolder]);
}

function findWithRun(option: string, rest: readonly Word[], paths: readonly Word[]): Finding {
  const end = rest.findIndex(word => word.kind === 'plain' && (word.value === ';' || word.value === '+'));
  // The found file is known only at run time.
  const command = rest.slice(0, end < 0 ? rest.length : end).map(replaceBraces);
  const inner: readonly InnerCommand[] = command.length > 0 ? [{ kind: 'command', words: command }] : [];
  const finding = unclearFinding(() => t('find runs a command for each file ({0}).', option), paths);
  // Further expressions may follow, each with its own command: the rest is classified as another find.
  const more = end < 0 ? [] : rest.slice(end + 1);
  const refused = more.some(word => word.kind === 'plain' && findRuns.has(word.value))
    ? () => t('Folio does not run a find with several -exec. Write one find for each command.')
    : undefined;
  return { ...finding, inner, refused };
}

function replaceBraces(word: Word): Word {
  if (word.kind !== 'plain' || !word.value.includes('{}')) return word;
  return { kind: 'unknown', text: word.text, prefix: word.value.split('{}')[0]!, single: true };
}

const ripgrepRules = optionRules(
  '* -e= -f@ -g= -t= -T= -A= -B= -C= -m= -M= -d= -j= -r= --regexp= --file@ --glob= --iglob= --type= --type-not= --max-count= --max-depth= --context= --sort= --sortr= --ignore-file@ --color=',
);

function classifyRipgrep({ stdin }: Invocation, words: readonly Word[]): Finding {
  const read = readOptions(words, ripgrepRules);
  const named = searchPaths(read, ['-e', '-f', '--regexp', '--file', '--files']);
  // Without a path it searches its input, or the current folder.
  const paths = named.length === 0 && stdin.kind === 'inherited' ? [currentFolder] : named;
  const runs = ['--pre', '--pre-glob', '--hostname-bin', '--search-zip', '-z'].find(name =>
    read.names.has(name),
  );
  if (runs !== undefined) return unclearFinding(() => t('rg with {0} runs another program.', runs), paths);
  const uncertain = read.strange ?? words.find(word => word.kind !== 'plain' && mayBeOption(word));
  if (uncertain) return unknownOptionFinding('rg', uncertain, paths);
  return readOnlyFinding(() => t('rg only searches.'), paths);
}

const fdRules = optionRules(
  '-HIuspaLFgi0l1 -t= -e= -d= -E= -c= -S= --hidden --no-ignore --type= --extension= --max-depth= --min-depth= --exclude= --glob --absolute-path --follow --color= --size= --changed-within= --full-path',
);

function classifyFd(name: string, words: readonly Word[]): Finding {
  const read = readOptions(words, fdRules);
  const paths = read.operands.slice(1);
  // `-l` starts ls.
  if (read.strange || read.names.has('-l'))
    return unknownOptionFinding(name, read.strange ?? words[0]!, paths);
  return readOnlyFinding(() => t('{0} only lists files.', name), paths);
}

const sedRules = optionRules(
  '-nErsuz -e= --quiet --silent --regexp-extended --expression= --null-data --separate',
);

function classifySed(name: string, words: readonly Word[]): Finding {
  const read = readOptions(words, sedRules);
  const given = scriptsAfter(words, ['-e', '--expression']);
  const scripts = given.length > 0 ? given : read.operands.slice(0, 1);
  const paths = given.length > 0 ? read.operands : read.operands.slice(1);
  if (read.strange) return unknownOptionFinding(name, read.strange, likelyPaths(words));
  if (paths.some(mayBeOption)) return unknownOptionFinding(name, paths.find(mayBeOption)!, paths);
  const harmless = scripts.every(word => word.kind === 'plain' && isHarmlessSed(word.value));
  // After `--` an `-e` would be a file, and the supposed file the script.
  const ended = words.some(word => word.kind === 'plain' && word.value === '--');
  if (!harmless || scripts.length === 0 || ended) {
    return unclearFinding(() => t('The script of {0} may write files or run commands.', name), paths);
  }
  return readOnlyFinding(() => t('{0} only prints.', name), paths);
}

/** Returns the values of a repeatable option, attached or not. A cluster yields an unknown one. */
function scriptsAfter(words: readonly Word[], names: readonly string[]): readonly Word[] {
  return words.flatMap((word, at) => {
    if (word.kind !== 'plain') return [];
    if (names.includes(word.value)) return words.slice(at + 1, at + 2);
    const attached = /^--expression=(.*)$/s.exec(word.value)?.[1];
    if (attached !== undefined) return [{ ...word, value: attached }];
    const cluster = /^-[nErsuz]*e(.*)$/s.exec(word.value);
    if (!cluster) return [];
    return cluster[1] === '' ? words.slice(at + 1, at + 2) : [{ ...word, value: cluster[1]! }];
  });
}

const awkRules = optionRules('-F= -v= --field-separator= --assign=');

function classifyAwk(name: string, words: readonly Word[]): Finding {
  const read = readOptions(words, awkRules);
  const [program, ...files] = read.operands;
  const paths = files.filter(word => word.kind !== 'plain' || !/^\w+=/.test(word.value));
  if (read.strange) return unknownOptionFinding(name, read.strange, likelyPaths(words));
  if (program?.kind !== 'plain' || !isHarmlessAwk(program.value)) {
    return unclearFinding(() => t('The program of {0} may write files or run commands.', name), paths);
  }
  return readOnlyFinding(() => t('{0} only prints.', name), paths);
}

function isHarmlessAwk(program: string): boolean {
  const text = program.replaceAll('||', ' or ').replaceAll('>=', ' ge ');
  return !/[|>@`]|system|getline|close|fflush|ENVIRON|PROCINFO|ARGV|ARGC|SYMTAB|FUNCTAB|\bload\b|\\x|\\[0-7]/.test(
    text,
  );
}

function classifyTar(name: string, words: readonly Word[]): Finding {
  const [first, ...rest] = words;
  // Traditional syntax: the first word is a cluster without dash.
  const cluster = first?.kind === 'plain' && /^[a-zA-Z]+$/.test(first.value) ? `-${first.value}` : undefined;
  const all =
    cluster === undefined ? words : [{ ...first!, kind: 'plain' as const, value: cluster }, ...rest];
  const read = readOptions(all, tarRules);
  const paths = [...read.files, ...likelyPaths(read.operands)];
  if (read.strange) return unknownOptionFinding(name, read.strange, paths);
  // `host:file` is an archive on another machine.
  if (read.files.some(word => word.kind === 'unknown' || word.value.includes(':')))
    return unclearFinding(() => t('{0} may fetch this archive from another machine.', name), paths);
  if (!read.names.has('-t') && !read.names.has('--list'))
    return unclearFinding(() => t('{0} writes files.', name), paths);
  return readOnlyFinding(() => t('{0} only lists what the archive holds.', name), paths);
}

const tarRules = optionRules('-tvzjJ -f@ --list --verbose --gzip --bzip2 --xz --file@');

function classifyPrintf(words: readonly Word[]): Finding {
  const [first] = words;
  // `-v` evaluates the subscript of the variable that it names.
  if (first && mayBeOption(first) && !(first.kind === 'plain' && first.value === '--')) {
    return first.kind === 'plain' && !first.value.startsWith('-v')
      ? readOnlyFinding(() => t('printf only prints.'))
      : unknownOptionFinding('printf', first);
  }
  return readOnlyFinding(() => t('printf only prints.'));
}

function classifyTest(call: Invocation, words: readonly Word[]): Finding {
  const evaluates = words.some(word => word.kind === 'plain' && /^-(?:v|R)$/.test(word.value));
  if (evaluates || words.some((word, at) => mayBeOperator(words, word, at)))
    return unclearFinding(() => t('{0} may run text from a variable.', call.text));
  return readOnlyFinding(() => t('It only tests.'));
}

/** A word that is known only at run time may become `-v`, or several words including `-v`. */
function mayBeOperator(words: readonly Word[], word: Word, at: number): boolean {
  if (word.kind !== 'unknown' || /^\$[?#!$]$/.test(word.text)) return false;
  if (!word.single) return true;
  const isOperator = (other: Word | undefined, pattern: RegExp) =>
    other?.kind === 'plain' && pattern.test(other.value);
  const isOperand = isOperator(words[at - 1], unary) || isOperator(words[at - 1], binary);
  return mayBeOption(word) && !isOperand && !isOperator(words[at + 1], binary) && words.length > 1;
}

const unary = /^-[a-hknoprstuwxzGLNOS]$/;
const binary = /^(?:==?|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

function searchPaths(read: ParsedOptions, withoutPattern: readonly string[]): readonly Word[] {
  const none = withoutPattern.some(name => read.names.has(name));
  return [...read.files, ...read.operands.slice(none ? 0 : 1)];
}
