/*
 * Finds the commands in the syntax tree of a bash script. Does not trust the grammar alone: node kinds not listed
 * below, and text between nodes other than blanks, make the script "not understood". Words are read again from the text
 * (words.ts).
 */

import type { Node } from 'web-tree-sitter';
import { t } from '../../../protocol/language.ts';
import { classifyVariable } from '../classify/assignments.ts';
import { isClassifiedProgram } from '../classify/classifyCommand.ts';
import type { StandardInput } from '../classify/finding.ts';
import { dangerousFinding, readOnlyFinding, unclearFinding } from '../classify/finding.ts';
import { withoutQuotes } from '../classify/words.ts';
import { hasStrayText, walkEmbedded } from './embedded.ts';
import { addConstruct, type Findings } from './findings.ts';
import type { FolderScope } from './folders.ts';
import { walkRedirected } from './redirections.ts';
import { readPrinted, walkAssignment, walkSimple } from './simpleCommand.ts';

/** Values that are constant during the walk of one script. */
export interface Walk {
  readonly source: string;
  readonly found: Findings;
  readonly depth: number;
  readonly home: string;
  readonly walkScript: (script: string, depth: number, folder: FolderScope) => void;
}

const inherited: StandardInput = { kind: 'inherited' };

export function walkProgram(walk: Walk, root: Node, folder: FolderScope): void {
  if (root.hasError)
    walk.found.unparsed ??= () => t('It is not valid shell syntax, or Folio cannot read it.');
  // The shell joins such lines before parsing, which may bring `$` and `(` together. The grammar does not.
  if (/[^ \t\n]\\\n/.test(walk.source)) markNotUnderstood(walk);
  if (
    root.descendantsOfType('comment').some(comment => comment && !isRemark(walk.source, comment.startIndex))
  ) {
    markNotUnderstood(walk);
  }
  const outside = walk.source.slice(0, root.startIndex) + walk.source.slice(root.endIndex);
  if (/\S/.test(outside) || hasStrayText(walk.source, root)) markNotUnderstood(walk);
  walkSequence(walk, root, folder, inherited);
}

export function walkStatement(
  walk: Walk,
  node: Node,
  folder: FolderScope,
  stdin: StandardInput = inherited,
): void {
  if (hasStrayText(walk.source, node)) markNotUnderstood(walk);
  switch (node.type) {
    case 'command':
      walkSimple(walk, node, { folder, stdin, extra: [] });
      return;
    case 'redirected_statement':
      walkRedirected(walk, node, folder, stdin);
      return;
    case 'list':
      walkList(walk, node, folder, stdin);
      return;
    case 'pipeline':
      walkPipeline(walk, node, folder, stdin);
      return;
    case 'subshell':
      walkSequence(walk, node, { ...folder }, stdin);
      return;
    case 'compound_statement':
      isArithmetic(node) ? walkArithmetic(walk, node, folder) : walkSequence(walk, node, folder, stdin);
      return;
    case 'negated_command':
    case 'if_statement':
    case 'elif_clause':
    case 'else_clause':
    case 'do_group':
      walkSequence(walk, node, folder, stdin);
      return;
    case 'while_statement':
    case 'for_statement':
    case 'c_style_for_statement':
      walkLoop(walk, node, folder, stdin);
      return;
    case 'case_statement':
      walkCase(walk, node, folder, stdin);
      return;
    case 'function_definition':
      walkFunction(walk, node, folder);
      return;
    case 'test_command':
      walkTest(walk, node, folder);
      return;
    case 'variable_assignment':
      walkAssignment(walk, node, folder);
      return;
    case 'variable_assignments':
      for (const child of node.namedChildren) walkAssignment(walk, child, folder);
      return;
    case 'declaration_command':
    case 'unset_command':
      walkDeclaration(walk, node, folder);
      return;
    case 'comment':
      return;
    default:
      markNotUnderstood(walk);
      walkSequence(walk, node, folder, stdin);
      return;
  }
}

export function markNotUnderstood(walk: Walk): void {
  walk.found.unparsed ??= () => t('Folio cannot read part of it, so it may run more than is shown.');
}

export function markMayEvaluate(walk: Walk): void {
  walk.found.doubts.push(() => t('It computes with variables, and the shell may run text in them.'));
}

/** Walks statements in sequence, whatever separates them. A `cd` among them may have failed. */
function walkSequence(walk: Walk, node: Node, folder: FolderScope, stdin: StandardInput): void {
  for (const child of node.children) {
    if (child.type === '&') walk.found.background = true;
    if (!child.isNamed) continue;
    const before = folder.path;
    walkStatement(walk, child, folder, stdin);
    const moved = folder.path !== before;
    if (moved && child.nextNamedSibling) folder.path = undefined;
  }
}

/** A comment begins where a word could: after a blank or an operator that is not escaped. */
function isRemark(source: string, start: number): boolean {
  return start === 0 || (/[\s;&|()]/.test(source[start - 1]!) && source[start - 2] !== '\\');
}

function walkList(walk: Walk, node: Node, folder: FolderScope, stdin: StandardInput): void {
  const before = folder.path;
  let certain = true;
  for (const child of node.children) {
    if (child.type === '&') walk.found.background = true;
    if (child.type === '||') certain = false;
    if (!child.isNamed) continue;
    if (!certain && folder.path !== before) folder.path = undefined;
    walkStatement(walk, child, folder, stdin);
  }
  if (!certain && folder.path !== before) folder.path = undefined;
}

/** Each part of a pipeline is its own process: a `cd` in it does not affect the outside. */
export function walkPipeline(walk: Walk, node: Node, folder: FolderScope, stdin: StandardInput): void {
  node.namedChildren
    .filter(child => child.type !== 'comment')
    .forEach((child, index, all) => {
      const before = all[index - 1];
      const piped = before ? { kind: 'pipe' as const, text: readPrinted(walk, before) } : stdin;
      walkStatement(walk, child, { ...folder }, piped);
    });
}

function walkLoop(walk: Walk, node: Node, folder: FolderScope, stdin: StandardInput): void {
  // The second iteration starts in the folder where the first ended.
  if (/\b(?:cd|pushd|popd)\b/.test(node.text)) folder.path = undefined;
  const variable = node.childForFieldName('variable');
  if (variable) addVariable(walk, variable.text, node, folder);
  if (node.type === 'c_style_for_statement') markMayEvaluate(walk);
  const body = node.childForFieldName('body');
  for (const child of node.namedChildren) {
    if (child.equals(body ?? node) || (node.type === 'while_statement' && isStatement(child))) {
      walkStatement(walk, child, folder, stdin);
    } else walkEmbedded(walk, child, folder);
  }
}

function isStatement(node: Node): boolean {
  return !/^(?:comment|word|string|variable_name|concatenation)$/.test(node.type);
}

function walkCase(walk: Walk, node: Node, folder: FolderScope, stdin: StandardInput): void {
  for (const child of node.namedChildren) {
    if (child.type !== 'case_item') {
      walkEmbedded(walk, child, folder);
      continue;
    }
    if (hasStrayText(walk.source, child)) markNotUnderstood(walk);
    const values = child.childrenForFieldName('value');
    for (const part of child.children) {
      if (part.type === '&') walk.found.background = true;
      if (!part.isNamed) continue;
      if (values.some(value => value.equals(part))) walkEmbedded(walk, part, folder);
      else walkStatement(walk, part, folder, stdin);
    }
  }
}

function walkFunction(walk: Walk, node: Node, folder: FolderScope): void {
  const name = node.childForFieldName('name')?.text ?? '';
  const body = node.childForFieldName('body');
  const text = node.text;
  if (isClassifiedProgram(name)) {
    addConstruct(
      walk.found,
      text,
      dangerousFinding(() => t('It changes what the name {0} runs.', name)),
      folder,
    );
  } else if (body && callsItself(name, body)) {
    addConstruct(
      walk.found,
      text,
      dangerousFinding(() => t('It starts itself again and again, until the computer stops responding.')),
      folder,
    );
  } else {
    addConstruct(
      walk.found,
      text,
      unclearFinding(() => t('It defines the function {0}.', name)),
      folder,
    );
  }
  // The folder may have changed by the time of the call.
  if (/\b(?:cd|pushd|popd)\b/.test(text)) folder.path = undefined;
  for (const child of node.namedChildren) {
    if (child.type !== 'word') walkStatement(walk, child, { path: undefined });
  }
}

function callsItself(name: string, body: Node): boolean {
  return body.descendantsOfType('command_name').some(command => command?.text === name);
}

function isArithmetic(node: Node): boolean {
  return node.child(0)?.type === '((';
}

function walkArithmetic(walk: Walk, node: Node, folder: FolderScope): void {
  markMayEvaluate(walk);
  addConstruct(
    walk.found,
    node.text,
    readOnlyFinding(() => t('It only computes.')),
    folder,
  );
  walkEmbedded(walk, node, folder);
}

/** `[[ … ]]` and `[ … ]`. A single bracket is a command: `<` and `>` in it are redirections. */
function walkTest(walk: Walk, node: Node, folder: FolderScope): void {
  const bare = withoutQuotes(node.text);
  if (/^\[(?!\[)/.test(bare) && /[<>|&;()]/.test(bare.replace(/\$\{[^}]*\}/g, ''))) markNotUnderstood(walk);
  const computes = /\s-(?:eq|ne|lt|le|gt|ge)\s/.test(bare) && bare.startsWith('[[');
  if (computes || /[\s(]-[vR]\s/.test(bare)) markMayEvaluate(walk);
  addConstruct(
    walk.found,
    node.text,
    readOnlyFinding(() => t('It only tests.')),
    folder,
  );
  walkEmbedded(walk, node, folder);
}

/** `export`, `declare`, `local`, `readonly`, `unset`. */
function walkDeclaration(walk: Walk, node: Node, folder: FolderScope): void {
  for (const child of node.namedChildren) {
    if (child.type === 'variable_assignment') walkAssignment(walk, child, folder);
    else if (child.type === 'variable_name') addVariable(walk, child.text, node, folder);
    else {
      // -i and -n make later assignments evaluate, and a subscript is evaluated at once.
      if (!/^-[aAgprxtfF]+$/.test(child.text))
        walk.found.doubts.push(() => t('Folio cannot tell what it declares.'));
      walkEmbedded(walk, child, folder);
    }
  }
  if (node.namedChildCount === 0 || /^(?:export|declare|typeset|readonly)\s+-\w*p?\s*$/.test(node.text)) {
    addConstruct(
      walk.found,
      node.text,
      unclearFinding(() => t('It prints environment variables, which may include keys.')),
      folder,
    );
  }
}

function addVariable(walk: Walk, name: string, node: Node, folder: FolderScope): void {
  const finding = classifyVariable(name);
  if (finding.verdict !== 'reads') addConstruct(walk.found, node.text, finding, folder);
}
