import type { Node } from 'web-tree-sitter';
import type { Diagnostic } from '../platform/diagnostics.ts';

/** More are usually consequences of the first. */
const most = 10;

/**
 * A grammar accepts slightly less than its language, so the message allows for correct text. It does not quote the
 * text, which changes with each edit nearby and would turn an old error into a new one.
 */
export function syntaxErrorsOf(root: Node): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node && found.length < most; node = waiting.pop()) {
    if (!node.hasError) continue;
    const message = describe(node);
    // Inside of an error node, each word would be another error.
    if (message === undefined) waiting.push(...node.children.filter(child => child !== null).reverse());
    else found.push({ severity: 'error', line: node.startPosition.row + 1, message });
  }
  return found;
}

function describe(node: Node): string | undefined {
  if (node.isMissing) return `Probably "${node.type}" is missing.`;
  return node.isError ? 'This does not read as valid syntax.' : undefined;
}
