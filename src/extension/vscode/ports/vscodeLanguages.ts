import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallHierarchyIncomingCall,
  type CallHierarchyItem,
  commands,
  type Location,
  type LocationLink,
  Position,
  type Range,
  Uri,
  workspace,
} from 'vscode';
import { abortable } from '../../base/abort.ts';
import type {
  ActionTarget,
  CodeAction,
  CodePosition,
  CodeRange,
  CodeSymbol,
  Languages,
  ProposedEdits,
  SymbolRelation,
} from '../../platform/languages.ts';
import { openDocument } from './openDocument.ts';
import { requestActions } from './requestActions.ts';
import { requestRenaming } from './requestRenaming.ts';
import { inclusiveLinesOf, requestOutline, requestWorkspaceSymbols } from './requestSymbols.ts';

/** Milliseconds that the start of a turn waits for a first answer. The server continues starting after that. */
const patience = 1_500;
/** Milliseconds after which a silent server is not asked again in this turn. */
const limit = 15_000;
const pause = 250;
/** Milliseconds for which a search for a code file counts. Each starts a process in VS Code's extension host. */
const searchLife = 60_000;
/** Maximal number of files of a name whose outlines are read. */
const fileLimit = 20;

/** Languages whose outline has no references. */
const prose =
  /^(plaintext|markdown|jsonc?|jsonl|yaml|toml|log|xml|html|s?css|less|ini|properties|ignore|diff)$/;
const sources =
  '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,go,rs,java,kt,scala,cs,fs,c,cc,cpp,h,hpp,rb,php,swift,dart,lua,ex,exs,hs,zig,vue,svelte}';
const dependencies = '**/{node_modules,.git,dist,build,out,target,vendor,.venv,venv}/**';

/** The language servers of VS Code's extensions. */
export class VscodeLanguages implements Languages {
  private probing: Promise<void> | undefined;
  /** The latest probe has ended. */
  private isIdle = false;
  private hasAnswered = false;
  private isSettled = false;
  private hidden: { readonly path: string | undefined; readonly at: number } | undefined;

  get isAvailable(): boolean {
    return this.isSettled;
  }

  async settle(): Promise<void> {
    if (!this.hasAnswered) {
      const isFirst = this.probing === undefined;
      if (isFirst || this.isIdle) this.probing = this.probe();
      // If there is no server, there is usually none in the next turn, so only the first turn waits.
      if (isFirst) await Promise.race([this.probing, sleep(patience)]);
    }
    this.isSettled = this.hasAnswered;
  }

  async outline(path: string, signal: AbortSignal): Promise<readonly CodeSymbol[]> {
    if (!(await openDocument(path))) return [];
    return await this.untilAnswered(() => requestOutline(path, signal), signal);
  }

  async findDeclaringFiles(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const found = (await requestWorkspaceSymbols(name, signal)).filter(symbol => symbol.name === name);
    return [...new Set(found.map(({ path }) => path))].slice(0, fileLimit);
  }

  async follow(
    point: CodePosition,
    relation: SymbolRelation,
    signal: AbortSignal,
  ): Promise<readonly CodeRange[]> {
    const uri = Uri.file(point.path);
    if (!(await openDocument(point.path))) return [];
    const at = new Position(point.line - 1, point.column - 1);
    // While TypeScript loads a project, it answers from open files only. It delays this request until the project is
    // loaded, so the following one is answered completely, too.
    const items = await askCalled(uri, at, signal);
    if (relation === 'callers') return await findCallers(items, signal);
    const asking = commands.executeCommand<(Location | LocationLink)[] | undefined>(
      questions[relation],
      uri,
      at,
    );
    const found = (await abortable(Promise.resolve(asking), signal)) ?? [];
    return found.flatMap(place =>
      'targetUri' in place ? toPlace(place.targetUri, place.targetRange) : toPlace(place.uri, place.range),
    );
  }

  async rename(point: CodePosition, newName: string, signal: AbortSignal): Promise<ProposedEdits> {
    if (!(await openDocument(point.path))) return { kind: 'refused', reason: 'The file cannot be opened.' };
    const uri = Uri.file(point.path);
    const at = new Position(point.line - 1, point.column - 1);
    // As in `follow`: later requests are answered from the whole project.
    await askCalled(uri, at, signal);
    return await requestRenaming(uri, at, newName, signal);
  }

  async offer(place: ActionTarget, signal: AbortSignal): Promise<readonly CodeAction[]> {
    const document = await openDocument(place.path);
    return document ? await requestActions(document, place, signal) : [];
  }

  /** A language's server starts with its first document and does not answer before. */
  private async untilAnswered<T>(
    ask: () => Promise<readonly T[]>,
    signal: AbortSignal,
  ): Promise<readonly T[]> {
    const end = Date.now() + (this.hasAnswered ? pause : limit);
    // Where no server is installed, each turn asks in vain, so ever less often.
    for (let wait = pause; ; wait *= 1.5) {
      const found = await ask();
      if (found.length > 0 || Date.now() >= end) return found;
      await abortable(sleep(Math.min(wait, end - Date.now())), signal);
    }
  }

  /** Never rejects: a failed request counts as unanswered. */
  private async probe(): Promise<void> {
    this.isIdle = false;
    const { signal } = new AbortController();
    try {
      const paths = await this.findCode();
      const ask = async () => (await Promise.all(paths.map(path => requestOutline(path, signal)))).flat();
      const found = paths.length > 0 ? await this.untilAnswered(ask, signal) : [];
      this.hasAnswered ||= found.length > 0;
    } catch {
      // A server that fails its first request is not offered. The next turn asks again.
    }
    this.isIdle = true;
  }

  /** Returns open code files, one per language, and one of the workspace, which is opened in the background. */
  private async findCode(): Promise<readonly string[]> {
    const open = workspace.textDocuments.filter(
      ({ uri, languageId }) =>
        uri.scheme === 'file' && workspace.getWorkspaceFolder(uri) !== undefined && !prose.test(languageId),
    );
    const byLanguage = new Map(open.map(({ languageId, uri }) => [languageId, uri.fsPath]));
    if (!this.hidden || Date.now() - this.hidden.at > searchLife) {
      const [file] = await workspace.findFiles(sources, dependencies, 1);
      this.hidden = { path: file?.fsPath, at: Date.now() };
    }
    const { path } = this.hidden;
    const hidden = path === undefined ? undefined : await openDocument(path);
    return [...new Set([...byLanguage.values(), ...(hidden ? [hidden.uri.fsPath] : [])])];
  }
}

const questions: Readonly<Record<Exclude<SymbolRelation, 'callers'>, string>> = {
  references: 'vscode.executeReferenceProvider',
  definition: 'vscode.executeDefinitionProvider',
  type_definition: 'vscode.executeTypeDefinitionProvider',
  implementations: 'vscode.executeImplementationProvider',
};

async function askCalled(uri: Uri, at: Position, signal: AbortSignal): Promise<readonly CallHierarchyItem[]> {
  const asking = commands.executeCommand<CallHierarchyItem[] | undefined>(
    'vscode.prepareCallHierarchy',
    uri,
    at,
  );
  return (await abortable(Promise.resolve(asking), signal)) ?? [];
}

async function findCallers(
  items: readonly CallHierarchyItem[],
  signal: AbortSignal,
): Promise<readonly CodeRange[]> {
  const asking = items.map(item =>
    commands.executeCommand<CallHierarchyIncomingCall[] | undefined>('vscode.provideIncomingCalls', item),
  );
  const calls = await abortable(Promise.all(asking), signal);
  return calls
    .flatMap(found => found ?? [])
    .flatMap(({ from, fromRanges }) =>
      fromRanges.flatMap(range => toPlace(from.uri, range).map(place => ({ ...place, inside: from.name }))),
    );
}

function toPlace(uri: Uri, range: Range): readonly CodeRange[] {
  return uri.scheme === 'file' ? [{ path: uri.fsPath, ...inclusiveLinesOf(range) }] : [];
}
