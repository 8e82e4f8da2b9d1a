/*
 * Edits a settings file as text. Inserts a new property at the start of its object, on lines of its own, so that
 * comments and other properties stay in place.
 */

import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/**
 * Sets the property at the path, and creates missing objects on the way.
 * @param text a valid object
 * @param path at least one name
 */
export function setSettingsProperty(text: string, path: readonly string[], value: unknown): string {
  const without = removeSettingsProperty(text, path);
  const tree = parseTree(without)!;
  const nodeAt = (depth: number) => (depth === 0 ? tree : findNodeAtLocation(tree, path.slice(0, depth)));
  let depth = path.length - 1;
  while (nodeAt(depth) === undefined) depth--;
  const nested = path.slice(depth + 1).reduceRight((inner, name) => ({ [name]: inner }), value);
  return putFirst(without, nodeAt(depth)!, { name: path[depth]!, value: nested, depth: depth + 1 });
}

/** Keeps comments, also one after the property. */
export function removeSettingsProperty(text: string, path: readonly string[]): string {
  const tree = parseTree(text);
  const property = tree && findNodeAtLocation(tree, [...path])?.parent;
  const siblings = property?.parent?.children;
  if (!property || !siblings) return text;
  const end = property.offset + property.length;
  const ownComma = findComma(text, end);
  const previous = siblings[siblings.indexOf(property) - 1];
  const rest = text.slice(ownComma === undefined ? end : ownComma + 1);
  const isWholeLine = /^[ \t]*(?:\r?\n|$)/.test(rest);
  const before = text.slice(0, property.offset);
  const head = isWholeLine ? before.replace(/(?:\r?\n)?[ \t]*$/, '') : before;
  // After the last property, the comma before it must go too, because many parsers reject a trailing comma.
  const comma = !ownComma && previous ? findComma(text, previous.offset + previous.length) : undefined;
  const cut = comma === undefined ? head : head.slice(0, comma) + head.slice(comma + 1);
  return cut + (isWholeLine ? rest : rest.replace(/^[ \t]+/, ''));
}

/** Finds the next comma, skipping blanks and comments. */
function findComma(text: string, end: number): number | undefined {
  const found = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*,/.exec(text.slice(end));
  return found ? end + found[0].length - 1 : undefined;
}

interface Property {
  readonly name: string;
  readonly value: unknown;
  /** Number of indentation levels. */
  readonly depth: number;
}

function putFirst(text: string, { offset, children = [] }: Node, { name, value, depth }: Property): string {
  const { indent, eol } = styleOf(text);
  const at = offset + 1 + commentAfter(text.slice(offset + 1)).length;
  const margin = eol + indent.repeat(depth);
  const lines = JSON.stringify(value, undefined, indent).replaceAll('\n', margin);
  const rest = text.slice(at).replace(/^[ \t]+(?=\})/, '');
  const isClosedHere = rest.startsWith('}');
  const end = children.length > 0 ? ',' : isClosedHere ? eol + indent.repeat(depth - 1) : '';
  return `${text.slice(0, at)}${margin}${JSON.stringify(name)}: ${lines}${end}${rest}`;
}

/** A comment on the object's first line belongs to the object. */
function commentAfter(rest: string): string {
  return /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)(?=\r?\n)/.exec(rest)?.[0] ?? '';
}

/** The file's own indentation, or two spaces. */
function styleOf(text: string): { readonly indent: string; readonly eol: string } {
  const [, indent = '  '] = /\n([ \t]+)"/.exec(text) ?? [];
  return { indent, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}
