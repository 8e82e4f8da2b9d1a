import { readFileSync } from 'node:fs';
import {
  isCallExpression,
  isNumericLiteral,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  type Node,
} from 'typescript/unstable/ast';
import { type Checker, type Project, TypeFlags } from 'typescript/unstable/sync';
import { placeOf } from '../../scripts/l10n/findMessages.ts';
import { projectRoot } from '../../scripts/run.ts';

/** Cuts text everywhere. */
const own = 'src/protocol/words/cutText.ts';

const cuts = /\.(?:slice|substring|substr)\(/;

/** These hold nothing but ASCII. */
const plain = /\.digest\(|\.toISOString\(\)|\.newId\(\)|^(?:digest|commit|note\.commit)\b/;

/** Names of limits, and what is reckoned with them. A place that was found in the text has another name. */
const limit =
  /^(?:\d[\d_]*|(?:\d[\d_]* \* )?\w*(?:[lL]imit|[lL]ongest|[mM]ost|[mM]ax|Length|remembered)\w*)(?: [-+] \w+)?$/;

/** Texts that are cut at a limit in another way than by `headOf` and `tailOf`. */
export function findCuts({ program, checker }: Project): readonly string[] {
  return program.getSourceFileNames().flatMap(path => {
    const place = path.replace(`${projectRoot}/`, '');
    // The tree of a file is expensive, and most files cut nothing.
    if (!place.startsWith('src/') || place === own || !cuts.test(readFileSync(path, 'utf8'))) return [];
    const file = program.getSourceFile(path)!;
    const found: string[] = [];
    const visit = (node: Node): undefined => {
      if (cutsText(node, checker)) found.push(`${placeOf(file, place, node)}: ${node.getText()}`);
      node.forEachChild(visit);
    };
    visit(file);
    return found;
  });
}

function cutsText(node: Node, checker: Checker): boolean {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return false;
  const { expression: text, name } = node.expression;
  if (!/^(?:slice|substring|substr)$/.test(name.text) || plain.test(text.getText())) return false;
  const [start, end] = node.arguments;
  const isTail = start !== undefined && end === undefined && isPrefixUnaryExpression(start);
  const at = isTail ? start.operand : end;
  // The first character is asked for to compare it.
  if (!at || !limit.test(at.getText()) || (isNumericLiteral(at) && Number(at.text) <= 2)) return false;
  const type = checker.getTypeAtLocation(text);
  return type !== undefined && (type.flags & TypeFlags.StringLike) !== 0;
}
