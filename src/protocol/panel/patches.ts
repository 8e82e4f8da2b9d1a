/*
 * Finds the changes between two states that share their equal parts, and applies them to the first to get the second.
 * The host finds patches, the page applies them; neither needs to know what a session is.
 *
 *   state ──► findPatches(known, state) ──► [{ at: ['chapters', 3, …, 'text'], add: 'more' }] ──► applyPatches(known, …)
 *
 * The cost of finding grows with the differences: an object that is the same is never looked into. Applying copies the
 * way to each place and keeps every other object, so that a component that compares its properties by identity
 * renders only what has changed.
 */

/** Names of fields and indexes of lists, from the outside in. */
export type Place = readonly (string | number)[];

export type Patch =
  /** An absent value takes the field away. */
  | { readonly kind: 'set'; readonly at: Place; readonly value?: unknown }
  /** Keeps the text up to `from`, then adds `add`. */
  | { readonly kind: 'text'; readonly at: Place; readonly from: number; readonly add: string }
  /** So many elements of the list at `at` go, others come in their place. */
  | {
      readonly kind: 'list';
      readonly at: Place;
      readonly start: number;
      readonly gone: number;
      readonly come: readonly unknown[];
    };

/** In the order in which they are applied. Both must be plain data; an undefined field counts as an absent one. */
export function findPatches(before: unknown, after: unknown): readonly Patch[] {
  const patches: Patch[] = [];
  compare(before, after, [], patches);
  return patches;
}

export function applyPatches<T>(state: T, patches: readonly Patch[]): T {
  return patches.reduce<unknown>((value, patch) => applyAt(value, patch, 0), state) as T;
}

function compare(before: unknown, after: unknown, at: Place, patches: Patch[]): void {
  if (before === after) return;
  if (typeof before === 'string' && typeof after === 'string') patches.push(textPatch(before, after, at));
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, at, patches);
  else if (isRecord(before) && isRecord(after) && before.id === after.id)
    compareFields(before, after, at, patches);
  else patches.push({ kind: 'set', at, value: after });
}

function compareFields(before: Fields, after: Fields, at: Place, patches: Patch[]): void {
  for (const name of Object.keys(after))
    compare(Object.hasOwn(before, name) ? before[name] : undefined, after[name], [...at, name], patches);
  for (const name of Object.keys(before)) {
    if (before[name] !== undefined && !Object.hasOwn(after, name))
      patches.push({ kind: 'set', at: [...at, name] });
  }
}

/** Compares one by one the elements between those that are the same at both ends. */
function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  at: Place,
  patches: Patch[],
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const rest = shorter - end;
  for (; start < rest; start++) compare(before[start], after[start], [...at, start], patches);
  const gone = before.length - end - rest;
  const come = after.slice(rest, after.length - end);
  if (gone > 0 || come.length > 0) patches.push({ kind: 'list', at, start: rest, gone, come });
}

/** When a text grows at its end, or only its newest part is kept, only the added text is sent. */
function textPatch(before: string, after: string, at: Place): Patch {
  const from = before === '' ? -1 : before.indexOf(after.slice(0, Math.min(recognised, before.length)));
  const kept = before.length - from;
  // Parts of flat strings share their memory and are compared as blocks, whatever their length.
  if (from < 0 || after.slice(0, kept) !== before.slice(from)) return { kind: 'set', at, value: after };
  return { kind: 'text', at, from, add: after.slice(kept) };
}

/** So many characters of a text say where it began before. */
const recognised = 200;

function applyAt(value: unknown, patch: Patch, depth: number): unknown {
  if (depth === patch.at.length) return changed(value, patch);
  const name = patch.at[depth]!;
  if (Array.isArray(value)) return value.with(Number(name), applyAt(value[Number(name)], patch, depth + 1));
  const fields = value as Fields;
  return { ...fields, [name]: applyAt(fields[name], patch, depth + 1) };
}

function changed(value: unknown, patch: Patch): unknown {
  switch (patch.kind) {
    case 'set':
      return patch.value;
    case 'text':
      return `${String(value).slice(patch.from)}${patch.add}`;
    case 'list':
      return (value as readonly unknown[]).toSpliced(patch.start, patch.gone, ...patch.come);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
