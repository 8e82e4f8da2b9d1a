import type { Node } from 'web-tree-sitter';
import { t } from '../../../protocol/language.ts';
import type { FolderScope } from './folders.ts';
import { markMayEvaluate, markNotUnderstood, type Walk, walkStatement } from './walk.ts';

const substitutions = new Set(['command_substitution', 'process_substitution']);
const expansions = new Set([...substitutions, 'expansion', 'simple_expansion', 'arithmetic_expansion']);

/** Returns whether the grammar skipped text between the children of a node. */
export function hasStrayText(source: string, node: Node): boolean {
  let at = node.startIndex;
  for (const child of node.children) {
    if (!isBlank(source.slice(at, child.startIndex))) return true;
    at = child.endIndex;
  }
  return node.childCount > 0 && !isBlank(source.slice(at, node.endIndex));
}

/** Returns the outermost expansions and substitutions in a node, in order. */
export function findExpansions(node: Node): readonly Node[] {
  if (expansions.has(node.type)) return [node];
  return node.children.flatMap(findExpansions);
}

/** Walks the commands inside words, expansions, tests and here-documents. */
export function walkEmbedded(walk: Walk, node: Node, folder: FolderScope): void {
  if (substitutions.has(node.type)) {
    walkSubstitution(walk, node, folder);
    return;
  }
  if (node.type === 'expansion' || node.type === 'arithmetic_expansion') checkExpansion(walk, node);
  if (node.type === 'expansion' || node.type === 'simple_expansion') checkSecret(walk, node);
  const inner = node.children.flatMap(findExpansions);
  for (const child of inner) walkEmbedded(walk, child, folder);
  if (node.type !== 'raw_string' && hidesSubstitution(walk.source, node, inner)) markNotUnderstood(walk);
}

function walkSubstitution(walk: Walk, node: Node, folder: FolderScope): void {
  // Inside backquotes a backslash has another meaning, which the grammar ignores.
  if (walk.source[node.startIndex] === '`' && node.text.includes('\\')) markNotUnderstood(walk);
  if (hasStrayText(walk.source, node)) markNotUnderstood(walk);
  const scope = { ...folder };
  for (const child of node.children) {
    if (child.type === '&') walk.found.background = true;
    if (child.type === 'file_redirect') walkBareRedirect(walk, child, scope);
    else if (child.isNamed) {
      const before = scope.path;
      walkStatement(walk, child, scope);
      if (scope.path !== before && child.nextNamedSibling) scope.path = undefined;
    }
  }
}

/** `$(< file)` */
function walkBareRedirect(walk: Walk, node: Node, folder: FolderScope): void {
  const { text } = node;
  walk.found.doubts.push(() => t('It puts the content of a file into the command ({0}).', text));
  walkEmbedded(walk, node, folder);
}

const plainExpansion =
  /^\$\{(?:[@*#?$!-]|#?\w+(?:\[[@*\d]+\])?|\w+(?:\[[@*\d]+\])?(?:(?::?[-+?]|%%?|##?|\/[/#%]?|\^\^?|,,?).*|:\s?-?\d+(?::\d+)?))\}$/s;

const secretVariable = /(?:KEY|TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIALS?|AUTH)(?:_|$)/;

/** Keys are passed to programs in variables. A mere test, `${X:+set}`, prints nothing. */
function checkSecret(walk: Walk, node: Node): void {
  const name = /^\$\{?[#!]?(\w+)/.exec(node.text)?.[1] ?? '';
  if (secretVariable.test(name) && !/^\$\{(?:#|\w+:?\+)/.test(node.text))
    walk.found.doubts.push(() => t('{0} may hold a key, which the command would print or send.', name));
}

function checkExpansion(walk: Walk, node: Node): void {
  const text = node.text;
  if (node.type === 'expansion' && !plainExpansion.test(text)) {
    walk.found.doubts.push(() => t('{0} does more than read a variable.', text));
  }
  if (node.type === 'arithmetic_expansion' && /[a-zA-Z_$]/.test(text.slice(1))) {
    markMayEvaluate(walk);
  }
}

/** Returns whether the text outside of `inner` still has the beginning of a substitution. */
function hidesSubstitution(source: string, node: Node, inner: readonly Node[]): boolean {
  let at = node.startIndex;
  let rest = '';
  for (const child of inner) {
    rest += `${source.slice(at, child.startIndex)} `;
    at = child.endIndex;
  }
  rest += source.slice(at, node.endIndex);
  const own = expansions.has(node.type) ? rest.slice(1) : rest;
  return /`|\$[({[]|[<>]\(/.test(own.replace(/\\.|(?<!")'[^']*'/gs, ''));
}

function isBlank(text: string): boolean {
  return /^(?:[ \t\n]|\\\n)*$/.test(text);
}
