/*
 * The files that a command names pass the same list as those of tools. The difference: a person sees the command
 * before it runs, so what lies outside of the workspace is asked about rather than denied, and in the mode that
 * allows all only secrets still ask.
 */

import { join, resolve } from 'node:path';
import { type CommandAnalysis, type FileUse, filesOf, type SubCommand } from '../../shell/analysis.ts';
import type { WorkspacePaths } from '../paths.ts';
import { type Access, findProtection, protectedSamples } from './protectedPaths.ts';

export interface FilePlaces {
  readonly gate: Pick<WorkspacePaths, 'locate' | 'protectionOf'>;
  /** Absolute; where the command runs. */
  readonly cwd: string;
  /** What `~` stands for, absolute. */
  readonly home: string;
}

/** A sentence. `stern`: it asks in every mode. `denied`: it is for the model, and the command does not run. */
export interface Demand {
  readonly reason: string;
  readonly kind: 'asks' | 'stern' | 'denied';
}

export async function judgeFiles(analysis: CommandAnalysis, places: FilePlaces): Promise<readonly Demand[]> {
  const demands: Demand[] = [];
  for (const use of filesOf(analysis)) {
    const access = accessOf(use, analysis);
    if (access === 'looks' && use.path.kind === 'plain' && !mayLeave(use.path.value)) continue;
    const demand = await judgeFile(use, access, places);
    if (demand) demands.push(demand);
  }
  return demands;
}

/** `looks`: learns of a file no more than that it is there. `unknown`: may read or change it. */
type CommandAccess = Access | 'looks' | 'unknown';

function accessOf(use: FileUse, { commands, writes, reads }: CommandAnalysis): CommandAccess {
  if (writes.some(({ path }) => path === use.path)) return 'write';
  if (reads.some(({ path }) => path === use.path)) return 'read';
  const command = commands.find(({ paths }) => paths.includes(use.path));
  if (command?.verdict !== 'reads') return 'unknown';
  return onlyLooks.has(programOf(command)) ? 'looks' : 'read';
}

function programOf({ root }: SubCommand): string {
  return root.split(' ')[0] ?? '';
}

const onlyLooks = new Set([
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

function mayLeave(path: string): boolean {
  return /^[~/\\]|\.\.|^[a-z]:/i.test(path) || path.includes('$');
}

async function judgeFile(
  { path: word, folder }: FileUse,
  access: CommandAccess,
  places: FilePlaces,
): Promise<Demand | undefined> {
  const { text } = word;
  if (word.kind === 'unknown') {
    const isSecret = word.prefix !== '' && findProtection(word.prefix, 'read') !== undefined;
    return {
      kind: isSecret ? 'stern' : 'asks',
      reason: `What ${text} stands for is only known when it runs.`,
    };
  }
  if (word.kind === 'pattern') {
    const demand = judgePattern(word.value, text);
    if (demand && access !== 'looks') return demand;
  }
  const value = word.kind === 'pattern' ? beforePattern(word.value) : word.value.replace(/^(?:if|of)=/, '');
  if (harmlessDevices.test(value) || value === '-') return undefined;
  if (/^\\\\|^\/\/[^/]/.test(value)) return { kind: 'stern', reason: `${text} names a network share.` };
  const absolute = absolutePath(value, folder, places);
  if (absolute === undefined) {
    const isSecret = findProtection(value, 'read') !== undefined;
    return {
      kind: isSecret ? 'stern' : 'asks',
      reason: `From where ${text} is meant is only known when it runs.`,
    };
  }
  return judgePlace(absolute, text, access, places);
}

async function judgePlace(
  absolute: string,
  text: string,
  access: CommandAccess,
  { gate }: FilePlaces,
): Promise<Demand | undefined> {
  const place = await gate.locate(absolute, 'read');
  const asWhat = access === 'write' || access === 'unknown' ? 'write' : 'read';
  if (place.kind === 'refused') {
    const isSecret = findProtection(absolute, asWhat) !== undefined || processMemory.test(absolute);
    return { kind: isSecret ? 'stern' : 'asks', reason: `${text} lies outside of the workspace.` };
  }
  if (access === 'looks') return undefined;
  const protection =
    (await gate.protectionOf(place.path, asWhat)) ?? (await gate.protectionOf(absolute, asWhat));
  if (!protection) return undefined;
  const isDenied = access === 'write' && protection.kind === 'sealed';
  return { kind: isDenied ? 'denied' : 'stern', reason: protection.why };
}

/** `cat *` reads keys too, if there are any. A pattern that is after hidden files asks in every mode. */
function judgePattern(value: string, text: string): Demand | undefined {
  const name = value.split('/').at(-1) ?? value;
  const folder = value.split('/').slice(0, -1).join('/');
  if (folder !== '' && findProtection(beforePattern(value), 'read')) {
    return { kind: 'stern', reason: `${text} may stand for files that hold secrets.` };
  }
  const pattern = patternOf(name);
  if (!protectedSamples.some(sample => pattern.test(sample))) return undefined;
  const isAfterThem = name.startsWith('.') && !/^\.[*?[]/.test(name);
  return { kind: isAfterThem ? 'stern' : 'asks', reason: `${text} may stand for files that hold secrets.` };
}

/** As a shell reads it: what begins with `*` is no hidden file. Brackets count as any letter. */
function patternOf(name: string): RegExp {
  const source = name
    .replace(/\[[^\]]*\]/g, '?')
    .split('')
    .map(letter =>
      letter === '*' ? '.*' : letter === '?' ? '.' : letter.replace(/[\\^$.|+(){}[\]]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${/^[*?[]/.test(name) ? '(?!\\.)' : ''}${source}$`, 'i');
}

/** The folder that a pattern surely starts in. */
function beforePattern(value: string): string {
  const start = value.slice(0, value.search(/[*?[]/) + 1);
  return start.slice(0, start.lastIndexOf('/') + 1) || '.';
}

function absolutePath(
  value: string,
  folder: string | undefined,
  { cwd, home }: FilePlaces,
): string | undefined {
  if (value === '~' || value.startsWith('~/')) return join(home, value.slice(1));
  if (value.startsWith('~')) return resolve(home, '..', value.slice(1));
  if (/^(?:[/\\]|[a-z]:[\\/])/i.test(value)) return value;
  if (folder === undefined) return undefined;
  const start =
    folder === '~' || folder.startsWith('~/') ? join(home, folder.slice(1)) : resolve(cwd, folder);
  return resolve(start, value);
}

const harmlessDevices = /^\/dev\/(?:null|zero|tty|u?random|stdin|stdout|stderr|fd\/\d+)$/;
const processMemory = /^\/proc\/(?:self|thread-self|\d+)\/(?:environ|mem|fd|maps|cmdline|root|cwd)|^\/dev\//;
