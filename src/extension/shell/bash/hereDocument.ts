import type { Node } from 'web-tree-sitter';
import { markNotUnderstood, type Walk } from './walk.ts';

/**
 * Returns the text of a here-document; `undefined` if it is known only at run time. Determines its end again from the
 * lines: if grammar and shell disagreed, text that runs could pass for data.
 */
export function readHereDocument(walk: Walk, redirect: Node): string | undefined {
  const start = redirect.children.find(child => child.type === 'heredoc_start');
  const body = redirect.children.find(child => child.type === 'heredoc_body');
  const end = redirect.children.find(child => child.type === 'heredoc_end');
  const delimiter = start && readDelimiter(start.text);
  if (!start || !end || delimiter === undefined || hasSecond(walk, redirect)) {
    markNotUnderstood(walk);
    return undefined;
  }
  const tabs = redirect.child(0)?.type === '<<-' || redirect.text.startsWith('<<-');
  const lineEnd = walk.source.indexOf('\n', start.endIndex);
  const lines = walk.source.slice(lineEnd + 1).split('\n');
  const last = lines.findIndex(line => (tabs ? line.replace(/^\t+/, '') : line) === delimiter);
  const length = lines.slice(0, last).reduce((sum, line) => sum + line.length + 1, 0);
  const endStart = lineEnd + 1 + length;
  const agrees =
    lineEnd >= 0 &&
    last >= 0 &&
    end.endIndex === endStart + lines[last]!.length &&
    (!body || (body.startIndex >= lineEnd + 1 && body.endIndex <= endStart + lines[last]!.length));
  if (!agrees) {
    markNotUnderstood(walk);
    return undefined;
  }
  const text = walk.source.slice(lineEnd + 1, endStart);
  const quoted = start.text !== delimiter;
  if (!quoted && /[$`\\]/.test(text)) return undefined;
  return tabs ? text.replace(/^\t+/gm, '') : text;
}

/** Accepts only the two plain ways of quoting. A mixture asks. */
function readDelimiter(text: string): string | undefined {
  const inner = /^(?:'([^'\n]*)'|"([^"\\$`\n]*)"|([\w.+-]+))$/.exec(text);
  return inner ? (inner[1] ?? inner[2] ?? inner[3]) : undefined;
}

/** Two here-documents on one line follow each other in the text. That case is not supported here. */
function hasSecond(walk: Walk, redirect: Node): boolean {
  const lineEnd = walk.source.indexOf('\n', redirect.startIndex);
  const lineStart = walk.source.lastIndexOf('\n', redirect.startIndex) + 1;
  const line = walk.source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  return (line.match(/<<(?!<)/g)?.length ?? 0) > 1;
}
