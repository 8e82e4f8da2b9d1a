/* Helpers for the rows of the two tables, intentions and events. */

import * as z from 'zod';

export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;

/** Type of a row. */
export type RowOf<R extends z.ZodType> = Immutable<z.infer<R>>;

type Rows = Readonly<Record<string, z.ZodRawShape>>;

/** Adds `type` to each row, by its name. */
export function schemaTable<R extends Rows>(rows: R) {
  const named = Object.entries(rows).map(([type, shape]) => [
    type,
    objectSchema({ type: z.literal(type), ...shape }),
  ]);
  return Object.fromEntries(named) as {
    readonly [K in keyof R & string]: z.ZodObject<{ readonly type: z.ZodLiteral<K> } & R[K]>;
  };
}

/*
 * A journal line is valid if it has the members that folds read. Members that earlier versions did not write, and those
 * that are only displayed, have a type but are not checked: an incomplete event is better than none.
 */

/** Says which texts of a schema are recorded unchanged. All others are masked. */
interface Masking {
  /** Unchanged texts. `true`: the schema itself; otherwise names of members, at any depth. */
  readonly exact?: true | readonly string[];
  /** Unknown content, in which values with names of secrets are masked, too. Values as in `exact`. */
  readonly foreign?: true | readonly string[];
}

const masking = z.registry<Masking>();

/** Text of a user, a model, a file or a program, masked when recorded. */
export const maskedText = z.string();

/** Identifier that is recorded unchanged: an id, a path, the hash of a blob, a tool. */
export const unmaskedText = typedAs<string>(z.string(), { exact: true });

/** Members chosen by a model. */
export const modelObject = typedAs<Readonly<Record<string, unknown>>>(z.object({}), { foreign: true });

/** A word of `W`, or one of another version. */
export function openEnum<W extends string>(): z.ZodType<W> {
  return typedAs<W>(maskedText);
}

/** A value of type `T` that is validated by `check` only. A schema needs its own instance for each `texts`. */
export function typedAs<T>(check: z.ZodType, texts?: Masking): z.ZodType<T> {
  if (texts) masking.add(check, texts);
  return check as z.ZodType<T>;
}

const anything = z.unknown();

/** A value of type `T` without validation; it may be absent. */
export function uncheckedSchema<T>(texts?: Masking): z.ZodType<T> {
  return typedAs<T>(texts ? z.unknown() : anything, texts);
}

/** An object schema without its unchecked members, so that they cost nothing. */
export function objectSchema<S extends z.ZodRawShape>(shape: S): z.ZodObject<S> {
  const members = Object.entries(shape).map(([name, schema]) => ({ name, schema: withoutOptional(schema) }));
  const asked = members.filter(({ schema }) => !(schema instanceof z.ZodUnknown));
  const object = z.object(Object.fromEntries(asked.map(({ name }) => [name, shape[name]!])));
  const others = members.filter(each => !asked.includes(each));
  const names = (mark: keyof Masking) =>
    others.flatMap(({ name, schema }) => markedNames(schema, name, mark));
  masking.add(object, { exact: names('exact'), foreign: names('foreign') });
  return object as unknown as z.ZodObject<S>;
}

/** Returns the names of members with `mark` in the schema of member `name`. */
export function markedNames(schema: z.core.$ZodType, name: string, mark: keyof Masking): readonly string[] {
  const marked = masking.get(schema)?.[mark] ?? [];
  return marked === true ? [name] : marked;
}

function withoutOptional(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

type Kind = z.ZodObject<{ kind: z.ZodLiteral<string> }>;

/** A union by `kind`. A kind of another version needs no other member. */
export function unionByKind<const K extends readonly [Kind, ...Kind[]]>(options: K) {
  const known: ReadonlySet<string> = new Set(options.map(({ shape }) => shape.kind.value));
  const other = z.object({ kind: z.string().refine(kind => !known.has(kind)) });
  return typedAs<z.infer<z.ZodUnion<K>>>(z.union([z.discriminatedUnion('kind', options), other]));
}
