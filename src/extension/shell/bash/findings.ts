import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import {
  type AnalysedCommand,
  type CommandAnalysis,
  dedupeMessages,
  type FileUse,
  type Word,
} from '../classify/analysis.ts';
import { classifyCommand } from '../classify/classifyCommand.ts';
import { dangerousTarget } from '../classify/dangers.ts';
import type { Finding, Invocation } from '../classify/finding.ts';
import { type FolderScope, folderAfterCd } from './folders.ts';

/** Findings of one walk, including the scripts inside of the text. */
export interface Findings {
  readonly commands: AnalysedCommand[];
  readonly doubts: LocalizedMessage[];
  readonly writes: FileUse[];
  readonly reads: FileUse[];
  unparsed: LocalizedMessage | undefined;
  refused: LocalizedMessage | undefined;
  background: boolean;
}

/** Walks a script found inside a command, such as that of `bash -c`. */
type WalkScript = (script: string, depth: number, folder: FolderScope) => void;

export function emptyFindings(): Findings {
  return {
    commands: [],
    doubts: [],
    writes: [],
    reads: [],
    unparsed: undefined,
    refused: undefined,
    background: false,
  };
}

export function toAnalysis(found: Findings): CommandAnalysis {
  const { commands, doubts, writes, reads, unparsed, refused, background } = found;
  return {
    commands,
    unparsed,
    refused,
    doubts: dedupeMessages(doubts),
    background,
    writes,
    reads,
  };
}

// Deeper nesting has no legitimate use, and every level costs a parse.
const deepest = 8;
const most = 500;
const reserved =
  /^(?:[{}!]|\[\[|\(\(|if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|in)$/;

/** Classifies a command and every command that it starts. */
export function addCommand(
  found: Findings,
  call: Invocation,
  folder: FolderScope,
  depth: number,
  walkScript: WalkScript,
): void {
  if (depth > deepest || found.commands.length >= most) {
    found.unparsed ??= () => t('Its commands are nested too deeply to check.');
    return;
  }
  const { command, finding } = classifyCommand(call);
  // After `time` and `coproc` a reserved word begins a statement, which the grammar parses as a command name.
  if (reserved.test(call.words[0]!.text))
    found.unparsed ??= () => t('Folio cannot read part of it, so it may run more than is shown.');
  found.commands.push({ ...command, folder: folder.path });
  found.refused ??= finding.refused;
  if (finding.background) found.background = true;
  if (finding.folder) folder.path = folderAfterCd(folder.path, finding.folder.to);
  addInner(found, call, finding, folder, depth, walkScript);
}

/** Adds a construct that is no program but matters: an assignment, a test, a redirection to a device. */
export function addConstruct(
  found: Findings,
  text: string,
  finding: Pick<Finding, 'verdict' | 'reason' | 'paths' | 'isOpaque'>,
  folder: FolderScope,
): void {
  if (found.commands.length >= most) return;
  const { verdict, reason, paths = [], isOpaque } = finding;
  found.commands.push({
    text,
    words: [],
    root: text,
    lasting: false,
    verdict,
    reason,
    paths,
    folder: folder.path,
    isOpaque,
  });
}

export function addWrite(found: Findings, text: string, path: Word, folder: FolderScope): void {
  if (path.kind === 'plain' && /^\/dev\/(?:null|std(?:in|out|err)|fd\/\d+|tty|zero|full)$/.test(path.value))
    return;
  found.writes.push({ path, folder: folder.path });
  addTarget(found, text, path, folder);
}

export function addRead(found: Findings, text: string, path: Word, folder: FolderScope): void {
  if (path.kind === 'plain' && /^\/dev\/(?:null|stdin|zero|tty)$/.test(path.value)) return;
  found.reads.push({ path, folder: folder.path });
  // Reading or writing opens the connection.
  if (path.kind === 'plain' && /^\/dev\/(?:tcp|udp)\//.test(path.value)) addTarget(found, text, path, folder);
}

function addTarget(found: Findings, text: string, path: Word, folder: FolderScope): void {
  const reason = path.kind === 'unknown' ? undefined : dangerousTarget(path.value);
  if (reason !== undefined)
    addConstruct(found, text, { verdict: 'dangerous', reason, paths: [path] }, folder);
}

function addInner(
  found: Findings,
  call: Invocation,
  { inner }: Finding,
  folder: FolderScope,
  depth: number,
  walkScript: WalkScript,
): void {
  for (const each of inner ?? []) {
    // A nested shell does not change the outer folder. `eval` does, and has already made the folder unknown.
    if (each.kind === 'script') walkScript(each.text, depth + 1, { ...folder });
    else {
      const { words, assignments = [] } = each;
      const text = words.map(word => word.text).join(' ');
      const started = { text, words, assignments, stdin: call.stdin };
      addCommand(found, started, folder, depth + 1, walkScript);
    }
  }
}
