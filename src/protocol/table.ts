/* How the rows of the two tables are written: what the page wants of the host, and what happens in a session. */

import * as z from 'zod';

export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;

/** The type that a row describes. */
export type RowOf<R extends z.ZodType> = Immutable<z.infer<R>>;

type Rows = Readonly<Record<string, z.ZodRawShape>>;

/** Each row gets its name as its `type`. */
export function table<R extends Rows>(rows: R) {
  const named = Object.entries(rows).map(([type, shape]) => [
    type,
    record({ type: z.literal(type), ...shape }),
  ]);
  return Object.fromEntries(named) as {
    readonly [K in keyof R & string]: z.ZodObject<{ readonly type: z.ZodLiteral<K> } & R[K]>;
  };
}

/*
 * A line of a journal counts when it holds what its folds look into. Members that earlier versions did not write, and
 * those that are only shown, have a type and are not asked for: half of an event is better than none.
 */

/** Where the texts of a schema go to the disk as they are. All others lose what looks like a secret. */
interface Masking {
  /** `true`: the schema is such a text; else names of members that have one, at any depth. */
  readonly exact?: true | readonly string[];
  /** Nobody knows what stands in it: whatever is called a secret is one. As above. */
  readonly foreign?: true | readonly string[];
}

const masking = z.registry<Masking>();

/** Words of a user, a model, a file or a program. */
export const words = z.string();

/** Leads to the same place again or names it: an id, a path, the hash of a blob, a tool. */
export const exact = like<string>(z.string(), { exact: true });

/** Members that a model chose. */
export const foreign = like<Readonly<Record<string, unknown>>>(z.object({}), { foreign: true });

/** One of these words, or one of another version. */
export function word<W extends string>(): z.ZodType<W> {
  return like<W>(words);
}

/** A value of this type, of which only `check` is checked. A schema with `texts` must not be used without them, too. */
export function like<T>(check: z.ZodType, texts?: Masking): z.ZodType<T> {
  if (texts) masking.add(check, texts);
  return check as z.ZodType<T>;
}

const anything = z.unknown();

/** A value of this type that is not checked at all; it may even be absent. */
export function unchecked<T>(texts?: Masking): z.ZodType<T> {
  return like<T>(texts ? z.unknown() : anything, texts);
}

/** An object. Members that are not checked stand outside of its schema, so that they cost nothing. */
export function record<S extends z.ZodRawShape>(shape: S): z.ZodObject<S> {
  const members = Object.entries(shape).map(([name, schema]) => ({ name, schema: withoutOptional(schema) }));
  const asked = members.filter(({ schema }) => !(schema instanceof z.ZodUnknown));
  const object = z.object(Object.fromEntries(asked.map(({ name }) => [name, shape[name]!])));
  const others = members.filter(each => !asked.includes(each));
  const names = (mark: keyof Masking) =>
    others.flatMap(({ name, schema }) => markedNames(schema, name, mark));
  masking.add(object, { exact: names('exact'), foreign: names('foreign') });
  return object as unknown as z.ZodObject<S>;
}

/** Names of members that a schema, which stands under `name` itself, says this of. */
export function markedNames(schema: z.core.$ZodType, name: string, mark: keyof Masking): readonly string[] {
  const marked = masking.get(schema)?.[mark] ?? [];
  return marked === true ? [name] : marked;
}

function withoutOptional(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

type Kind = z.ZodObject<{ kind: z.ZodLiteral<string> }>;

/** One of these kinds, with what it needs; a kind of another version needs nothing else. */
export function kinds<const K extends readonly [Kind, ...Kind[]]>(options: K) {
  const known: ReadonlySet<string> = new Set(options.map(({ shape }) => shape.kind.value));
  const other = z.object({ kind: z.string().refine(kind => !known.has(kind)) });
  return like<z.infer<z.ZodUnion<K>>>(z.union([z.discriminatedUnion('kind', options), other]));
}
