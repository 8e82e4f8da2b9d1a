export interface FigureSource {
  readonly kind: 'mermaid' | 'chart';
  readonly code: string;
}

/** Returns the figure of a block that is one closed fence. An open fence still grows. */
export function findFigure(block: string): FigureSource | undefined {
  const [, , kind, code] =
    /^ {0,3}(`{3,}|~{3,})[ \t]*(mermaid|chart)[ \t]*\n((?:[\s\S]*?\n)?) {0,3}\1[`~]*\s*$/i.exec(block) ?? [];
  if (kind === undefined || code === undefined) return undefined;
  return { kind: kind.toLowerCase() === 'chart' ? 'chart' : 'mermaid', code: code.replace(/\n$/, '') };
}
