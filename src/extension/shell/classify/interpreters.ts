/*
 * Programs that run text: shells, whose text is classified in turn, and interpreters of other languages, which are
 * opaque here.
 */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { hasSubstitution, type Word } from './analysis.ts';
import {
  dangerousFinding,
  type Finding,
  type Invocation,
  likelyPaths,
  readOnlyFinding,
  unclearFinding,
} from './finding.ts';
import { mayBeOption } from './options.ts';
import { plainValue } from './words.ts';

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash', 'rbash', 'fish', 'csh', 'tcsh']);

/** Options after which an interpreter runs the following text. */
const languages = new Map<string, RegExp>([
  ['python', /^-[a-zA-Z]*c/],
  ['python2', /^-[a-zA-Z]*c/],
  ['python3', /^-[a-zA-Z]*c/],
  ['pypy3', /^-[a-zA-Z]*c/],
  ['node', /^(?:-[pei]+$|--eval|--print)/],
  ['nodejs', /^(?:-[pei]+$|--eval|--print)/],
  ['deno', /^eval$/],
  ['bun', /^(?:-e|--eval)/],
  ['perl', /^-[a-zA-Z0-9]*[eE]/],
  ['ruby', /^-[a-zA-Z0-9]*e/],
  ['php', /^-[rBRE]/],
  ['lua', /^-e/],
  ['osascript', /^-e/],
  ['Rscript', /^-e/],
  ['pwsh', /^-(?:c|e)/i],
  ['powershell', /^-(?:c|e)/i],
]);

const editors = new Set('vi vim nvim view ex ed emacs nano pico less more man most info top htop'.split(' '));

export function isInterpreter(name: string): boolean {
  return shells.has(name) || languages.has(name) || name === 'source' || name === '.' || name === 'eval';
}

export function isShell(name: string): boolean {
  return shells.has(name);
}

export function classifyInterpreter(
  call: Invocation,
  name: string,
  args: readonly Word[],
): Finding | undefined {
  if (name === 'eval') return classifyEval(args);
  if (name === 'source' || name === '.') return classifySource(call, name, args);
  if (shells.has(name)) return classifyShell(call, name, args);
  if (editors.has(name))
    return unclearFinding(
      () => t('{0} is interactive and can start other programs.', name),
      likelyPaths(args),
    );
  const inline = languages.get(name);
  return inline && classifyLanguage(call, name, args, inline);
}

/** A shell takes `-c` among its flags. Its script is the first word after all flags. */
function classifyShell(call: Invocation, name: string, args: readonly Word[]): Finding {
  const options = shellOptions(args);
  const { strange } = options;
  if (strange)
    return opaque(
      unclearFinding(() => t('Folio cannot tell how {1} uses {0}.', strange.text, name), likelyPaths(args)),
    );
  const [first] = args.slice(options.end);
  if (options.hasScript) return shellScript(name, first);
  if (first === undefined || options.fromInput) return classifyInput(call, name);
  const finding = unclearFinding(
    () => t('{0} runs the script {1}.', name, first.text),
    likelyPaths([first, ...args.slice(options.end + 1)]),
  );
  if (isInput(first)) return { ...finding, ...readInput(call, name) };
  return hasSubstitution(first) ? opaque(finding) : finding;
}

interface ShellOptions {
  readonly end: number;
  readonly hasScript: boolean;
  readonly fromInput: boolean;
  readonly strange?: Word;
}

function shellOptions(args: readonly Word[]): ShellOptions {
  let hasScript = false;
  let fromInput = false;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at]!;
    const value = plainValue(word);
    if (value === undefined) {
      if (!mayBeOption(word) || hasScript) break;
      return { end: at, hasScript, fromInput, strange: word };
    }
    if (value === '--' || value === '-') return { end: at + 1, hasScript, fromInput };
    if (!/^[-+]./.test(value)) break;
    if (/^(?:--login|--norc|--noprofile|--posix)$/.test(value)) continue;
    if (!/^[-+][celuxvnfsi]*o?$/.test(value)) return { end: at, hasScript, fromInput, strange: word };
    if (value.startsWith('-') && value.includes('c')) hasScript = true;
    if (value.includes('s')) fromInput = true;
    if (value.endsWith('o')) at++;
  }
  return { end: at, hasScript, fromInput };
}

function shellScript(name: string, script: Word | undefined): Finding {
  if (script === undefined) return unclearFinding(() => t('{0} has no script to run.', name));
  if (script.kind === 'unknown') return unseenScript(name, script);
  // The syntax of fish and the C shells is not supported here.
  if (/^(?:fish|csh|tcsh)$/.test(name))
    return opaque(
      unclearFinding(() => t('The script of {0} is in a language that cannot be checked.', name)),
    );
  // These evaluate more than bash does, for example in tests and patterns. Findings so far still count.
  if (/^(?:zsh|ksh)$/.test(name))
    return {
      ...unclearFinding(() => t('Folio cannot check the script of {0}.', name)),
      inner: [{ kind: 'script', text: script.value }],
    };
  return {
    ...readOnlyFinding(() => t('{0} only runs the script that it is given.', name)),
    inner: [{ kind: 'script', text: script.value }],
  };
}

function unseenScript(name: string, script: Word): Finding {
  const finding = opaque(dangerousFinding(() => t('Folio cannot tell what {0} runs.', name)));
  return hasSubstitution(script) ? { ...finding, refused: refusedScript(name) } : finding;
}

function classifyInput(call: Invocation, name: string): Finding {
  return { ...classifyFed(call, name), ...readInput(call, name) };
}

function classifyFed({ stdin }: Invocation, name: string): Finding {
  switch (stdin.kind) {
    case 'pipe':
      return dangerousFinding(() => t('{0} runs the text that the pipe sends.', name));
    case 'file':
      return unclearFinding(() => t('{0} runs the content of a file.', name));
    case 'inherited':
      return unclearFinding(() => t('{0} waits for commands.', name));
    case 'text':
      if (stdin.text === undefined)
        return dangerousFinding(() => t('Folio cannot tell what {0} runs.', name));
      if (!shells.has(name)) return unclearFinding(() => t('{0} runs the text that follows.', name));
      return readOnlyFinding(() => t('{0} only runs the script that it is given.', name));
  }
}

/** Classifies a script from standard input. */
function readInput({ stdin }: Invocation, name: string): Pick<Finding, 'inner' | 'isOpaque'> {
  if (stdin.kind === 'inherited' || stdin.kind === 'file') return {};
  if (stdin.text === undefined) return { isOpaque: true };
  if (shells.has(name) || name === 'source' || name === '.')
    return { inner: [{ kind: 'script', text: stdin.text }] };
  return mayStartPrograms(name, stdin.text) ? { isOpaque: true } : {};
}

function isInput(word: Word): boolean {
  return /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(plainValue(word) ?? '');
}

/** Returns whether a program in another language mentions a function that starts programs. */
function mayStartPrograms(name: string, program: string): boolean {
  if (/^(?:python|pypy)/.test(name)) return startsInPython.test(program);
  if (/^(?:node|nodejs|deno|bun)$/.test(name)) return startsInScript.test(program);
  return startsAnywhere.test(program) || (/^(?:perl|ruby|php)$/.test(name) && program.includes('`'));
}

const startsInPython =
  /(?<!platform\.)\bsystem\b|\b(?:popen\w*|exec[lv]\w*|p?spawn\w*|posix_spawn\w*|subprocess\w*|create_subprocess\w*|pty|__import__)\b/i;
const startsInScript = /child_process|\bspawn\w*|\bexec(?:File|Sync|a)\w*|\bDeno\.(?:Command|run)|\bBun\.\$/;
const startsAnywhere =
  /\b(?:system|exec\w*|popen\w*|spawn\w*|execute|fork|shell_exec|passthru|proc_open|do shell script|qx|Start-Process)\b|%x/;

function opaque(finding: Finding): Finding {
  return { ...finding, isOpaque: true };
}

function classifyEval(args: readonly Word[]): Finding {
  const finding = dangerousFinding(() => t('It runs text that is built only when it runs.'));
  const values = args.map(plainValue);
  const text = values.every(value => value !== undefined) ? values.join(' ') : undefined;
  return {
    ...finding,
    folder: { to: undefined },
    inner: text === undefined ? undefined : [{ kind: 'script', text }],
    isOpaque: text === undefined ? true : undefined,
  };
}

function classifySource(call: Invocation, name: string, args: readonly Word[]): Finding {
  const finding = unclearFinding(
    () => t('{0} runs the content of the file in this shell.', name),
    args.slice(0, 1),
  );
  const refused = args.some(hasSubstitution) ? refusedScript(name) : undefined;
  const read = args[0] && isInput(args[0]) ? readInput(call, name) : {};
  return { ...finding, refused, folder: { to: undefined }, ...read };
}

function classifyLanguage(call: Invocation, name: string, args: readonly Word[], inline: RegExp): Finding {
  const at = args.findIndex(word => inline.test(word.kind === 'unknown' ? word.prefix : word.value));
  if (at >= 0) {
    const refused = args.slice(at).some(hasSubstitution) ? refusedScript(name) : undefined;
    const finding = unclearFinding(() => t('{0} runs the program that is written in the command.', name));
    const isReadable = args
      .slice(at)
      .every(word => word.kind === 'plain' && !mayStartPrograms(name, word.value));
    return { ...finding, refused, isOpaque: isReadable ? undefined : true };
  }
  const [first] = args;
  if (first === undefined || plainValue(first) === '-') return classifyInput(call, name);
  return unclearFinding(() => t('{0} runs a program.', name), likelyPaths(args));
}

function refusedScript(name: string): LocalizedMessage {
  return () =>
    t(
      '{0} would run the output of another command, which Folio cannot check in advance. Run that command first, read its output, then write out the commands to run.',
      name,
    );
}
