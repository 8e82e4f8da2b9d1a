import { resolve } from 'node:path';
import { isParameterDeclaration, type Node, type ParameterDeclaration } from 'typescript/unstable/ast';
import { type Checker, type Project, SignatureKind, SymbolFlags, type Type } from 'typescript/unstable/sync';
import { repositoryRoot } from '../support/sourceFiles.ts';

/** Who takes more collaborators than these has too many jobs, or takes a bag of them for somebody else. */
const maxMembers = 12;

/** What a parameter may hold all the same, and why. */
const exempt = new Map([
  ['Tool', 'a tool is a literal, and who takes one takes the thing itself'],
  ['HookAnswer', 'an answer is data; its reasons are functions, since people and models read them'],
  ['RuleInput', 'an input of rules is data; its function writes the same arguments with another command'],
  ['Rule', 'a rule is data; its sentences are functions, since people and models read them'],
]);

const core = resolve(repositoryRoot, 'src/extension/core');

/**
 * A bag is an interface or a type literal of core with more members than that, of which one can be called or has
 * something to call. Data without functions, such as state and events, is none; nor is a class, which is one thing;
 * nor a port of `platform`, which an adapter implements.
 */
export function findBags({ program, checker }: Project): readonly string[] {
  const bags = new Map<string, string[]>();
  for (const path of program.getSourceFileNames().filter(name => name.startsWith(`${core}/`))) {
    const typed = parametersOf(program.getSourceFile(path)!).flatMap(({ type }) => type ?? []);
    for (const type of checker.getTypeAtLocation(typed)) {
      if (!type || !isBag(type, checker)) continue;
      const count = checker.getPropertiesOfType(type).length;
      const bag = `${checker.typeToString(type)} has ${count} members`;
      bags.set(bag, [...(bags.get(bag) ?? []), path.slice(core.length + 1)]);
    }
  }
  return [...bags].map(([bag, takers]) => `${bag}, taken by ${[...new Set(takers)].join(', ')}`);
}

function parametersOf(node: Node): readonly ParameterDeclaration[] {
  const found: ParameterDeclaration[] = [];
  const visit = (inner: Node): undefined => {
    if (isParameterDeclaration(inner)) found.push(inner);
    inner.forEachChild(visit);
  };
  node.forEachChild(visit);
  return found;
}

function isBag(type: Type, checker: Checker): boolean {
  const members = checker.getPropertiesOfType(type);
  if (members.length <= maxMembers || !isOfCore(type) || exempt.has(type.getSymbol()?.name ?? ''))
    return false;
  return members.some(member => {
    const held = checker.getTypeOfSymbol(member);
    return held !== undefined && (isCallable(held, checker) || hasFunctions(held, checker));
  });
}

/** Declared there by a name or on the spot, and no class. */
function isOfCore(type: Type): boolean {
  const symbol = type.getSymbol();
  if (!symbol || symbol.flags & SymbolFlags.Class) return false;
  return symbol.declarations.some(({ path }) => path.startsWith(core.toLowerCase()) || path.startsWith(core));
}

/** Ports and classes have them, and bags within the bag. */
function hasFunctions(type: Type, checker: Checker): boolean {
  if (!type.getSymbol()?.declarations.some(({ path }) => path.includes('/src/extension/'))) return false;
  return checker.getPropertiesOfType(type).some(member => {
    const held = checker.getTypeOfSymbol(member);
    return held !== undefined && isCallable(held, checker);
  });
}

function isCallable(type: Type, checker: Checker): boolean {
  const present = checker.getNonNullableType(type) ?? type;
  return checker.getSignaturesOfType(present, SignatureKind.Call).length > 0;
}
