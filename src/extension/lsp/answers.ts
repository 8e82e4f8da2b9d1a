/*
 * Answers of language servers, validated since a server is another program. Data that is sent back (`looseObject`)
 * keeps unknown members.
 */

import * as z from 'zod';

/** Maximal number of entries read from one answer. */
const maxEntries = 20_000;

const count = z.number().int().nonnegative();
const position = z.object({ line: count, character: count });
export const range = z.object({ start: position, end: position });
export type Range = z.output<typeof range>;

function listOf<S extends z.ZodType>(entry: S) {
  return z
    .array(z.unknown())
    .nullable()
    .transform(list => (list ?? []).slice(0, maxEntries))
    .pipe(z.array(entry));
}

const location = z.object({ uri: z.string(), range });
const locationLink = z.object({ targetUri: z.string(), targetRange: range });
const place = z.union([
  location,
  locationLink.transform(link => ({ uri: link.targetUri, range: link.targetRange })),
]);
/** Answer to requests for definitions, references and similar. */
export const places = z.union([place.transform(one => [one]), listOf(place)]);

export interface DocumentSymbol {
  readonly name: string;
  readonly kind: number;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly children?: readonly DocumentSymbol[] | null;
}

const documentSymbol: z.ZodType<DocumentSymbol> = z.lazy(() =>
  z.object({
    name: z.string(),
    kind: count,
    range,
    selectionRange: range,
    children: z.array(documentSymbol).nullish(),
  }),
);
const flatSymbol = z.object({
  name: z.string(),
  kind: count,
  location,
  containerName: z.string().nullish(),
});
export type FlatSymbol = z.output<typeof flatSymbol>;
export const outline = listOf(z.union([documentSymbol, flatSymbol]));

/** Newer servers omit the range until a second request. */
export const workspaceSymbols = listOf(
  z.object({ name: z.string(), location: z.object({ uri: z.string() }) }),
);

export const callItems = listOf(z.looseObject({ uri: z.string() }));
export const incomingCalls = listOf(
  z.object({ from: z.object({ name: z.string(), uri: z.string() }), fromRanges: z.array(range) }),
);

const textEdit = z.object({ range, newText: z.string() });
export type TextEdit = z.output<typeof textEdit>;
export const textEdits = listOf(textEdit);

const documentEdit = z.object({
  textDocument: z.object({ uri: z.string(), version: z.number().nullish() }),
  edits: z.array(textEdit),
});
/** Creates, moves or deletes a file. */
const fileOperation = z.object({ kind: z.string() });
const wholeEdit = z.object({
  changes: z.record(z.string(), z.array(textEdit)).nullish(),
  documentChanges: z.array(z.union([documentEdit, fileOperation])).nullish(),
});
export type WorkspaceEdit = z.output<typeof wholeEdit>;
export const workspaceEdit = wholeEdit.nullable();

/** `null`: nothing there can be renamed. */
export const renameTarget = z.unknown().transform(answer => answer !== null && answer !== undefined);

export const codeAction = z.looseObject({
  title: z.string(),
  kind: z.string().nullish(),
  edit: wholeEdit.nullish(),
  /** An object; for a plain command its name. */
  command: z.unknown().optional(),
  disabled: z.object({ reason: z.string() }).nullish(),
});
export type ServerAction = z.output<typeof codeAction>;
export const codeActions = listOf(codeAction);

const problem = z.looseObject({
  range,
  /** If absent, the client decides. Folio treats it as an error. */
  severity: z.number().nullish(),
  message: z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]),
  source: z.string().nullish(),
});
export type ServerProblem = z.output<typeof problem>;
export const problems = listOf(problem);

/** Has no items if unchanged since the previous answer, which Folio never names. */
const report = z.object({ kind: z.string(), items: problems.optional() });
export const problemReport = report.extend({ relatedDocuments: z.record(z.string(), report).nullish() });
export const published = z.object({ uri: z.string(), version: z.number().nullish(), diagnostics: problems });

export const initialized = z.looseObject({
  capabilities: z.looseObject({
    codeActionProvider: z
      .union([z.boolean(), z.looseObject({ resolveProvider: z.boolean().nullish() })])
      .nullish(),
    renameProvider: z
      .union([z.boolean(), z.looseObject({ prepareProvider: z.boolean().nullish() })])
      .nullish(),
    diagnosticProvider: z.unknown().optional(),
    positionEncoding: z.string().nullish(),
  }),
});
export type Capabilities = z.output<typeof initialized>['capabilities'];

/** @param provider such as `documentSymbolProvider` */
export function offers(capabilities: Capabilities, provider: string): boolean {
  const value = capabilities[provider];
  return value !== undefined && value !== null && value !== false;
}
