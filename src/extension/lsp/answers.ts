/*
 * Answers of language servers, validated since a server is another program. Data that is sent back (`looseObject`)
 * keeps unknown members.
 */

import * as z from 'zod';

/** Maximal number of entries read from one answer. */
const maxEntries = 20_000;

const count = z.number().int().nonnegative();
const position = z.object({ line: count, character: count });
const rangeSchema = z.object({ start: position, end: position });
export type Range = z.output<typeof rangeSchema>;

/** Parses a list or `null`, which is empty. Entries beyond the maximum are dropped; one invalid entry rejects all. */
function listOf<S extends z.ZodType>(entry: S) {
  return z
    .array(z.unknown())
    .nullable()
    .transform(list => (list ?? []).slice(0, maxEntries))
    .pipe(z.array(entry));
}

const location = z.object({ uri: z.string(), range: rangeSchema });
const locationLink = z.object({ targetUri: z.string(), targetRange: rangeSchema });
const place = z.union([
  location,
  locationLink.transform(link => ({ uri: link.targetUri, range: link.targetRange })),
]);
/** Answer to requests for definitions, references and similar. */
export const locationsSchema = z.union([place.transform(one => [one]), listOf(place)]);

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
    range: rangeSchema,
    selectionRange: rangeSchema,
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
export const documentSymbolsSchema = listOf(z.union([documentSymbol, flatSymbol]));

/** Symbols with their files only: newer servers omit the range until a second request. */
export const workspaceSymbolsSchema = listOf(
  z.object({ name: z.string(), location: z.object({ uri: z.string() }) }),
);

export const callHierarchyItemsSchema = listOf(z.looseObject({ uri: z.string() }));
export const incomingCallsSchema = listOf(
  z.object({ from: z.object({ name: z.string(), uri: z.string() }), fromRanges: z.array(rangeSchema) }),
);

const textEdit = z.object({ range: rangeSchema, newText: z.string() });
export type TextEdit = z.output<typeof textEdit>;
export const textEditsSchema = listOf(textEdit);

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
export const workspaceEditSchema = wholeEdit.nullable();

/** `null`: nothing there can be renamed. */
export const prepareRenameSchema = z.unknown().transform(answer => answer !== null && answer !== undefined);

export const codeActionSchema = z.looseObject({
  title: z.string(),
  kind: z.string().nullish(),
  edit: wholeEdit.nullish(),
  /** An object; for a plain command its name. */
  command: z.unknown().optional(),
  disabled: z.object({ reason: z.string() }).nullish(),
});
export type ServerAction = z.output<typeof codeActionSchema>;
export const codeActionsSchema = listOf(codeActionSchema);

const problem = z.looseObject({
  range: rangeSchema,
  /** If absent, the client decides. Folio treats it as an error. */
  severity: z.number().nullish(),
  message: z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]),
  source: z.string().nullish(),
});
export type ServerProblem = z.output<typeof problem>;
const problemsSchema = listOf(problem);

/** Has no items if unchanged since the previous answer, which Folio never names. */
const report = z.object({ kind: z.string(), items: problemsSchema.optional() });
export const diagnosticReportSchema = report.extend({
  relatedDocuments: z.record(z.string(), report).nullish(),
});
export const publishDiagnosticsSchema = z.object({
  uri: z.string(),
  version: z.number().nullish(),
  diagnostics: problemsSchema,
});

export const initializeResultSchema = z.looseObject({
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
export type Capabilities = z.output<typeof initializeResultSchema>['capabilities'];

/** @param provider such as `documentSymbolProvider` */
export function hasProvider(capabilities: Capabilities, provider: string): boolean {
  const value = capabilities[provider];
  return value !== undefined && value !== null && value !== false;
}
