/* Fixes and refactorings of a server, as edits that Folio can propose. */

import type { ActionTarget, CodeAction } from '../platform/languages.ts';
import {
  codeActionSchema,
  codeActionsSchema,
  hasProvider,
  type Range,
  type ServerAction,
  textEditsSchema,
} from './answers.ts';
import { LanguageServerRefusal } from './connection.ts';
import { fitCodeEdits } from './fitCodeEdits.ts';
import type { RunningServer } from './languageServer.ts';
import type { OpenDocument } from './openDocuments.ts';
import { toLspPosition } from './places.ts';
import { requestProblems } from './problems.ts';
import { toProposedEdits } from './requestRename.ts';

/** Actions whose edits are resolved. Further ones are listed without edits. */
const maxResolved = 40;

export async function requestCodeActions(
  server: RunningServer,
  place: ActionTarget,
  signal: AbortSignal,
): Promise<readonly CodeAction[]> {
  const document = await server.documents.show(place.path);
  if (!document) return [];
  const isWhole = !('first' in place) && !('line' in place);
  const found = await askOffered(server, document, place, isWhole, signal);
  const actions: CodeAction[] = [];
  for (const [index, action] of found.entries())
    actions.push(await toAction(server, action, index < maxResolved, signal));
  const meant = actions.filter(({ change }) => change.kind === 'refused' || change.files.length > 0);
  return isWhole ? [...meant, ...(await askFormat(server, place.path, document, signal))] : meant;
}

async function askOffered(
  server: RunningServer,
  { uri, text }: OpenDocument,
  place: ActionTarget,
  isWhole: boolean,
  signal: AbortSignal,
): Promise<readonly ServerAction[]> {
  if (!hasProvider(server.capabilities, 'codeActionProvider')) return [];
  const range = rangeOf(place, text);
  const problems = (await requestProblems(server, place.path, signal)) ?? [];
  const diagnostics = problems.filter(problem => touches(problem.range, range));
  const context = { diagnostics, only: isWhole ? ['source'] : undefined, triggerKind: 1 };
  const params = { textDocument: { uri }, range, context };
  const found = await server.connection.request('textDocument/codeAction', params, codeActionsSchema, signal);
  // Some servers add actions for the whole file to every range.
  return found.filter(({ kind }) => isWhole || !kind?.startsWith('source'));
}

function rangeOf(place: ActionTarget, text: string): Range {
  if ('line' in place) return { start: toLspPosition(place), end: toLspPosition(place) };
  const lines = text.split(/\r\n|\r|\n/);
  const last = 'first' in place ? Math.min(place.last, lines.length) : lines.length;
  const first = 'first' in place ? Math.min(place.first, last) : 1;
  return {
    start: { line: first - 1, character: 0 },
    end: { line: last - 1, character: lines[last - 1]?.length ?? 0 },
  };
}

function touches(a: Range, b: Range): boolean {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

async function toAction(
  server: RunningServer,
  offered: ServerAction,
  isResolved: boolean,
  signal: AbortSignal,
): Promise<CodeAction> {
  const { title, disabled } = offered;
  const refuse = (reason: string): CodeAction => ({ title, change: { kind: 'refused', reason } });
  if (disabled) return refuse(disabled.reason);
  if (typeof offered.command === 'string') return refuse('it runs a command of the language server.');
  const action = offered.edit || !isResolved ? offered : await resolve(server, offered, signal);
  if (!action.edit)
    return refuse(isResolved ? 'it runs a command of the language server.' : 'too many are offered.');
  return { title, change: await toProposedEdits(action.edit, server) };
}

async function resolve(
  { connection, capabilities }: RunningServer,
  action: ServerAction,
  signal: AbortSignal,
): Promise<ServerAction> {
  const { codeActionProvider } = capabilities;
  const canResolve = typeof codeActionProvider === 'object' && codeActionProvider?.resolveProvider === true;
  if (!canResolve) return action;
  try {
    return await connection.request('codeAction/resolve', action, codeActionSchema, signal);
  } catch (error) {
    // The action is offered but cannot be resolved: listed without edits.
    if (error instanceof LanguageServerRefusal) return action;
    throw error;
  }
}

async function askFormat(
  { connection, capabilities }: RunningServer,
  path: string,
  { uri, text }: OpenDocument,
  signal: AbortSignal,
): Promise<readonly CodeAction[]> {
  if (!hasProvider(capabilities, 'documentFormattingProvider')) return [];
  const params = { textDocument: { uri }, options: indentationOf(text) };
  const found = await connection.request('textDocument/formatting', params, textEditsSchema, signal);
  const edits = fitCodeEdits(found, text);
  const title = 'Format Document';
  if (!edits) return [{ title, change: { kind: 'refused', reason: 'its changes do not fit the file.' } }];
  return [{ title, change: { kind: 'edits', files: edits.length > 0 ? [{ path, edits }] : [] } }];
}

function indentationOf(text: string) {
  const indents = text.match(/^(?:\t| {2,})(?=\S)/gm) ?? [];
  const spaces = indents.filter(each => each !== '\t').map(({ length }) => length);
  return {
    tabSize: spaces.length > 0 ? Math.min(...spaces) : 4,
    insertSpaces: indents.length === 0 || spaces.length * 2 >= indents.length,
  };
}
