/* Programs and builtins that start another program, which is classified as its own command. */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import type { Word } from './analysis.ts';
import { classifyAssignments } from './assignments.ts';
import {
  type Assignment,
  dangerousFinding,
  type Finding,
  type InnerCommand,
  type Invocation,
  likelyPaths,
  readOnlyFinding,
  unclearFinding,
} from './finding.ts';
import { optionRules, readOptions } from './options.ts';
import { plainValue, unknownWord } from './words.ts';

interface Wrapper {
  /** The wrapper's own options. Any other makes it ask. */
  readonly options: string;
  /** Number of operands before the command, such as the duration of `timeout`. */
  readonly skip?: number;
  readonly background?: true;
  readonly verdict?: 'unknown' | 'dangerous';
  readonly reason?: LocalizedMessage;
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  time: { options: '-p' },
  nice: { options: '-n= --adjustment=' },
  ionice: { options: '-c= -n= -t' },
  timeout: {
    options: '-k= -s= -v --kill-after= --signal= --foreground --preserve-status --verbose',
    skip: 1,
  },
  gtimeout: { options: '-k= -s= -v --kill-after= --signal= --foreground --preserve-status', skip: 1 },
  stdbuf: { options: '-i= -o= -e= --input= --output= --error=' },
  caffeinate: { options: '-dimsu -t=' },
  command: { options: '-p' },
  builtin: { options: '' },
  nohup: { options: '', background: true },
  setsid: { options: '-fwc --fork --wait --ctty', background: true },
  coproc: { options: '', background: true },
  watch: {
    options: '-n= -d -t -e -g -c --interval= --no-title',
    verdict: 'unknown',
    reason: () => t('watch repeats a command until it is stopped.'),
  },
  exec: {
    options: '-c -l -a=',
    verdict: 'unknown',
    reason: () => t('exec replaces the shell with a program.'),
  },
  busybox: { options: '' },
  sudo: {
    options: '-EnHSkKb -u= -g= -p= -C= -h= --preserve-env? --user= --non-interactive',
    verdict: 'dangerous',
    reason: () => t('It runs with the permissions of another user.'),
  },
  doas: {
    options: '-n -u= -C=',
    verdict: 'dangerous',
    reason: () => t('It runs with the permissions of another user.'),
  },
  unbuffer: { options: '-p' },
  strace: {
    options: '-f -e= -c',
    verdict: 'unknown',
    reason: () => t('strace shows what a program reads and sends.'),
  },
};

export function isWrapper(name: string): boolean {
  return Object.hasOwn(wrappers, name) || name === 'env' || name === 'xargs';
}

export function classifyWrapper(call: Invocation, name: string, args: readonly Word[]): Finding | undefined {
  if (name === 'env') return classifyEnv(args);
  if (name === 'xargs') return classifyXargs(args);
  if (name === 'command' && args[0]?.kind === 'plain' && /^-[vV]$/.test(args[0].value)) {
    return readOnlyFinding(() => t('It only shows what a name refers to.'));
  }
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  return wrapper && classifyWith(call, name, args, wrapper);
}

function classifyWith(call: Invocation, name: string, args: readonly Word[], wrapper: Wrapper): Finding {
  const start = startOfCommand(args, wrapper.options);
  const skipped = args.slice(start.at, start.at + (wrapper.skip ?? 0));
  const words = args.slice(start.at + skipped.length);
  const inner = name === 'watch' ? joined(words) : asCommand(words);
  const finding = classifyItself(
    call,
    name,
    wrapper,
    start.strange ?? skipped.find(word => !isSingle(word)),
    words.length,
  );
  return { ...finding, background: wrapper.background, inner, isOpaque: start.strange && true };
}

function asCommand(words: readonly Word[]): readonly InnerCommand[] {
  return words.length > 0 ? [{ kind: 'command', words }] : [];
}

/** `watch` joins its words into one shell command line. */
function joined(words: readonly Word[]): readonly InnerCommand[] {
  const values = words.map(plainValue);
  return values.every(value => value !== undefined)
    ? [{ kind: 'script', text: values.join(' ') }]
    : asCommand(words);
}

function classifyItself(
  call: Invocation,
  name: string,
  { verdict, reason }: Wrapper,
  strange: Word | undefined,
  count: number,
): Finding {
  if (verdict !== undefined)
    return { verdict, reason: reason ?? (() => t('{0} runs another command.', name)) };
  if (strange) return unclearFinding(() => t('Folio cannot tell how {1} uses {0}.', strange.text, name));
  return count === 0 && name !== 'time'
    ? unclearFinding(() => t('Folio cannot tell what {0} starts.', call.text))
    : starts(name);
}

function starts(name: string): Finding {
  return readOnlyFinding(() => t('{0} only starts what follows it.', name));
}

interface Start {
  readonly at: number;
  readonly strange?: Word;
}

/** A wrapper's options end at the first operand. The following words belong to the command. */
export function startOfCommand(args: readonly Word[], usage: string): Start {
  const rules = optionRules(usage);
  let at = 0;
  while (at < args.length) {
    const word = args[at]!;
    if (word.kind !== 'plain') return { at };
    if (word.value === '--') return { at: at + 1 };
    if (!word.value.startsWith('-') || word.value === '-') return { at };
    // An option that takes the next word leaves no operand on its own, and one if a word follows.
    const alone = readOptions([word, { kind: 'plain', text: 'x', value: 'x' }], rules);
    // `nice -5` and `timeout -5`: a bare number is a flag.
    const isNumber = /^-\d+$/.test(word.value);
    if (alone.strange && !isNumber) return { at: afterStrange(args, at), strange: word };
    const takesNext = !isNumber && alone.operands.length === 0;
    const value = takesNext ? args[at + 1] : undefined;
    // It may become several words, and the second would be the command.
    if (value && value.kind !== 'plain' && !isSingle(value)) return { at: at + 1, strange: value };
    at += takesNext ? 2 : 1;
  }
  return { at };
}

function isSingle(word: Word): boolean {
  return word.kind === 'plain' || (word.kind === 'unknown' && word.single);
}

/** An unknown option may take a value, so every further word may be the command's name. */
function afterStrange(args: readonly Word[], at: number): number {
  const next = args.findIndex(
    (word, index) => index > at && !(word.kind === 'plain' && word.value.startsWith('-')),
  );
  return next < 0 ? args.length : next;
}

function classifyEnv(args: readonly Word[]): Finding {
  if (args.some(word => word.kind === 'plain' && /^(?:-[i0]*S|--split)/.test(word.value))) {
    return dangerousFinding(
      () => t('env splits a command line by its own rules, which Folio cannot check.'),
      likelyPaths(args),
    );
  }
  const start = startOfCommand(args, '-i -0 -u= --ignore-environment --unset= --null');
  const assignments: Assignment[] = [];
  let at = start.at;
  for (; at < args.length; at++) {
    const word = args[at]!;
    const text = word.kind === 'unknown' ? word.prefix : word.value;
    const name = /^([^=]+)=/.exec(text)?.[1];
    if (name === undefined) break;
    assignments.push({ name, text: word.text });
  }
  const words = args.slice(at);
  if (words.length === 0)
    return unclearFinding(() => t('env prints all environment variables, which may include keys.'));
  const { strange } = start;
  const own = strange
    ? unclearFinding(() => t('Folio cannot tell how {1} uses {0}.', strange.text, 'env'))
    : starts('env');
  return {
    ...(classifyAssignments(assignments) ?? own),
    inner: [{ kind: 'command', words, assignments }],
    isOpaque: strange && true,
  };
}

function classifyXargs(args: readonly Word[]): Finding {
  const start = startOfCommand(
    args,
    '-0rtx -n= -L= -P= -d= -I= -s= -E= --null --no-run-if-empty --max-args= --max-lines= --max-procs= --delimiter= --replace? --verbose',
  );
  const words = args.slice(start.at);
  const { strange } = start;
  if (strange) {
    return {
      ...unclearFinding(
        () => t('Folio cannot tell how {1} uses {0}.', strange.text, 'xargs'),
        likelyPaths(args),
      ),
      ...inner(words, '{}'),
      isOpaque: true,
    };
  }
  if (words.length === 0) return readOnlyFinding(() => t('xargs without a command only prints.'));
  return { ...starts('xargs'), ...inner(words, placeholder(args.slice(0, start.at))) };
}

function placeholder(options: readonly Word[]): string {
  const values = options.map(word => plainValue(word) ?? '');
  const at = values.findIndex(value => /^(?:-[0rtx]*I|--replace=)/.test(value));
  const attached = values[at]?.replace(/^(?:-[0rtx]*I|--replace=)/, '');
  return attached || (at < 0 ? '' : values[at + 1]) || '{}';
}

/** The words that xargs appends or puts in place of the mark are known only at run time. */
function inner(words: readonly Word[], mark: string): Pick<Finding, 'inner'> {
  const replaced = words.map(word =>
    word.kind === 'plain' && word.value.includes(mark)
      ? unknownWord(word.text, word.value.split(mark)[0]!, true)
      : word,
  );
  return { inner: [{ kind: 'command', words: [...replaced, unknownWord('…')] }] };
}
