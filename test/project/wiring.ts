import { resolve } from 'node:path';
import { isFunctionLikeDeclaration, type Node, type SourceFile } from 'typescript/unstable/ast';
import type { Project } from 'typescript/unstable/sync';
import { repositoryRoot } from '../support/sourceFiles.ts';

/** Lines of code as the formatter leaves them, from the name of the function to its last brace. */
const maxLines = 25;

/**
 * Wiring makes objects and hands them to each other, and decides nothing else. It stands in the files that join the
 * rooms of a window and of a run without one, and in the files of `vscode` that join what a window has to the panel,
 * to the commands of a prompt and to other extensions.
 */
const wiring = [
  /^(?:compose|headless)(?:\/.*)?\.ts$/,
  /^extension\.ts$/,
  /^vscode\/(?:.*\/)?register\w+\.ts$/,
  /^vscode\/panel\/handlers\/\w+\.ts$/,
  /^vscode\/api\/makeFolioApi\.ts$/,
  /^vscode\/features\/slashCommands\/(?:commandContext|promptCommands)\.ts$/,
];

/** Files that translate what comes in and goes out. Their long functions are a switch, a row a kind. */
const translating =
  /^headless\/(?:arguments|output|streamInput|acp\/permissions|acp\/promptContent|acp\/sessionUpdates)\.ts$/;

const extension = resolve(repositoryRoot, 'src/extension');

/** How many functions wire parts together, and those of them that are longer. */
export function findLongWiring({ program }: Project): {
  readonly count: number;
  readonly long: readonly string[];
} {
  const long: string[] = [];
  let count = 0;
  for (const path of program.getSourceFileNames()) {
    const below = path.startsWith(`${extension}/`) ? path.slice(extension.length + 1) : '';
    if (!wiring.some(each => each.test(below)) || translating.test(below)) continue;
    const functions = functionsOf(program.getSourceFile(path)!);
    count += functions.length;
    for (const { name, lines } of functions)
      if (lines > maxLines) long.push(`${below}: ${name} has ${lines} lines`);
  }
  return { count, long };
}

interface FunctionSize {
  readonly name: string;
  readonly lines: number;
}

function functionsOf(file: SourceFile): readonly FunctionSize[] {
  const found: FunctionSize[] = [];
  const visit = (node: Node): undefined => {
    if (isFunctionLikeDeclaration(node)) {
      const text = node.getText(file);
      const [first = ''] = text.split('\n');
      found.push({ name: nameOf(node, file) ?? first.trim(), lines: codeLines(text) });
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function nameOf(node: Node, file: SourceFile): string | undefined {
  return 'name' in node ? (node.name as Node | undefined)?.getText(file) : undefined;
}

/** Blank lines and lines of comments say nothing about the length of a function. */
function codeLines(text: string): number {
  return text.split('\n').filter(line => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length;
}
