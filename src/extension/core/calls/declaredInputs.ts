export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * JSON Schemas of our own tools by name. The build fills them in (esbuild.mjs), since generating them takes a tenth of
 * the start-up time. Missing ones are generated on demand.
 */
export const declaredInputs: Readonly<Record<string, JsonSchema>> = {};
