/** Defers making a schema to its first use. Making all of them would slow down a short run. */
export function lazySchema<T>(make: () => T): () => T {
  let made: { readonly schema: T } | undefined;
  return () => {
    made ??= { schema: make() };
    return made.schema;
  };
}
