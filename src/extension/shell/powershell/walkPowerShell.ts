/*
 * Supports only a small part of PowerShell: pipelines of commands with plain arguments. Anything else makes the script
 * "not understood", so that it asks. Recognised commands are listed anyway.
 */

import type { Node } from 'web-tree-sitter';
import { t } from '../../../protocol/language.ts';
import { addConstruct, addWrite, type Findings } from '../bash/findings.ts';
import type { Word } from '../classify/analysis.ts';
import type { Invocation } from '../classify/finding.ts';
import { plainWord, unknownWord } from '../classify/words.ts';
import { classifyCmdlet } from './cmdlets.ts';

const understood = new Set(
  'program statement_list pipeline pipeline_chain pipeline_chain_tail command command_name command_elements command_argument_sep generic_token command_parameter empty_statement redirection redirections file_redirection_operator merging_redirection_operator redirected_file_name comment array_literal_expression unary_expression string_literal verbatim_string_characters expandable_string_literal integer_literal decimal_integer_literal expression_with_unary_operator variable command_invokation_operator command_name_expr path_command_name path_command_name_token'.split(
    ' ',
  ),
);

const folder = { path: '.' };

type WalkScript = (script: string) => void;

export function walkPowerShell(found: Findings, source: string, root: Node, walkScript: WalkScript): void {
  if (root.hasError) found.unparsed ??= () => t('It is not valid PowerShell, or Folio cannot read it.');
  let moved = false;
  for (const node of allNodes(root)) {
    if (node.isNamed && !understood.has(node.type)) {
      found.unparsed ??= () => t('It uses PowerShell features that Folio cannot check.');
    }
    if (node.type === '&' && !/^command/.test(node.parent?.type ?? '')) found.background = true;
    if (node.type === 'redirection') walkRedirection(found, node);
    if (node.type === 'command') moved = walkCommand(found, node, moved, walkScript) || moved;
  }
  if (!source.trim()) found.unparsed ??= () => t('It is empty.');
}

function* allNodes(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children) yield* allNodes(child);
}

/** Returns true if the command changes the current folder. */
function walkCommand(found: Findings, node: Node, moved: boolean, walkScript: WalkScript): boolean {
  const name = node.childForFieldName('command_name');
  const elements = node.childForFieldName('command_elements');
  const words = (elements?.children ?? [])
    .filter(isArgument)
    .map(({ text }) => readArgument(text))
    .filter(isNoMerge);
  // Some redirections look like words. Those that write nothing are harmless; others are unknown.
  if (words.some(holdsOperator))
    found.unparsed ??= () => t('It uses PowerShell features that Folio cannot check.');
  const first = name ? readName(name) : unknownWord(node.text);
  const piped =
    node.parent !== null &&
    /\|[^|]*$/.test(node.parent.text.slice(0, node.startIndex - node.parent.startIndex));
  return addCommand(
    found,
    {
      text: node.text.trim(),
      words: [first, ...words],
      assignments: [],
      stdin: { kind: piped ? 'pipe' : 'inherited' },
    },
    moved ? undefined : folder.path,
    walkScript,
  );
}

/** Returns true if the command changes the current folder. */
function addCommand(
  found: Findings,
  call: Invocation,
  path: string | undefined,
  walkScript: WalkScript,
): boolean {
  const { command, moves, inner } = classifyCmdlet(call);
  found.commands.push({ ...command, folder: path });
  for (const each of inner) {
    if (each.kind === 'script') walkScript(each.text);
    else {
      const text = each.words.map(word => word.text).join(' ');
      addCommand(found, { ...call, text, words: each.words }, path, walkScript);
    }
  }
  return moves;
}

function isArgument(node: Node): boolean {
  return (
    node.isNamed &&
    node.type !== 'command_argument_sep' &&
    node.type !== 'redirection' &&
    node.type !== 'redirections'
  );
}

function isNoMerge({ text }: Word): boolean {
  return !/^(?:[2-6*]>&1|[1-6*]?>\$null)$/i.test(text);
}

function holdsOperator({ kind, text }: Word): boolean {
  return kind === 'unknown' && /[<>|&;{}@#]/.test(text);
}

function readName(node: Node): Word {
  const text = node.text;
  const quoted = /^'([^'`$]*)'$|^"([^"`$]*)"$/.exec(text);
  if (quoted) return { kind: 'plain', text, value: quoted[1] ?? quoted[2] ?? '' };
  return /^[\w.\\/:~-]+$/.test(text) ? { kind: 'plain', text, value: text } : unknownWord(text);
}

function readArgument(text: string): Word {
  const quoted = /^'([^']*)'$|^"([^"`$]*)"$/.exec(text);
  if (quoted) return plainQuoted(text, quoted[1] ?? quoted[2] ?? '');
  if (/^[\w.\\/:=+~-]+$/.test(text)) return { kind: 'plain', text, value: text };
  if (/^[\w.\\/:=+~*?-]+$/.test(text)) return { kind: 'pattern', text, value: text };
  return unknownWord(text, /^[\w.\\/:=-]*/.exec(text)?.[0] ?? '');
}

function plainQuoted(text: string, value: string): Word {
  return { ...plainWord(value), text };
}

function walkRedirection(found: Findings, node: Node): void {
  const target = node.children.find(child => child.type === 'redirected_file_name');
  if (!target) return;
  const text = target.text.trim();
  if (/^\$null$/i.test(text)) return;
  const word = readArgument(text);
  addWrite(found, node.text, word, folder);
  if (word.kind === 'unknown') {
    addConstruct(
      found,
      node.text,
      { verdict: 'unknown', reason: () => t('It writes to {0}.', text) },
      folder,
    );
  }
}
