/* Finds sentences for people that are written out where a catalog should be asked. */

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
  /** A template has `{}` where it has values. */
  readonly text: string;
}

/** Which literals of a file are `said`, and are no message of a look-up: `src/webview/app.tsx:12: Loading`. */
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

/** Whether a user reads or hears the literal on the panel's page. */
export function isSaidOnPage({ node, text }: Literal): boolean {
  if (!/\p{L}/u.test(text) || isName(text) || isForTheMachine(node)) return false;
  const attribute = attributeAround(node);
  if (attribute === undefined) return isJsxText(node) || isChildOfElement(node) || isSentence(text);
  if (silentAttributes.test(attribute)) return false;
  return spokenAttributes.test(attribute) || isSentence(text);
}

/**
 * Whether a user reads the literal in a dialog, a list, a notification or an editor, or hears it. What goes to the
 * log, reports a bug or names something is English in every language.
 */
export function isSaidByHost({ node, text }: Literal): boolean {
  const words = text.replace(/^(?:\$\([\w~-]+\)\s?)+/, '');
  if (!/\p{L}/u.test(words) || isName(words) || isCode(words) || isNames(node, words)) return false;
  if (isForTheMachine(node) || isForTheLog(node)) return false;
  return isSentence(words) || isCounted(node) || isShown(node);
}

/** As `isSaidByHost`, where the errors that are thrown end up before people. */
export function isSaidOrThrown(literal: Literal): boolean {
  const { node, text } = literal;
  return isSaidByHost(literal) || (isOfError(node) && isSentence(text));
}

/** Whether a user reads the literal on the card of a call; all else that a tool says is for models. */
export function isSaidByTool(literal: Literal): boolean {
  return isSaidByHost(literal) && isOnCard(literal.node);
}

/** Whether it is a part of a summary: of a member, variable or function that is called so, or beside a model's text. */
function isOnCard(node: Node): boolean {
  for (let each = node; each.parent; each = each.parent) {
    const { parent } = each;
    if (isNewExpression(parent) && parent.expression.getText() === 'ToolFailure')
      return parent.arguments?.[0] !== each || isFunctionLikeDeclaration(each);
    // What a schema says of its fields is for models.
    if (isCallExpression(parent) && calledName(parent.expression) === 'describe') return false;
    if (isPropertyAssignment(parent) || isVariableDeclaration(parent) || isFunctionDeclaration(parent))
      return /summary|remark|^title$/i.test(parent.name?.getText() ?? '');
  }
  return false;
}

/** Scripts for other programs; names of types, files, programs and products. */
function isCode(text: string): boolean {
  return (
    /(?<!\p{L})\$[\p{L}{@]|--quiet|^\s*const /u.test(text) ||
    /^(?:\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+)+|\/[^/]+\.(?:md|xml)|(?:aws|gcloud) [a-z -]+|(?:install|update|enable|disable|remove|\/[a-z]+(?: [a-z]+)?) \{\}|\{\} --ref \{\}|\{\}, (?:tools\.(?:core|\{\})|excludeTools)|git \{\}|https:.*|Folio: \/?\{\}|--[a-z]+ \{\}|OpenAI|Gemini(?: CLI)?|Claude Code|Codex|Anthropic|Ollama|LM Studio|Markdown|JSON|Dockerfile)$/u.test(
      text,
    )
  );
}

/** Names of programs and their options in the tables that classifier commands. */
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

/** Whether it is the value of what VS Code shows, where one small word is said as well. */
function isShown(node: Node): boolean {
  const { parent } = node;
  return (
    isPropertyAssignment(parent) &&
    /^(?:detail|description|label|placeHolder|prompt|title|tooltip)$/.test(parent.name.getText()) &&
    /^\p{L}{2,}/u.test(textOf(node) ?? '')
  );
}

/** Names of products, files, settings, commands and keys are the same in every language, and answers that a model reads. */
function isName(text: string): boolean {
  const names =
    /^(?:Folio|Vertex AI|Amazon Bedrock|Azure OpenAI|VS Code|HTTP|SSE|MCP|Enter|Escape|Ctrl\+?|Control|Meta\+|\/[a-z]+(?: [a-z]+)?|[\w/]*\.\w[\w./]*|mcpServers|servers|Yes|No)$/;
  return names.test(text.trim()) || isMarkup(text);
}

/** Elements, their classes and what selects them. */
function isMarkup(text: string): boolean {
  return /^(?:[.#<[]|auto \{\}px|mark round|codicon )/.test(text.trim());
}

/** The names of other attributes are codes as often as words. */
const spokenAttributes =
  /^(?:aria-(?:label|description|valuetext|roledescription)|title|placeholder|alt|label|hint)$/;

const silentAttributes = /^(?:class|style|key|d|viewBox|src|href|id|aria-keyshortcuts)$/;

/** Begins like a sentence or has several words. Codes, keys and classes do not. */
function isSentence(text: string): boolean {
  return (
    /^\p{Lu}[\p{L}’']*\p{Ll}(?![\p{L}_-])|[\p{L}}][,.:;]? +[\p{L}{]/u.test(text) && /\p{L}{2}/u.test(text)
  );
}

/** Whether the literal is compared, is a key, names an event or an element, or reports a bug. */
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
  'useCard',
  'wrap',
]);

function calledName(called: Node): string {
  if (isPropertyAccessExpression(called)) return called.name.text;
  return isIdentifier(called) ? called.text : '';
}

/** The attribute whose value the literal is, or becomes by a condition. */
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

/** What stands inside of these is not shown as it is. */
function isBoundary(node: Node): boolean {
  return isFunctionLikeDeclaration(node) || isCallExpression(node) || isPropertyAssignment(node);
}

function textOf(node: Node): string | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isJsxText(node)) return node.text;
  if (!isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}
