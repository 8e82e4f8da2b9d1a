import type { Node } from 'web-tree-sitter';
import type { Word } from '../classify/analysis.ts';
import { classifyVariable } from '../classify/assignments.ts';
import { innerCommandsInVariables } from '../classify/carriers.ts';
import type { Assignment, StandardInput } from '../classify/finding.ts';
import { plainValue, readWord, unknownWord } from '../classify/words.ts';
import { findExpansions, walkEmbedded } from './embedded.ts';
import { addCommand, addConstruct } from './findings.ts';
import type { FolderScope } from './folders.ts';
import { walkRedirects } from './redirections.ts';
import { markMayEvaluate, markNotUnderstood, type Walk } from './walk.ts';

interface SimpleContext {
  readonly folder: FolderScope;
  readonly stdin: StandardInput;
  /** Words that the grammar parsed as further redirection targets. The shell passes them to the command. */
  readonly extra: readonly Node[];
}

export function walkSimple(walk: Walk, node: Node, { folder, stdin, extra }: SimpleContext): void {
  const redirects = node.children.filter(child => /_redirect$/.test(child.type));
  const assigned = node.children.filter(child => child.type === 'variable_assignment');
  const rest = node.children.filter(child => !redirects.includes(child) && !assigned.includes(child));
  const { stdin: own, extra: more } = walkRedirects(walk, redirects, folder);
  const parts = [...rest, ...more, ...extra];
  for (const part of [...assigned, ...parts]) walkEmbedded(walk, part, folder);
  const words = readWords(walk, parts);
  const assignments = assigned.map(readAssignment);
  if (words.length === 0) {
    for (const each of assigned) addAssigned(walk, each, folder);
    return;
  }
  const call = { text: node.text, words, assignments, stdin: own ?? stdin };
  addCommand(walk.found, call, folder, walk.depth, walk.walkScript);
}

/** Walks an assignment without a command. */
export function walkAssignment(walk: Walk, node: Node, folder: FolderScope): void {
  walkEmbedded(walk, node, folder);
  addAssigned(walk, node, folder);
}

export function readOneWord(walk: Walk, node: Node): Word {
  return readWords(walk, [node])[0] ?? unknownWord(node.text);
}

/** Returns the text that `echo` or `printf` prints; `undefined` for other commands and unknown words. */
export function readPrinted(walk: Walk, node: Node): string | undefined {
  if (node.type !== 'command' || node.children.some(child => /_redirect$|assignment/.test(child.type)))
    return undefined;
  const [name, ...args] = readWords(walk, node.children).map(plainValue);
  if (!args.every(value => value !== undefined)) return undefined;
  const words = name === 'echo' && args[0] === '-n' ? args.slice(1) : args;
  const [format = '', ...values] = words;
  if (name === 'printf' && /^%s(?:\\n| )?$/.test(format)) return values.join('\n');
  const text = name === 'printf' && values.length === 0 ? format.replace(/\\n$/, '') : words.join(' ');
  const isPlain = name === 'echo' ? !/^-|\\/.test(text) : name === 'printf' && !/[%\\]/.test(text);
  return isPlain && (name === 'echo' || values.length === 0) ? text : undefined;
}

function addAssigned(walk: Walk, node: Node, folder: FolderScope): void {
  if (node.type !== 'variable_assignment') {
    markNotUnderstood(walk);
    return;
  }
  const assignment = readAssignment(node);
  const subscript = /^\w+\[([^\]]*)\]/.exec(node.text)?.[1];
  if (subscript !== undefined && !/^\d+$/.test(subscript)) markMayEvaluate(walk);
  const carried = innerCommandsInVariables([assignment]);
  addConstruct(walk.found, node.text, { ...classifyVariable(assignment.name), ...carried }, folder);
  for (const inner of carried?.inner ?? [])
    if (inner.kind === 'script') walk.walkScript(inner.text, walk.depth + 1, { ...folder });
}

function readAssignment(node: Node): Assignment {
  const name = /^\w+/.exec(node.text)?.[0] ?? '';
  return { name, text: node.text };
}

/** Joins adjacent nodes, which are one word for the shell, whatever the grammar made of them. */
function readWords(walk: Walk, parts: readonly Node[]): readonly Word[] {
  const stretches: { start: number; end: number; nodes: Node[] }[] = [];
  for (const part of parts) {
    const last = stretches.at(-1);
    const touches =
      last !== undefined &&
      part.startIndex >= last.end &&
      walk.source.slice(last.end, part.startIndex).replaceAll('\\\n', '') === '';
    if (touches) {
      last.end = part.endIndex;
      last.nodes.push(part);
    } else stretches.push({ start: part.startIndex, end: part.endIndex, nodes: [part] });
  }
  return stretches.map(({ start, end, nodes }) => {
    const embedded = new Map(
      nodes.flatMap(findExpansions).map(each => [each.startIndex, each.endIndex] as const),
    );
    const { source, home } = walk;
    const before = source[start - 1];
    const whole = before === undefined || /[\s;&|<>()`{}!=]/.test(before);
    const word = readWord({ text: source, start, end, embedded, home });
    if (!word || !whole) markNotUnderstood(walk);
    return word ?? unknownWord(source.slice(start, end));
  });
}
