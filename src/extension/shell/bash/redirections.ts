import type { Node } from 'web-tree-sitter';
import { t } from '../../../protocol/language.ts';
import type { StandardInput } from '../classify/finding.ts';
import { walkEmbedded } from './embedded.ts';
import { addRead, addWrite } from './findings.ts';
import type { FolderScope } from './folders.ts';
import { readHereDocument } from './hereDocument.ts';
import { readOneWord, walkSimple } from './simpleCommand.ts';
import { markNotUnderstood, type Walk, walkPipeline, walkStatement } from './walk.ts';

interface Redirected {
  /** The new standard input; `undefined` if unchanged. */
  readonly stdin: StandardInput | undefined;
  /** Words after a redirection's target, which belong to the command. */
  readonly extra: readonly Node[];
}

/** Walks a statement with redirections, then the rest of a here-document's line. */
export function walkRedirected(walk: Walk, node: Node, folder: FolderScope, stdin: StandardInput): void {
  const body = node.childForFieldName('body');
  const redirects = node.children.filter(child => /_redirect$/.test(child.type));
  const others = node.children.filter(
    child => child.isNamed && !child.equals(body ?? node) && !redirects.includes(child),
  );
  if (others.some(child => child.type !== 'comment')) markNotUnderstood(walk);
  const { stdin: own, extra } = walkRedirects(walk, redirects, folder);
  if (body?.type === 'command') walkSimple(walk, body, { folder, stdin: own ?? stdin, extra });
  else {
    if (extra.length > 0) markNotUnderstood(walk);
    // The grammar attaches the redirections of a pipeline's last command to the pipeline.
    if (body)
      walkStatement(
        walk,
        body,
        folder,
        body.type === 'pipeline' || body.type === 'list' ? stdin : (own ?? stdin),
      );
    const feedsOther = own?.kind === 'text' && (body?.type === 'pipeline' || body?.type === 'list');
    if (feedsOther)
      walk.found.doubts.push(() => t('Folio cannot tell which command reads the text that follows.'));
  }
  // Only a bare `cat` passes its input on unchanged.
  const passed = body?.text === 'cat' && own?.kind === 'text' ? own.text : undefined;
  for (const redirect of redirects) walkAfterHereDocument(walk, redirect, folder, passed);
}

export function walkRedirects(walk: Walk, redirects: readonly Node[], folder: FolderScope): Redirected {
  let stdin: StandardInput | undefined;
  const extra: Node[] = [];
  for (const redirect of redirects) {
    checkBefore(walk, redirect);
    switch (redirect.type) {
      case 'file_redirect':
        stdin = walkFileRedirect(walk, redirect, folder, extra) ?? stdin;
        break;
      case 'herestring_redirect':
        stdin = walkHereString(walk, redirect, folder);
        break;
      case 'heredoc_redirect': {
        const document = readHereDocument(walk, redirect);
        walkEmbeddedBody(walk, redirect, folder);
        stdin = { kind: 'text', text: document };
        const nested = redirect.children.filter(child => /_redirect$/.test(child.type));
        const inner = walkRedirects(walk, nested, folder);
        extra.push(...inner.extra);
        break;
      }
      default:
        markNotUnderstood(walk);
    }
  }
  return { stdin, extra };
}

/** A number or a name in braces directly before the operator is a descriptor, not a word. */
function checkBefore(walk: Walk, redirect: Node): void {
  const before = /(?:^|[\s;&|(])(\d+|\{\w+\})$/.exec(
    walk.source.slice(Math.max(0, redirect.startIndex - 40), redirect.startIndex),
  );
  if (before) markNotUnderstood(walk);
}

function walkFileRedirect(
  walk: Walk,
  node: Node,
  folder: FolderScope,
  extra: Node[],
): StandardInput | undefined {
  const [target, ...more] = node.childrenForFieldName('destination');
  const operator = node.children.find(child => !child.isNamed)?.type ?? '';
  extra.push(...more);
  if (!target) {
    if (!/^[<>]&-$/.test(operator)) markNotUnderstood(walk);
    return undefined;
  }
  walkEmbedded(walk, target, folder);
  const word = readOneWord(walk, target);
  const duplicates = /&$/.test(operator) && word.kind === 'plain' && /^(?:\d+-?|-)$/.test(word.value);
  if (duplicates) return undefined;
  // A process substitution has been walked already, and is no file.
  if (target.type === 'process_substitution')
    return operator === '<' ? { kind: 'text', text: undefined } : undefined;
  const text = node.text;
  if (operator === '<') addRead(walk.found, text, word, folder);
  else if (/^(?:>|>>|>\||&>|&>>|>&)$/.test(operator)) addWrite(walk.found, text, word, folder);
  else markNotUnderstood(walk);
  const descriptor = node.childForFieldName('descriptor')?.text;
  return operator === '<' && (descriptor === undefined || descriptor === '0') ? { kind: 'file' } : undefined;
}

function walkHereString(walk: Walk, node: Node, folder: FolderScope): StandardInput {
  const [target] = node.namedChildren;
  if (!target || node.namedChildCount !== 1) {
    markNotUnderstood(walk);
    return { kind: 'text', text: undefined };
  }
  walkEmbedded(walk, target, folder);
  const word = readOneWord(walk, target);
  return { kind: 'text', text: word.kind === 'unknown' ? undefined : word.value };
}

function walkEmbeddedBody(walk: Walk, redirect: Node, folder: FolderScope): void {
  const start = redirect.children.find(child => child.type === 'heredoc_start');
  const body = redirect.children.find(child => child.type === 'heredoc_body');
  if (body && start && !/['"\\]/.test(start.text)) walkEmbedded(walk, body, folder);
}

/** The grammar puts the rest of the `<<EOF` line inside the redirection: `| sh`, `&& rm x`. */
function walkAfterHereDocument(
  walk: Walk,
  redirect: Node,
  folder: FolderScope,
  passed: string | undefined,
): void {
  if (redirect.type !== 'heredoc_redirect') return;
  let operator = '';
  for (const child of redirect.children) {
    if (!child.isNamed) {
      if (/^(?:&&|\|\|?|\|&|;|&)$/.test(child.type)) operator = child.type;
      if (child.type === '&') walk.found.background = true;
      continue;
    }
    if (/^heredoc_|_redirect$|^file_descriptor$/.test(child.type)) continue;
    if (child.type === 'ERROR') markNotUnderstood(walk);
    else if (child.type === 'pipeline' && operator === '') walkPiped(walk, child, folder, passed);
    else {
      folder.path = undefined;
      walkStatement(walk, child, folder);
    }
  }
}

function walkPiped(walk: Walk, node: Node, folder: FolderScope, text: string | undefined): void {
  const stdin: StandardInput = { kind: 'pipe', text };
  if (node.namedChildCount === 1) walkStatement(walk, node.namedChild(0)!, { ...folder }, stdin);
  else walkPipeline(walk, node, folder, stdin);
}
