import type { Node } from 'web-tree-sitter';
import type { Diagnostic } from '../platform/diagnostics.ts';

/** More is one error that the rest of the file follows from. */
const most = 10;

/**
 * A grammar is a little narrower than its language, so the words leave room for a text that is right. They do not quote
 * it: what stands inside of an error changes with each edit near it, and would make an old error a new one.
 */
export function syntaxErrorsOf(root: Node): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node && found.length < most; node = waiting.pop()) {
    if (!node.hasError) continue;
    const message = describe(node);
    // Inside a piece that is not understood, each word would be one more error.
    if (message === undefined) waiting.push(...node.children.filter(child => child !== null).reverse());
    else found.push({ severity: 'error', line: node.startPosition.row + 1, message });
  }
  return found;
}

function describe(node: Node): string | undefined {
  if (node.isMissing) return `Probably "${node.type}" is missing.`;
  return node.isError ? 'This does not read as valid syntax.' : undefined;
}
