/**
 * Writes a glob so that the library reads it as Git, ripgrep and VS Code do: round brackets and `|` are letters unless
 * they belong to an extglob (`@(a|b)`, `!(x)`, `?(x)`, `*(x)`, `+(x)`), as in the folders `app/(shop)` and `Program
 * Files (x86)`; a leading `!` is a letter, since a list of what is wanted has nothing to take back.
 */
export function plainGlob(pattern: string): string {
  let written = '';
  /** For each open bracket, whether an extglob began with it. */
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

/** A name such as `a+(b` has a bracket that nothing closes. */
function closes(tokens: readonly string[], at: number): boolean {
  let depth = 0;
  for (const token of tokens.slice(at)) {
    if (token.endsWith('(') && !token.startsWith('\\')) depth++;
    else if (token === ')' && --depth === 0) return true;
  }
  return false;
}
