import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { type AnalysedCommand, hasSubstitution, type Word } from './analysis.ts';
import { classifyAssignments, classifyVariable } from './assignments.ts';
import { innerCommandsInVariables, innerCommandsOf } from './carriers.ts';
import { classifyDanger } from './dangers.ts';
import {
  dangerousFinding,
  type Finding,
  fileArguments,
  type Invocation,
  likelyPaths,
  readOnlyFinding,
  unclearFinding,
} from './finding.ts';
import { classifyGit } from './git.ts';
import { classifyInterpreter, isInterpreter } from './interpreters.ts';
import { classifyReadOnly, classifyVersion, isReadOnlyProgram } from './programs.ts';
import { neverRunsArguments, permissionRootOf } from './roots.ts';
import { classifySearch } from './searches.ts';
import { plainValue } from './words.ts';
import { classifyWrapper } from './wrappers.ts';

interface Classified {
  readonly command: Omit<AnalysedCommand, 'folder'>;
  readonly finding: Finding;
}

/** Classifies one command. The order matters: the worst known fact comes first. */
export function classifyCommand(call: Invocation): Classified {
  const [first, ...args] = call.words;
  const name = first && programName(first);
  const own = name === undefined ? classifyNameless(first!) : classifyNamed(call, name, args);
  const assigned = withAssignments(own, call);
  // The sandbox covers the code that `eval` runs, so the policy decides on it.
  const isRefused = name !== 'eval';
  const finding = withCarried(isRefused ? refuseSubstitution(assigned, args) : assigned, call, name);
  const { root, lasting } =
    name === undefined ? { root: first!.text, lasting: false } : permissionRootOf(name, args);
  const command = {
    text: call.text,
    words: call.words,
    root,
    lasting: lasting && call.assignments.length === 0 && finding.verdict !== 'dangerous',
    verdict: finding.verdict,
    reason: finding.reason,
    // `<(…)` is a pipe, not a file. Its commands are classified separately.
    paths: (finding.paths ?? []).filter(({ kind, text }) => kind !== 'unknown' || !/^[<>]\(/.test(text)),
    isOpaque: finding.isOpaque,
    mayStartArguments: finding.mayStartArguments,
  };
  return { command, finding };
}

/** Returns whether a program of this name is classified here. A function of that name would pass for the program. */
export function isClassifiedProgram(name: string): boolean {
  const probe = { text: name, words: [], assignments: [], stdin: { kind: 'inherited' } } as const;
  return (
    isReadOnlyProgram(name) ||
    isInterpreter(name) ||
    name === 'git' ||
    name === 'cd' ||
    classifyDanger(name, []) !== undefined ||
    classifyWrapper(probe, name, []) !== undefined ||
    classifySearch(probe, name, []) !== undefined ||
    classifyBuiltin(name, []) !== undefined
  );
}

/** Returns `undefined` if the name is known only at run time. */
function programName(word: Word): string | undefined {
  const value = plainValue(word);
  if (value === undefined || value === '') return undefined;
  return /^(?:\/usr(?:\/local)?)?\/s?bin\/([^/]+)$/.exec(value)?.[1] ?? value;
}

function classifyNameless(first: Word): Finding {
  return { ...classifyUnseen(first), isOpaque: true };
}

function classifyUnseen(first: Word): Finding {
  if (hasSubstitution(first)) {
    return {
      ...dangerousFinding(() => t('Folio cannot tell which program {0} is.', first.text)),
      refused: () =>
        t(
          'The name of a command must not come from the output of another command, because Folio cannot check it in advance. Run that command first, read its output, then write out the name.',
        ),
    };
  }
  return unclearFinding(() => t('Folio cannot tell which program {0} is.', first.text));
}

function classifyNamed(call: Invocation, name: string, args: readonly Word[]): Finding {
  const found =
    classifyVersion(name, args) ??
    classifyWrapper(call, name, args) ??
    classifyInterpreter(call, name, args) ??
    classifyDanger(name, args) ??
    (name === 'git' ? classifyGit(args) : undefined) ??
    classifySearch(call, name, args) ??
    classifyBuiltin(name, args) ??
    classifyPackages(name, args) ??
    classifyReadOnly(name, args);
  if (found) return found;
  const mayStartArguments = neverRunsArguments(name) ? undefined : true;
  const finding = name.includes('/')
    ? unclearFinding(
        () => t('Folio does not know the program {0}.', name),
        [call.words[0]!, ...likelyPaths(args)],
      )
    : unclearFinding(describeUnknown(name), fileArguments(name, args));
  return { ...finding, mayStartArguments };
}

/** Adds the commands in arguments and variables of this command. */
function withCarried(finding: Finding, call: Invocation, name: string | undefined): Finding {
  const own = name === undefined ? undefined : innerCommandsOf(call, name, call.words.slice(1));
  const all = [own, innerCommandsInVariables(call.assignments)].filter(each => each !== undefined);
  if (all.length === 0) return finding;
  return {
    ...finding,
    inner: [...(finding.inner ?? []), ...all.flatMap(({ inner }) => inner)],
    isOpaque: finding.isOpaque ?? (all.some(each => each.isOpaque) ? true : undefined),
    mayStartArguments: own ? undefined : finding.mayStartArguments,
  };
}

function classifyBuiltin(name: string, args: readonly Word[]): Finding | undefined {
  switch (name) {
    case 'cd':
    case 'pushd':
    case 'popd':
      return classifyFolder(name, args);
    case 'env':
    case 'printenv':
      return unclearFinding(() => t('{0} prints environment variables, which may include keys.', name));
    case 'set':
      return args.length > 0 && args.every(isPlainSetting)
        ? readOnlyFinding(() => t('It only makes the shell stricter or more talkative.'))
        : unclearFinding(() => t('set changes how the shell works, or prints its variables.'));
    case 'read':
      return classifyRead(args);
    case 'disown':
      return {
        ...unclearFinding(() => t('It lets background processes continue after the shell ends.')),
        background: true,
      };
    case 'let':
    case 'shopt':
    case 'ulimit':
    case 'bind':
    case 'complete':
    case 'mapfile':
    case 'readarray':
    case 'getopts':
      return unclearFinding(() => t('{0} changes how the shell works.', name));
    default:
      return undefined;
  }
}

function isPlainSetting(word: Word): boolean {
  return word.kind === 'plain' && /^(?:[-+][euxoE]+|pipefail)$/.test(word.value);
}

function classifyFolder(name: string, args: readonly Word[]): Finding {
  const [target] = args;
  const known = name === 'cd' && args.length === 1 ? plainValue(target) : undefined;
  const certain = known !== undefined && !/^[-+]/.test(known);
  return {
    ...readOnlyFinding(() => t('It only changes the current folder.'), args),
    folder: { to: certain ? known : undefined },
  };
}

function classifyRead(args: readonly Word[]): Finding {
  const names = args.filter(word => !(word.kind === 'plain' && /^-/.test(word.value)));
  const odd = names.find(word => word.kind !== 'plain' || !/^\w*$/.test(word.value));
  if (odd) return unclearFinding(() => t('Folio cannot tell what read does with {0}.', odd.text));
  const worst = names
    .map(word => classifyVariable(plainValue(word)!))
    .find(({ verdict }) => verdict === 'dangerous');
  return worst ?? readOnlyFinding(() => t('It only reads a line into a variable.'));
}

const listing: Readonly<Record<string, RegExp>> = {
  npm: /^(?:ls|list|ll|root|prefix|bin)$/,
  pip: /^(?:list|show|freeze)$/,
  pip3: /^(?:list|show|freeze)$/,
  docker: /^(?:ps|images|version)$/,
  podman: /^(?:ps|images|version)$/,
  brew: /^(?:list|--prefix)$/,
};

/** Package managers that only list packages. Options with a value ask, since they may name another location. */
function classifyPackages(name: string, args: readonly Word[]): Finding | undefined {
  const pattern = Object.hasOwn(listing, name) ? listing[name] : undefined;
  const values = args.map(plainValue);
  if (!pattern?.test(values[0] ?? '')) return undefined;
  const plain = values.every(
    value =>
      value !== undefined &&
      /^(?:-[a-z]{1,2}|--(?:all|depth(?:=\d+)?|json|long|parseable|global)|[\w@][\w@/.-]*)$/.test(value),
  );
  return plain ? readOnlyFinding(() => t('{0} only lists.', `${name} ${values[0]}`)) : undefined;
}

function describeUnknown(name: string): LocalizedMessage {
  if (/^(?:curl|wget|ssh|scp|sftp|rsync|ping|dig|nslookup|host|telnet|ftp|aria2c|http)$/.test(name)) {
    return () => t('{0} connects to another machine.', name);
  }
  if (
    /^(?:mkdir|touch|cp|mv|rm|rmdir|ln|install|truncate|tee|chmod|chown|unzip|zip|gzip|gunzip|patch)$/.test(
      name,
    )
  ) {
    return () => t('{0} changes files.', name);
  }
  if (name === 'kill') return () => t('It ends a process.');
  if (/^(?:npm|npx|pnpm|yarn|bun|make|cargo|go|mvn|gradle|pip3?)$/.test(name)) {
    return () => t('{0} can run project scripts or change installed packages.', name);
  }
  return () => t('{0} may write files or start other programs.', name);
}

function withAssignments(finding: Finding, { assignments }: Invocation): Finding {
  const more = classifyAssignments(assignments);
  if (!more || finding.verdict === 'dangerous') return finding;
  return { ...finding, verdict: more.verdict, reason: more.reason };
}

function refuseSubstitution(finding: Finding, args: readonly Word[]): Finding {
  if (finding.refused !== undefined || finding.verdict !== 'dangerous' || !args.some(hasSubstitution))
    return finding;
  // The other words belong to the inner command, which is also classified on its own.
  return {
    ...finding,
    refused: () =>
      t(
        'The arguments of a dangerous command must not come from the output of another command ({0}). Run the inner command first, read its output, then write out the arguments.',
        finding.reason().replace(/\.$/, ''),
      ),
  };
}
