/* Commands that git starts: from its settings and from arguments of subcommands. */

import type { Word } from './analysis.ts';
import {
  type InnerCommands,
  innerCommandIn,
  innerCommandInWords,
  joinInnerCommands,
  opaqueCommands,
  optionValues,
} from './innerCommands.ts';
import { globalOptionKind } from './programOptions.ts';
import { plainValue } from './words.ts';

/** Settings whose value is a command. */
const commandSetting =
  /^(?:core\.(?:pager|editor|sshcommand|askpass|gitproxy)|sequence\.editor|pager\.\w+|diff\.external|diff\..+\.(?:command|textconv)|(?:diff|merge)tool\..+\.cmd|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|gpg(?:\..+)?\.program|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack)|trailer\..+\.(?:command|cmd)|(?:browser|man)\..+\.(?:cmd|path)|interactive\.difffilter|sendemail\.\w*cmd)$/i;
/** Settings whose value is a command only in some forms. */
const maybeCommand = /^(?:alias\..+|credential(?:\..+)?\.helper|core\.(?:fsmonitor|hookspath))$/i;

export function gitInnerCommands(args: readonly Word[]): InnerCommands | undefined {
  const settings: InnerCommands[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const value = plainValue(args[at]);
    if (value === undefined || !value.startsWith('-')) break;
    const rest = args.slice(at + 2);
    if (value === '-c' && args[at + 1]) settings.push(carriedBySetting(args[at + 1]!, rest));
    if (value.startsWith('--config-env')) settings.push(carriedByEnvironment(value, args[at + 1]));
    if (globalOptionKind('git', value) === 'value') at++;
  }
  const command = plainValue(args[at]);
  const started = command === undefined ? [] : carriedByCommand(command, args.slice(at + 1));
  const found = joinInnerCommands([...settings, ...started]);
  return found.inner.length > 0 || found.isOpaque ? found : undefined;
}

/**
 * Returns the commands that `git -c KEY=VALUE` starts, if the setting is a command or an alias.
 * @param rest the following words; those after an alias are arguments of its command line
 */
function carriedBySetting(word: Word, rest: readonly Word[]): InnerCommands {
  const text = word.kind === 'unknown' ? word.prefix : word.value;
  const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (word.kind === 'unknown')
    return key === '' || commandSetting.test(key) || maybeCommand.test(key) ? opaqueCommands : { inner: [] };
  return carriedByValue(key, value, rest);
}

function carriedByValue(key: string, value: string, rest: readonly Word[]): InnerCommands {
  const line = (text: string): InnerCommands => ({
    inner: text.trim() === '' ? [] : [{ kind: 'script', text }],
  });
  if (commandSetting.test(key)) return line(value.replace(/^!/, ''));
  if (!maybeCommand.test(key)) return { inner: [] };
  if (/^core\.fsmonitor$/i.test(key))
    return /^(?:true|false|yes|no|on|off|\d+|)$/i.test(value) ? { inner: [] } : line(value);
  if (/^core\.hookspath$/i.test(key))
    return value === '/dev/null' || value === '' ? { inner: [] } : opaqueCommands;
  const script = /^!(.*)$/s.exec(value)?.[1] ?? (/^[/~.]/.test(value) ? value : undefined);
  if (script === undefined) return { inner: [] };
  const alias = /^alias\.(.+)$/i.exec(key)?.[1];
  const from = rest.findIndex(each => plainValue(each)?.toLowerCase() === alias?.toLowerCase());
  const more = from < 0 ? [] : rest.slice(from + 1).map(each => each.text);
  return line([script, ...more].join(' '));
}

function carriedByEnvironment(value: string, next: Word | undefined): InnerCommands {
  const setting = /^--config-env=(.*)$/.exec(value)?.[1] ?? plainValue(next) ?? '';
  const key = setting.replace(/=.*$/s, '');
  return commandSetting.test(key) || maybeCommand.test(key) ? opaqueCommands : { inner: [] };
}

const filters =
  '--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --setup';

/** Options of subcommands whose values are shell command lines. */
const lines: Readonly<Record<string, string>> = {
  rebase: '-x --exec',
  'filter-branch': filters,
  difftool: '-x --extcmd',
  clone: '-u --upload-pack',
  fetch: '--upload-pack',
  pull: '--upload-pack',
  'ls-remote': '--upload-pack --exec',
  push: '--receive-pack --exec',
  archive: '--exec',
  grep: '--open-files-in-pager',
};

function carriedByCommand(command: string, args: readonly Word[]): readonly InnerCommands[] {
  const [first, second, third] = args;
  const given = Object.hasOwn(lines, command) ? optionValues(args, lines[command]!.split(' ')) : [];
  const found = given.map(word => innerCommandIn(word));
  const remotes = args.map(word => innerCommandIn(word, /^ext::/));
  if (command === 'bisect' && plainValue(first) === 'run')
    return [{ inner: args.length > 1 ? [{ kind: 'command', words: args.slice(1) }] : [] }];
  if (command === 'submodule' && plainValue(first) === 'foreach') {
    const words = args.slice(1).filter(word => plainValue(word) !== '--recursive');
    return [innerCommandInWords(words)];
  }
  if (command === 'config' && first && second)
    return [carriedByConfig([first, second, ...(third ? [third] : [])])];
  return [...found, ...remotes];
}

/** `git config [--global] alias.x '!…'`. */
function carriedByConfig(args: readonly Word[]): InnerCommands {
  const [key, value] = args.filter(word => !plainValue(word)?.startsWith('-') && plainValue(word) !== 'set');
  const name = plainValue(key);
  if (name === undefined || !value) return { inner: [] };
  const text = plainValue(value);
  if (text !== undefined) return carriedByValue(name, text, []);
  return commandSetting.test(name) || maybeCommand.test(name) ? opaqueCommands : { inner: [] };
}
