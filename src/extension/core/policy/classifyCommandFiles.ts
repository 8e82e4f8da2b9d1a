/*
 * Checks the files that a command names against the same list as those of tools. Unlike there, a path outside the
 * workspace asks instead of being denied, since the user sees the command first. In the mode that allows all, only
 * secrets still ask.
 */

import { join, relative, resolve } from 'node:path';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { escapeRegExp } from '../../base/text.ts';
import { isDevicePath } from '../../platform/fileSystem.ts';
import {
  type AnalysedCommand,
  type CommandAnalysis,
  type FileUse,
  filesOfCommand,
} from '../../shell/classify/analysis.ts';
import { type Access, findProtection, protectedNameSamples } from '../protectedPaths.ts';
import { expandPattern, findProtectedBelow, type PathGate, resolveDotDot } from './workspaceScan.ts';

interface FilePlaces {
  readonly gate: PathGate;
  /** Absolute folder that the command runs in. */
  readonly cwd: string;
  /** The absolute folder that `~` stands for. */
  readonly home: string;
  /** The sandbox, if any, allows connections to some host. */
  readonly connects: boolean;
}

/**
 * A reason to involve the user. `stern`: asks in every mode. `denied`: it does not run, and the model reads the reason.
 */
export interface FileAccessVerdict {
  readonly reason: LocalizedMessage;
  readonly kind: 'asks' | 'stern' | 'denied';
  /** The sandbox has its own copy of the place, such as `/proc` and `/dev`, or makes the access ineffective. */
  readonly isHarmlessInSandbox?: boolean;
}

/** Returns the demands of the files that a command reads and writes. Empty: none needs the user. */
export async function classifyCommandFiles(
  analysis: CommandAnalysis,
  places: FilePlaces,
): Promise<readonly FileAccessVerdict[]> {
  const demands: FileAccessVerdict[] = [];
  for (const use of filesOfCommand(analysis)) {
    const access = accessOf(use, analysis);
    const demand = await classifyFile(use, access, places);
    if (demand) demands.push(demand);
    else if (access === 'read') {
      const below = await classifyBelow(use, commandOf(use, analysis), places);
      if (below) demands.push(below);
    }
  }
  return demands;
}

/** `lists`: learns only that a file exists. `unknown`: may read or change it. */
type CommandAccess = Access | 'lists' | 'unknown';

function accessOf(use: FileUse, { commands, writes, reads }: CommandAnalysis): CommandAccess {
  if (writes.some(({ path }) => path === use.path)) return 'write';
  if (reads.some(({ path }) => path === use.path)) return 'read';
  const command = commandOf(use, { commands });
  if (command?.verdict !== 'reads') return 'unknown';
  return listingPrograms.has(programOf(command)) ? 'lists' : 'read';
}

function commandOf(
  use: FileUse,
  { commands }: Pick<CommandAnalysis, 'commands'>,
): AnalysedCommand | undefined {
  return commands.find(({ paths }) => paths.includes(use.path));
}

function programOf({ root }: AnalysedCommand): string {
  return root.split(' ')[0] ?? '';
}

const listingPrograms = new Set([
  'ls',
  'stat',
  'test',
  '[',
  '[[',
  'cd',
  'du',
  'basename',
  'dirname',
  'realpath',
  'readlink',
]);

const onlyLists = new Set(['find', 'fd', 'fdfind', 'tree']);

/** `grep -r`, `rg` and `diff -r` read everything below a folder. */
async function classifyBelow(
  { path: word, folder }: FileUse,
  command: AnalysedCommand | undefined,
  places: FilePlaces,
): Promise<FileAccessVerdict | undefined> {
  if (!command || word.kind !== 'plain' || onlyLists.has(programOf(command))) return undefined;
  const values = command.words.flatMap(each => (each.kind === 'unknown' ? [] : [each.value]));
  // Git prints only recorded content; only this option reads other files.
  if (programOf(command) === 'git' && !values.includes('--no-index')) return undefined;
  const start = startOf(word.value, folder, places);
  const path = start && (await resolveDotDot(places.gate, start, word.value));
  if (path === undefined) return undefined;
  const hidden =
    programOf(command) !== 'rg' || values.some((value, at) => showsHidden(value, values[at + 1]));
  const found = await findProtectedBelow(places.gate, path, hidden);
  if (found === undefined) return undefined;
  return {
    kind: 'asks',
    reason:
      found === 'unknown'
        ? () => t('{0} contains too many files to check for secrets.', word.text)
        : () => t('{0} contains a file that may hold secrets ({1}).', word.text, relative(path, found)),
  };
}

/** A glob that includes files overrides the exclusion of hidden ones. */
function showsHidden(value: string, next = ''): boolean {
  if (/^(?:--i?glob|-g)$/.test(value)) return !next.startsWith('!');
  if (/^--i?glob=|^-[a-zA-Z]*g/.test(value)) return !/^(?:--i?glob=|-g)!/.test(value);
  return /^--(?:hidden|unrestricted|no-ignore|type)|^-[a-zA-Z]*[.ut]/.test(value);
}

async function classifyFile(
  { path: word, folder }: FileUse,
  access: CommandAccess,
  places: FilePlaces,
): Promise<FileAccessVerdict | undefined> {
  const { text } = word;
  if (word.kind === 'unknown') {
    const isHarmlessInSandbox = word.prefix.startsWith('/proc/');
    const isSecret =
      isHarmlessInSandbox || (word.prefix !== '' && findProtection(word.prefix, 'read') !== undefined);
    return {
      kind: isSecret ? 'stern' : 'asks',
      isHarmlessInSandbox,
      reason: () => t('The value of {0} is only known when the command runs.', text),
    };
  }
  if (word.kind === 'pattern') {
    const demand = access === 'lists' ? undefined : classifyPattern(word.value, text);
    if (demand) return demand;
    if (access !== 'lists' && folder !== undefined)
      return classifyMatches(word.value, text, folder, access, places);
  }
  if (word.kind === 'plain' && /^(?:if|of)=/.test(word.value)) {
    const path = { ...word, value: word.value.slice(3) };
    const demand = await classifyFile({ path, folder }, access, places);
    if (demand) return demand;
  }
  const value = word.kind === 'pattern' ? beforePattern(word.value) : word.value;
  if (harmlessDevices.test(value) || value === '-') return undefined;
  if (/^\\\\|^\/\/[^/]/.test(value))
    return { kind: 'stern', reason: () => t('{0} names a network share.', text) };
  const start = startOf(value, folder, places);
  if (start === undefined) {
    const isSecret = findProtection(value, 'read') !== undefined;
    return {
      kind: isSecret ? 'stern' : 'asks',
      reason: () => t('Folio cannot tell which folder {0} is relative to.', text),
    };
  }
  const absolute = await resolveDotDot(places.gate, start, pathIn(value, places));
  return absolute === undefined
    ? { kind: 'asks', reason: () => t('{0} may be outside the workspace.', text) }
    : classifyPlace(absolute, text, access, places);
}

/** Classifies every file that a pattern matches now. Asks if the matches are unknown. */
async function classifyMatches(
  value: string,
  text: string,
  folder: string,
  access: CommandAccess,
  places: FilePlaces,
): Promise<FileAccessVerdict | undefined> {
  const start = startOf(value, folder, places);
  const found = start && (await expandPattern(places.gate, start, pathIn(value, places)));
  if (!found) return { kind: 'asks', reason: () => t('Folio cannot check the value of {0}.', text) };
  const demands: FileAccessVerdict[] = [];
  for (const path of found) {
    const demand = await classifyPlace(path, text, access, places);
    if (demand) demands.push(demand);
  }
  return demands.find(({ kind }) => kind !== 'asks') ?? demands[0];
}

async function classifyPlace(
  absolute: string,
  text: string,
  access: CommandAccess,
  { gate, connects }: FilePlaces,
): Promise<FileAccessVerdict | undefined> {
  const place = await gate.locate(absolute, 'read');
  const asWhat = access === 'write' || access === 'unknown' ? 'write' : 'read';
  if (place.kind === 'refused') {
    const isSystem = processMemory.test(absolute) || isDevicePath(absolute);
    // The sandbox has its own devices and shared memory.
    const isHarmlessInSandbox = isSystem || absolute.startsWith('/dev/');
    const isSecret = findProtection(absolute, asWhat) !== undefined || isSystem;
    return {
      kind: isSecret ? 'stern' : 'asks',
      isHarmlessInSandbox,
      reason: () => t('{0} is outside the workspace.', text),
    };
  }
  if (access === 'lists') return undefined;
  const protection =
    (await gate.protectionOf(place.path, asWhat)) ?? (await gate.protectionOf(absolute, asWhat));
  if (!protection) return undefined;
  const isDenied = access === 'write' && protection.kind === 'sealed';
  const isHarmlessInSandbox = protection.isGitConfig === true && !connects;
  return { kind: isDenied ? 'denied' : 'stern', reason: protection.why, isHarmlessInSandbox };
}

/** `cat *` also reads keys, if there are any. A pattern that targets hidden files asks in every mode. */
function classifyPattern(value: string, text: string): FileAccessVerdict | undefined {
  const name = value.split('/').at(-1) ?? value;
  const folder = value.split('/').slice(0, -1).join('/');
  if (folder !== '' && findProtection(beforePattern(value), 'read')) {
    return { kind: 'stern', reason: () => t('{0} may match files that hold secrets.', text) };
  }
  // A wildcard for any name is checked against the existing files instead.
  if (/^[*?]+$/.test(name)) return undefined;
  const pattern = patternOf(name);
  if (!protectedNameSamples.some(sample => pattern.test(sample))) return undefined;
  const isAfterThem = name.startsWith('.') && !/^\.[*?[]/.test(name);
  return {
    kind: isAfterThem ? 'stern' : 'asks',
    reason: () => t('{0} may match files that hold secrets.', text),
  };
}

/** Converts a shell pattern: a leading `*` does not match hidden files. A bracket matches anything from there on. */
function patternOf(name: string): RegExp {
  const source = name
    .replace(/\[.*$/s, '*')
    .split('')
    .map(letter => (letter === '*' ? '.*' : letter === '?' ? '.' : escapeRegExp(letter)))
    .join('');
  return new RegExp(`^${/^[*?[]/.test(name) ? '(?!\\.)' : ''}${source}$`, 'i');
}

/** The folder that all matches lie in, as far as the pattern fixes it. */
function beforePattern(value: string): string {
  const start = value.slice(0, value.search(/[*?[]/) + 1);
  return start.slice(0, start.lastIndexOf('/') + 1) || '.';
}

/** Returns an absolute path; undefined: unknown. */
function startOf(value: string, folder: string | undefined, { cwd, home }: FilePlaces): string | undefined {
  if (/^(?:[~/\\]|[a-z]:[\\/])/i.test(value)) return cwd;
  if (folder === undefined) return undefined;
  return folder === '~' || folder.startsWith('~/') ? join(home, folder.slice(1)) : resolve(cwd, folder);
}

function pathIn(value: string, { home }: FilePlaces): string {
  if (value === '~' || value.startsWith('~/')) return join(home, value.slice(1));
  return value.startsWith('~') ? resolve(home, '..', value.slice(1)) : value;
}

const harmlessDevices = /^\/dev\/(?:null|zero|tty|u?random|stdin|stdout|stderr|fd\/\d+)$/;
const processMemory = /^\/proc\/(?:self|thread-self|\d+)\/(?:environ|mem|fd|maps|cmdline|root|cwd)/;
