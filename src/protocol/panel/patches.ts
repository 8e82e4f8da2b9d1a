/*
 * Finds the differences between two states with structural sharing, and applies them. The host finds patches, the page
 * applies them; neither depends on the shape of a session.
 *
 *   state ──► findPatches(known, state) ──► [{ at: ['chapters', 3, …, 'text'], add: 'more' }] ──► applyPatches(known, …)
 *
 * Finding skips identical objects, so its cost grows with the differences. Applying copies only the objects on the path
 * to each change, so components that compare properties by identity render only what has changed.
 */

/** Path of field names and list indexes from the root. */
type PatchPath = readonly (string | number)[];

export type Patch =
  /** Sets a field. An absent value removes it. */
  | { readonly kind: 'set'; readonly at: PatchPath; readonly value?: unknown }
  /** Keeps the text up to `from`, then appends `add`. */
  | { readonly kind: 'text'; readonly at: PatchPath; readonly from: number; readonly add: string }
  /** Replaces elements of the list at `at`. */
  | {
      readonly kind: 'list';
      readonly at: PatchPath;
      readonly start: number;
      readonly gone: number;
      readonly come: readonly unknown[];
    };

/** Returns patches in the order to apply. Both states must be plain data; undefined fields count as absent. */
export function findPatches(before: unknown, after: unknown): readonly Patch[] {
  const patches: Patch[] = [];
  compare(before, after, [], patches);
  return patches;
}

export function applyPatches<T>(state: T, patches: readonly Patch[]): T {
  return patches.reduce<unknown>((value, patch) => applyAt(value, patch, 0), state) as T;
}

function compare(before: unknown, after: unknown, at: PatchPath, patches: Patch[]): void {
  if (before === after) return;
  if (typeof before === 'string' && typeof after === 'string') patches.push(textPatch(before, after, at));
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, at, patches);
  else if (isRecord(before) && isRecord(after) && before.id === after.id)
    compareFields(before, after, at, patches);
  else patches.push({ kind: 'set', at, value: after });
}

function compareFields(before: Fields, after: Fields, at: PatchPath, patches: Patch[]): void {
  for (const name of Object.keys(after))
    compare(Object.hasOwn(before, name) ? before[name] : undefined, after[name], [...at, name], patches);
  for (const name of Object.keys(before)) {
    if (before[name] !== undefined && !Object.hasOwn(after, name))
      patches.push({ kind: 'set', at: [...at, name] });
  }
}

/** Skips identical elements at both ends and compares the others one by one. */
function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  at: PatchPath,
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

/** Sends only the added text if a text grew at its end or was cut at its start. */
function textPatch(before: string, after: string, at: PatchPath): Patch {
  const from = before === '' ? -1 : before.indexOf(after.slice(0, Math.min(recognised, before.length)));
  const kept = before.length - from;
  // Slices of flat strings share memory and are compared as blocks, so this is cheap for long texts.
  if (from < 0 || after.slice(0, kept) !== before.slice(from)) return { kind: 'set', at, value: after };
  return { kind: 'text', at, from, add: after.slice(kept) };
}

/** Characters by which the old start of a text is found. */
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
