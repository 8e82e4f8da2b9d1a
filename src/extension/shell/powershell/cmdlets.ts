import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import type { AnalysedCommand, Word } from '../classify/analysis.ts';
import { classifyCommand } from '../classify/classifyCommand.ts';
import {
  dangerousFinding,
  type Finding,
  type InnerCommand,
  type Invocation,
  likelyPaths,
  readOnlyFinding,
  unclearFinding,
} from '../classify/finding.ts';
import { powerShellInnerCommands } from './powerShellInnerCommands.ts';

interface ClassifiedCmdlet {
  readonly command: Omit<AnalysedCommand, 'folder'>;
  /** True if it changes the current folder. */
  readonly moves: boolean;
  /** Commands that it starts. */
  readonly inner: readonly InnerCommand[];
}

/** Classifies one command of a PowerShell line. Names are case-insensitive. */
export function classifyCmdlet(call: Invocation): ClassifiedCmdlet {
  const [first, ...args] = call.words;
  const written = first?.kind === 'plain' ? first.value.toLowerCase() : undefined;
  const name = written === undefined ? undefined : (aliases.get(written) ?? written);
  const carried = name === undefined ? undefined : powerShellInnerCommands(call, name);
  const finding = name === undefined ? undefined : classifyNamed(name, args);
  const classified = finding ? classifyListed(call, name!, finding) : classifyProgram(call, written);
  const inner = [...classified.inner, ...(carried?.inner ?? [])];
  // The script is for another shell.
  const isForeign = classified.inner.some(({ kind }) => kind === 'script');
  const isOpaque = classified.command.isOpaque ?? carried?.isOpaque ?? (isForeign || undefined);
  return {
    command: { ...classified.command, isOpaque },
    moves: name === 'set-location' || name === 'push-location' || name === 'pop-location',
    inner: isForeign ? (carried?.inner ?? []) : inner,
  };
}

type Classified = Pick<ClassifiedCmdlet, 'command' | 'inner'>;

function classifyListed(
  call: Invocation,
  name: string,
  { verdict, reason, paths = [] }: Finding,
): Classified {
  const { text, words } = call;
  const lasting = verdict !== 'dangerous' && !rootsForAnything.test(name);
  const otherNames = [name, ...[...aliases].flatMap(([alias, of]) => (of === name ? [alias] : []))];
  const command = { text, words, root: words[0]!.text, lasting, verdict, reason, paths, otherNames };
  return { command, inner: [] };
}

const aliases = new Map<string, string>(
  [
    'get-childitem ls dir gci',
    'get-content cat type gc',
    'get-location pwd gl',
    'get-item gi',
    'get-process ps gps',
    'get-command gcm',
    'get-date date',
    'select-string sls',
    'select-object select',
    'sort-object sort',
    'measure-object measure',
    'compare-object diff compare',
    'write-output echo write',
    'format-table ft',
    'format-list fl',
    'resolve-path rvpa',
    'set-location cd chdir sl',
    'push-location pushd',
    'pop-location popd',
    'remove-item rm del erase rd rmdir ri',
    'copy-item cp copy cpi',
    'move-item mv move mi',
    'rename-item ren rni',
    'new-item ni md mkdir',
    'set-content sc',
    'invoke-expression iex',
    'invoke-webrequest iwr curl wget',
    'invoke-restmethod irm',
    'invoke-command icm',
    'start-process start saps',
    'stop-process kill spps',
    'foreach-object foreach %',
    'where-object where ?',
    'set-alias sal',
    'new-alias nal',
    'set-variable sv set',
  ].flatMap(line => {
    const [name, ...short] = line.split(' ');
    return short.map(each => [each, name!] as const);
  }),
);

const reading = new Set(
  'get-childitem get-content get-location get-item get-process get-command get-date get-filehash select-string select-object sort-object measure-object compare-object write-output write-host format-table format-list out-string out-null resolve-path split-path join-path test-path convertfrom-json convertto-json get-unique get-host set-location push-location pop-location'.split(
    ' ',
  ),
);

/** Cmdlets that take no files. Their words are not checked as paths. */
const withoutFiles =
  /^(?:write-|format-|out-|get-(?:process|command|date|unique|host)|measure-object|select-object|sort-object|convert)/;

const always = new Map<string, LocalizedMessage>([
  ['invoke-expression', () => t('It runs text that is built only when it runs.')],
  ['invoke-command', () => t('It runs commands, also on other machines.')],
  ['set-executionpolicy', () => t('It changes which scripts may run.')],
  ['stop-computer', () => t('It stops the machine.')],
  ['restart-computer', () => t('It stops the machine.')],
  ['format-volume', () => t('It can erase a disk.')],
  ['clear-disk', () => t('It can erase a disk.')],
  ['diskpart', () => t('It can erase a disk.')],
  ['stop-process', () => t('It ends processes.')],
  ['set-alias', () => t('It changes what later commands mean.')],
  ['new-alias', () => t('It changes what later commands mean.')],
  ['add-type', () => t('It compiles and loads code.')],
  ['new-service', () => t('It changes which services run.')],
  ['set-service', () => t('It changes which services run.')],
  ['register-scheduledtask', () => t('It schedules something to run later.')],
  ['schtasks', () => t('It schedules something to run later.')],
  ['reg', () => t('It changes the registry.')],
  ['clear-history', () => t('It deletes the shell history.')],
  ['cmd', () => t('It runs a command line in another shell, which Folio cannot check.')],
  ['cmd.exe', () => t('It runs a command line in another shell, which Folio cannot check.')],
  ['powershell', () => t('It runs text in another shell, which Folio cannot check.')],
  ['pwsh', () => t('It runs text in another shell, which Folio cannot check.')],
  ['powershell.exe', () => t('It runs text in another shell, which Folio cannot check.')],
  ['pwsh.exe', () => t('It runs text in another shell, which Folio cannot check.')],
]);

const rootsForAnything =
  /^(?:start-process|foreach-object|where-object|invoke-|remove-item|copy-item|move-item|set-|new-)/;

function classifyNamed(name: string, args: readonly Word[]): Finding | undefined {
  const reason = always.get(name);
  if (reason !== undefined) return dangerousFinding(reason, likelyPaths(args));
  if (name === 'remove-item') return classifyRemove(args);
  if (name === 'start-process' && args.some(word => word.kind === 'plain' && /^runas$/i.test(word.value))) {
    return dangerousFinding(() => t('It runs with the permissions of another user.'));
  }
  if (!reading.has(name))
    return /^[a-z]+-[a-z]+$/.test(name) || isAliased(name)
      ? unclearFinding(() => t('{0} may change something.', name), likelyPaths(args))
      : undefined;
  const odd = args.find(
    word =>
      word.kind === 'plain' &&
      /^-(?:o|pi|e\w*v|w\w*v|inf|in)/i.test(word.value) &&
      !/^-(?:inc|inp|on)/i.test(word.value),
  );
  if (odd) return unclearFinding(() => t('{0} with {1} may change a variable.', name, odd.text));
  const paths = withoutFiles.test(name) ? [] : filesAmong(args);
  const drive = paths.find(word => word.kind !== 'unknown' && /^(?:[a-z]{2,}:|\\\\|.*::)/i.test(word.value));
  if (drive)
    return unclearFinding(() => t("{0} is not a folder on this computer's disks.", drive.text), paths);
  return readOnlyFinding(() => t('{0} only reads.', name), paths);
}

function isAliased(name: string): boolean {
  return [...aliases.values()].includes(name);
}

function classifyRemove(args: readonly Word[]): Finding {
  const recursive = args.some(
    word => (word.kind !== 'unknown' && /^-r/i.test(word.value)) || word.kind === 'unknown',
  );
  return recursive
    ? dangerousFinding(() => t('It deletes folders.'), likelyPaths(args))
    : unclearFinding(() => t('It deletes files.'), likelyPaths(args));
}

/** Returns all words except parameters and values of parameters known not to be files. */
function filesAmong(args: readonly Word[]): readonly Word[] {
  const notFiles = /^-(?:fi|inc|exc|patt|first|last|skip|dep|tot|ta|head|enc|prop|alg|con|delim|mat)/i;
  return args.filter((word, at) => {
    if (word.kind === 'plain' && /^-[a-z]+:?$/i.test(word.value)) return false;
    const before = args[at - 1];
    return !(before?.kind === 'plain' && notFiles.test(before.value));
  });
}

/** Programs that are the same on all systems. Other known names may be another program on Windows. */
const sameEverywhere = new Set(
  'git rg node npm npx pnpm yarn python cargo go docker deno bun tsc'.split(' '),
);

function classifyProgram(call: Invocation, name: string | undefined): Classified {
  const plain = name?.replace(/\.(?:exe|cmd)$/, '');
  const [first, ...args] = call.words;
  if (plain === undefined || !sameEverywhere.has(plain)) {
    const { command, finding } = classifyCommand(call);
    const reason = () => t('Folio cannot tell which program {0} is.', first!.text);
    const own = command.verdict === 'reads' ? { ...command, verdict: 'unknown' as const, reason } : command;
    return { command: own, inner: finding.inner ?? [] };
  }
  const renamed: Word = { kind: 'plain', text: first!.text, value: plain };
  const { command, finding } = classifyCommand({ ...call, words: [renamed, ...args] });
  // Older versions pass quotes in arguments in a way that changes argument boundaries.
  const quotes = args.some(word => word.kind !== 'unknown' && word.value.includes('"'));
  const reason = () => t('Folio cannot tell where its arguments end.');
  const isUnsure = quotes && command.verdict === 'reads';
  return {
    command: isUnsure ? { ...command, verdict: 'unknown', reason } : command,
    inner: finding.inner ?? [],
  };
}
