import { headOf } from '../base/text.ts';
import type { CodePosition, FileEdits, ProposedEdits } from '../platform/languages.ts';
import {
  hasProvider,
  prepareRenameSchema,
  type TextEdit,
  type WorkspaceEdit,
  workspaceEditSchema,
} from './answers.ts';
import { LanguageServerRefusal } from './connection.ts';
import { fitCodeEdits } from './fitCodeEdits.ts';
import type { RunningServer } from './languageServer.ts';
import { toLspPosition, toPath } from './places.ts';

export async function requestRename(
  server: RunningServer,
  point: CodePosition,
  newName: string,
  signal: AbortSignal,
): Promise<ProposedEdits> {
  if (!hasProvider(server.capabilities, 'renameProvider'))
    return { kind: 'refused', reason: `${server.name} does not rename.` };
  try {
    const ask = () => askOnce(server, point, newName, signal);
    const renaming = await ask();
    // Edits of a file with unsaved changes were computed for its saved text.
    const paths = renaming.kind === 'edits' ? renaming.files.map(({ path }) => path) : [];
    return (await server.documents.showUnsaved(paths)) ? await ask() : renaming;
  } catch (error) {
    if (error instanceof LanguageServerRefusal) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

async function askOnce(
  server: RunningServer,
  point: CodePosition,
  newName: string,
  signal: AbortSignal,
): Promise<ProposedEdits> {
  const { connection, capabilities, documents } = server;
  const document = await documents.show(point.path);
  if (!document) return { kind: 'refused', reason: 'The file cannot be opened.' };
  const at = { textDocument: { uri: document.uri }, position: toLspPosition(point) };
  const { renameProvider } = capabilities;
  if (typeof renameProvider === 'object' && renameProvider?.prepareProvider) {
    const canRename = await connection.request('textDocument/prepareRename', at, prepareRenameSchema, signal);
    if (!canRename) return { kind: 'refused', reason: 'Nothing stands there that could be renamed.' };
  }
  const edit = await connection.request(
    'textDocument/rename',
    { ...at, newName },
    workspaceEditSchema,
    signal,
  );
  return edit ? await toProposedEdits(edit, server) : { kind: 'edits', files: [] };
}

/** Refuses edits that do more than change existing files, as the server knows them. */
export async function toProposedEdits(
  edit: WorkspaceEdit,
  { documents }: RunningServer,
): Promise<ProposedEdits> {
  const changed = new Map<string, readonly TextEdit[]>();
  for (const change of edit.documentChanges ?? fromMap(edit.changes ?? {})) {
    if ('kind' in change)
      return refuse('Files themselves would have to be moved, made or deleted, which Folio does not do.');
    const { uri, version } = change.textDocument;
    const path = toPath(uri);
    if (path === undefined) return refuse(`It reaches ${headOf(uri, 200)}, which is no file.`);
    const known = documents.find(path)?.version;
    if (typeof version === 'number' && known !== undefined && version !== known)
      return refuse(`It was made for an older text of ${path}. Try again.`);
    if (change.edits.length > 0) changed.set(path, [...(changed.get(path) ?? []), ...change.edits]);
  }
  const files: FileEdits[] = [];
  for (const [path, edits] of changed) {
    const text = await documents.textOf(path);
    if (text === undefined) return refuse(`${path} would have to be made, or is no text.`);
    const fitting = fitCodeEdits(edits, text);
    if (!fitting) return refuse(`Its changes do not fit ${path}.`);
    files.push({ path, edits: fitting });
  }
  return { kind: 'edits', files };
}

function fromMap(changes: NonNullable<WorkspaceEdit['changes']>) {
  return Object.entries(changes).map(([uri, edits]) => ({
    textDocument: { uri, version: undefined },
    edits,
  }));
}

function refuse(reason: string): ProposedEdits {
  return { kind: 'refused', reason };
}
