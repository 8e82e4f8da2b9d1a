/* Finds literal sentences for users that should be looked up in a catalog. */

import {
  isBinaryExpression,
  isCallExpression,
  isCaseClause,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isImportDeclaration,
  isJsxAttribute,
  isJsxExpression,
  isJsxText,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  isTypeNode,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { importedLookUps, messageOf, placeOf } from './findMessages.ts';

export interface Literal {
  readonly node: Node;
  /** Text; for a template with `{}` in place of values. */
  readonly text: string;
}

/** Finds literals that `said` accepts and that are not looked up: `src/webview/app.tsx:12: Loading`. */
export function findLiterals(
  file: SourceFile,
  path: string,
  said: (literal: Literal) => boolean,
): readonly string[] {
  const found: string[] = [];
  const lookUps = importedLookUps(file);
  const visit = (node: Node): undefined => {
    if (isImportDeclaration(node) || isTypeNode(node)) return;
    const text = textOf(node);
    if (text !== undefined && said({ node, text }))
      found.push(`${placeOf(file, path, node)}: ${text.trim()}`);
    const isLookUp = isCallExpression(node) && lookUps.includes(calledName(node.expression));
    const message = isLookUp ? messageOf(node) : undefined;
    node.forEachChild(inner => (inner === message ? undefined : visit(inner)));
  };
  visit(file);
  return found;
}

/** Returns true if a user reads or hears the literal on the page of the panel. */
export function isSaidOnPage({ node, text }: Literal): boolean {
  if (!/\p{L}/u.test(text) || isName(text) || isForTheMachine(node)) return false;
  const attribute = attributeAround(node);
  if (attribute === undefined) return isJsxText(node) || isChildOfElement(node) || isSentence(text);
  if (silentAttributes.test(attribute)) return false;
  return spokenAttributes.test(attribute) || isSentence(text);
}

/**
 * Returns true if a user reads the literal in a dialog, list, notification or editor, or hears it. Log entries, bugs
 * and names stay English.
 */
export function isSaidByHost({ node, text }: Literal): boolean {
  const words = text.replace(/^(?:\$\([\w~-]+\)\s?)+/, '');
  if (!/\p{L}/u.test(words) || isName(words) || isCode(words) || isNames(node, words)) return false;
  if (isForTheMachine(node) || isForTheLog(node)) return false;
  return isSentence(words) || isCounted(node) || isShown(node);
}

/** Like `isSaidByHost`, including messages of thrown errors. */
export function isSaidOrThrown(literal: Literal): boolean {
  const { node, text } = literal;
  return isSaidByHost(literal) || (isOfError(node) && isSentence(text));
}

/** Returns true if a user reads the literal on the card of a call. Other texts of tools are for models. */
export function isSaidByTool(literal: Literal): boolean {
  return isSaidByHost(literal) && isOnCard(literal.node);
}

/** Returns true for a part of a summary: by the name of its member, variable or function, or beside a model's text. */
function isOnCard(node: Node): boolean {
  for (let each = node; each.parent; each = each.parent) {
    const { parent } = each;
    if (isNewExpression(parent) && parent.expression.getText() === 'ToolFailure')
      return parent.arguments?.[0] !== each || isFunctionLikeDeclaration(each);
    // Descriptions of schema fields are for models.
    if (isCallExpression(parent) && calledName(parent.expression) === 'describe') return false;
    if (isPropertyAssignment(parent) || isVariableDeclaration(parent) || isFunctionDeclaration(parent))
      return /summary|remark|^title$/i.test(parent.name?.getText() ?? '');
  }
  return false;
}

/** Returns true for code, and names of types, files, programs and products. */
function isCode(text: string): boolean {
  return (
    /(?<!\p{L})\$[\p{L}{@]|--quiet|^\s*const /u.test(text) ||
    /^(?:\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+)+|\/[^/]+\.(?:md|xml)|(?:aws|gcloud) [a-z -]+|(?:install|update|enable|disable|remove|\/[a-z]+(?: [a-z]+)?) \{\}|\{\} --ref \{\}|\{\}, (?:tools\.(?:core|\{\})|excludeTools)|git \{\}|https:.*|Folio: \/?\{\}|--[a-z]+ \{\}|OpenAI|Gemini(?: CLI)?|Claude Code|Codex|Anthropic|Ollama|LM Studio|Markdown|JSON|Dockerfile)$/u.test(
      text,
    )
  );
}

/** Returns true for names of programs and options in the tables of the command classifier. */
function isNames(node: Node, words: string): boolean {
  return /\/shell\/(?:classify|powershell)\//.test(node.getSourceFile().fileName) && !/[.:]$/.test(words);
}

function isForTheLog({ parent }: Node): boolean {
  return (
    isCallExpression(parent) &&
    isPropertyAccessExpression(parent.expression) &&
    /(?:^|\.)log$/.test(parent.expression.expression.getText())
  );
}

/** `plural(2, 'file')` says English whatever the language is. */
function isCounted({ parent }: Node): boolean {
  return isCallExpression(parent) && calledName(parent.expression) === 'plural';
}

/** Returns true for a value that VS Code shows, where a single lower-case word counts, too. */
function isShown(node: Node): boolean {
  const { parent } = node;
  return (
    isPropertyAssignment(parent) &&
    /^(?:detail|description|label|placeHolder|prompt|title|tooltip)$/.test(parent.name.getText()) &&
    /^\p{L}{2,}/u.test(textOf(node) ?? '')
  );
}

/** Returns true for names of products, files, settings, commands and keys, and for answers to a model. */
function isName(text: string): boolean {
  const names =
    /^(?:Folio|Vertex AI|Amazon Bedrock|Azure OpenAI|VS Code|HTTP|SSE|MCP|Enter|Escape|Ctrl\+?|Alt\+|Control|Meta\+|\/[a-z]+(?: [a-z]+)?|[\w/]*\.\w[\w./]*|mcpServers|servers|Yes|No)$/;
  return names.test(text.trim()) || isMarkup(text);
}

/** Returns true for elements, classes and selectors. */
function isMarkup(text: string): boolean {
  return /^(?:[.#<[]|auto \{\}px|mark round|codicon )/.test(text.trim());
}

/** Attributes with texts. Values of others are often codes. */
const spokenAttributes =
  /^(?:aria-(?:label|description|valuetext|roledescription)|title|placeholder|alt|label|hint)$/;

const silentAttributes = /^(?:class|style|key|d|viewBox|src|href|id|aria-keyshortcuts)$/;

/** Returns true for several words or a capitalised text, unlike codes, keys and classes. */
function isSentence(text: string): boolean {
  return (
    /^\p{Lu}[\p{L}’']*\p{Ll}(?![\p{L}_-])|[\p{L}}][,.:;]? +[\p{L}{]/u.test(text) && /\p{L}{2}/u.test(text)
  );
}

/** Returns true if the literal is compared, is a key, names an event or element, or reports a bug. */
function isForTheMachine(node: Node): boolean {
  const { parent } = node;
  if (isBinaryExpression(parent)) return /^[=!]==?$/.test(parent.operatorToken.getText());
  if (isPropertyAssignment(parent))
    return parent.name === node || /^(?:class|id)$/.test(parent.name.getText());
  if (isCaseClause(parent) || isElementAccessExpression(parent)) return true;
  if (isOfError(node)) return true;
  return isCallExpression(parent) && machineCalls.has(calledName(parent.expression));
}

function isOfError({ parent }: Node): boolean {
  return isNewExpression(parent) && parent.expression.getText() === 'Error';
}

const machineCalls = new Set([
  'addEventListener',
  'closest',
  'isPlainKey',
  'matches',
  'querySelector',
  'querySelectorAll',
  'removeEventListener',
  'startsWith',
  'useCardOpen',
  'wrap',
]);

function calledName(called: Node): string {
  if (isPropertyAccessExpression(called)) return called.name.text;
  return isIdentifier(called) ? called.text : '';
}

/** Returns the attribute that has the literal as its value, directly or by a condition. */
function attributeAround(node: Node): string | undefined {
  for (let each = node.parent; each && !isBoundary(each); each = each.parent)
    if (isJsxAttribute(each)) return each.name.getText();
  return undefined;
}

function isChildOfElement(node: Node): boolean {
  for (let each = node.parent; each && !isBoundary(each); each = each.parent)
    if (isJsxExpression(each)) return true;
  return false;
}

/** Returns true for nodes whose content is not shown directly. */
function isBoundary(node: Node): boolean {
  return isFunctionLikeDeclaration(node) || isCallExpression(node) || isPropertyAssignment(node);
}

function textOf(node: Node): string | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isJsxText(node)) return node.text;
  if (!isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}
