/* Commands in the arguments of a PowerShell cmdlet, or of a Windows shell. */

import type { Word } from '../classify/analysis.ts';
import type { Invocation } from '../classify/finding.ts';
import {
  type InnerCommands,
  innerCommandIn,
  innerCommandInWords,
  opaqueCommands,
} from '../classify/innerCommands.ts';
import { plainValue, plainWord } from '../classify/words.ts';

/**
 * Returns the commands that a cmdlet or shell runs from its arguments; `undefined` if it runs none; `unreadable` if they
 * are known only at run time, or run elsewhere or later (`Invoke-Command`, `schtasks`, `wsl`).
 *
 * @param name in lower case; for an alias, the name of its cmdlet
 */
export function powerShellInnerCommands(call: Invocation, name: string): InnerCommands | undefined {
  const args = call.words.slice(1);
  switch (name.replace(/\.exe$/, '')) {
    case 'invoke-expression': {
      const line = args.find(word => !isParameter(word, 'command'));
      return line ? innerCommandIn(line) : opaqueCommands;
    }
    case 'powershell':
    case 'pwsh':
      return carriedByShell(args, call);
    case 'cmd':
      return carriedByCmd(args);
    case 'start-process':
      return carriedByStart(args);
    default:
      return startsLater.test(name) ? opaqueCommands : undefined;
  }
}

const startsLater =
  /^(?:invoke-command|start-job|start-threadjob|set-alias|new-alias|invoke-wmimethod|invoke-cimmethod|register-scheduledtask|new-scheduledtaskaction|schtasks|wmic|new-service|add-type|wsl)(?:\.exe)?$/;

/** Parameters may be abbreviated and are case-insensitive. */
function isParameter(word: Word | undefined, ...names: readonly string[]): boolean {
  const given = /^[-/]([a-z]+):?$/i.exec(plainValue(word) ?? '')?.[1]?.toLowerCase();
  return given !== undefined && names.some(name => name.startsWith(given));
}

function carriedByShell(args: readonly Word[], { stdin }: Invocation): InnerCommands {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (plainValue(word) === '-') return opaqueCommands;
    if (isParameter(word, 'command')) return innerCommandInWords(args.slice(at + 1));
    if (isEncoded(word)) return carriedEncoded(args[at + 1]);
    if (isParameter(word, 'file')) return { inner: [] };
    const hasValue = isParameter(
      word,
      'executionpolicy',
      'windowstyle',
      'inputformat',
      'outputformat',
      'workingdirectory',
      'psconsolefile',
      'configurationname',
      'version',
    );
    if (hasValue) at++;
    else if (word.kind !== 'plain' || !/^[-/]/.test(word.value)) return innerCommandInWords(args.slice(at));
  }
  return stdin.kind === 'pipe' ? opaqueCommands : { inner: [] };
}

function isEncoded(word: Word): boolean {
  return /^[-/]e(?:c|n\w*)?$/i.test(plainValue(word) ?? '');
}

/** Base64 of UTF-16. */
function carriedEncoded(word: Word | undefined): InnerCommands {
  const value = plainValue(word);
  if (value === undefined || !/^[\w+/]+={0,2}$/.test(value)) return opaqueCommands;
  return innerCommandIn(plainWord(Buffer.from(value, 'base64').toString('utf16le')));
}

function carriedByCmd(args: readonly Word[]): InnerCommands {
  const at = args.findIndex(word => /^\/[ckr]$/i.test(plainValue(word) ?? ''));
  return at < 0 ? opaqueCommands : innerCommandInWords(args.slice(at + 1));
}

const startFlags = ['wait', 'nonewwindow', 'passthru', 'loaduserprofile', 'usenewenvironment'];

function carriedByStart(args: readonly Word[]): InnerCommands {
  const operands: Word[] = [];
  let program: Word | undefined;
  let list: Word | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (isParameter(word, 'filepath', 'path')) program = args[++at];
    else if (isParameter(word, 'argumentlist', 'args')) list = args[++at];
    else if (isParameter(word, ...startFlags)) continue;
    else if (/^-[a-z]+$/i.test(plainValue(word) ?? '')) at++;
    else operands.push(word);
  }
  const first = program ?? operands.shift();
  const rest = list ?? operands.shift();
  if (first === undefined) return opaqueCommands;
  const words = rest === undefined ? [] : wordsOfList(rest);
  return words ? { inner: [{ kind: 'command', words: [first, ...words] }] } : opaqueCommands;
}

const item = String.raw`(?:'[^']*'|"[^"\`$]*"|[\w.\\/:=+~-]+)`;
const list = new RegExp(String.raw`^${item}(?:\s*,\s*${item})*$`);

/** Returns the words of each item of `'push','origin'`; `undefined` if known only at run time. */
function wordsOfList(word: Word): readonly Word[] | undefined {
  const isKnown = word.kind !== 'unknown' || list.test(word.text);
  if (!isKnown) return undefined;
  const items = word.kind === 'unknown' ? (word.text.match(new RegExp(item, 'g')) ?? []) : [word.value];
  return items.flatMap(each => each.replace(/^['"]|['"]$/g, '').split(/\s+/)).map(plainWord);
}
