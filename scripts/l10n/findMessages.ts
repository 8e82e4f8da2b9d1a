/* Finds looked-up messages in the syntax of the source. */

import { relative, resolve } from 'node:path';
import {
  type CallExpression,
  type Expression,
  isBinaryExpression,
  isCallExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { projectRoot } from '../run.ts';

/** Index of the message argument by look-up function. */
const lookUps: Readonly<Record<string, number>> = { t: 0, plural: 1 };

export interface FoundMessage {
  /** Absent if the argument is no literal. */
  readonly message: string | undefined;
  /** `src/webview/app.tsx:12` */
  readonly place: string;
  /** True if it is looked up while its module loads, before the language is set. */
  readonly isEarly: boolean;
}

/**
 * Calls `visit` with each file below `src`, its path from the root.
 * @param projects folders below `src`, each with a tsconfig.json
 */
export function eachSource(
  visit: (file: SourceFile, path: string) => void,
  root = projectRoot,
  projects: readonly string[] = ['extension', 'webview'],
): void {
  const api = new API({ cwd: root });
  try {
    const seen = new Set<string>();
    for (const name of projects) {
      const config = resolve(root, 'src', name, 'tsconfig.json');
      const { program } = api.updateSnapshot({ openProjects: [config] }).getProject(config)!;
      for (const absolute of program.getSourceFileNames()) {
        const path = relative(root, absolute).replaceAll('\\', '/');
        if (!path.startsWith('src/') || seen.has(path)) continue;
        seen.add(path);
        visit(program.getSourceFile(absolute)!, path);
      }
    }
  } finally {
    api.close();
  }
}

export function findMessages(file: SourceFile, path: string): readonly FoundMessage[] {
  const found: FoundMessage[] = [];
  const imported = importedLookUps(file);
  const visit = (node: Node, isEarly: boolean): undefined => {
    if (isCallExpression(node)) {
      const argument = messageOf(node);
      if (argument && imported.includes(node.expression.getText(file)))
        found.push({ message: literalOf(argument), place: placeOf(file, path, node), isEarly });
    }
    const isLater = isFunctionLikeDeclaration(node);
    node.forEachChild(inner => visit(inner, isEarly && !isLater));
  };
  visit(file, true);
  return found;
}

/** Returns the message argument of a look-up. */
export function messageOf({ expression, arguments: given }: CallExpression): Expression | undefined {
  return isIdentifier(expression) && Object.hasOwn(lookUps, expression.text)
    ? given[lookUps[expression.text]!]
    : undefined;
}

export function placeOf(file: SourceFile, path: string, node: Node): string {
  return `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
}

/** Returns the look-up functions that a file imports, since others may have the same names. */
export function importedLookUps({ text }: SourceFile): readonly string[] {
  const imported = /import \{([^}]*)\} from '[./]+(?:protocol\/|words\/)*language\.ts'/.exec(text)?.[1] ?? '';
  return imported.split(',').map(name => name.trim());
}

/** Returns the text of a literal, or of several joined by `+`. */
function literalOf(node: Expression): string | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!isBinaryExpression(node)) return undefined;
  const [left, right] = [literalOf(node.left), literalOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}
