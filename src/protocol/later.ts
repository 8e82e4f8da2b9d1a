/** Makes a schema when it is first asked for: to make all of them is a good part of a short run. */
export function later<T>(make: () => T): () => T {
  let made: { readonly schema: T } | undefined;
  return () => {
    made ??= { schema: make() };
    return made.schema;
  };
}
