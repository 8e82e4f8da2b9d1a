export interface FigureSource {
  readonly kind: 'mermaid' | 'chart';
  readonly code: string;
}

/** A block of an answer that is one fence with a figure in it, and is closed: an open one still grows. */
export function findFigure(block: string): FigureSource | undefined {
  const [, , kind, code] =
    /^ {0,3}(`{3,}|~{3,})[ \t]*(mermaid|chart)[ \t]*\n((?:[\s\S]*?\n)?) {0,3}\1[`~]*\s*$/i.exec(block) ?? [];
  if (kind === undefined || code === undefined) return undefined;
  return { kind: kind.toLowerCase() === 'chart' ? 'chart' : 'mermaid', code: code.replace(/\n$/, '') };
}
