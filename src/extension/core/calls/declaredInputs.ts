/** The JSON Schema of an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The arguments of our own tools as the model reads them, by name of the tool. The build fills this in (esbuild.mjs),
 * since to make it takes a run a tenth of its start; what is not here is made when it is asked for.
 */
export const declaredInputs: Readonly<Record<string, JsonSchema>> = {};
