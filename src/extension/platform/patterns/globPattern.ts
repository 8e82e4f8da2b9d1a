/**
 * Escapes a glob so that the library matches it like Git, ripgrep and VS Code. Parentheses and `|` are literal unless
 * they belong to an extglob (`@(a|b)`, `!(x)`, `?(x)`, `*(x)`, `+(x)`), as in the folders `app/(shop)` and `Program
 * Files (x86)`. A leading `!` is literal, since an include pattern cannot negate.
 */
export function normaliseGlob(pattern: string): string {
  let written = '';
  /** For each open parenthesis, whether it began an extglob. */
  const open: boolean[] = [];
  const tokens = pattern.match(/\\.|\[[^\]/]*\]|[@?+*!]\(|[\s\S]/g) ?? [];
  for (const [at, token] of tokens.entries()) {
    if (token.length === 2 && token.endsWith('(') && closes(tokens, at)) {
      open.push(true);
      written += token;
    } else if (token.endsWith('(') && !token.startsWith('\\')) {
      open.push(false);
      written += `${token.slice(0, -1)}\\(`;
    } else if (token === ')') written += (open.pop() ?? false) ? ')' : '\\)';
    else if (token === '|') written += open.includes(true) ? '|' : '\\|';
    else written += at === 0 && token === '!' ? '\\!' : token;
  }
  return written;
}

/** Returns false for a name such as `a+(b`, whose parenthesis is never closed. */
function closes(tokens: readonly string[], at: number): boolean {
  let depth = 0;
  for (const token of tokens.slice(at)) {
    if (token.endsWith('(') && !token.startsWith('\\')) depth++;
    else if (token === ')' && --depth === 0) return true;
  }
  return false;
}
