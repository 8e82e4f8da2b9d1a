/* Formats the accessibility tree as lines of text. Each element has a stable reference. */

import { headOf } from '../../base/text.ts';

export interface AxNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly value?: { readonly value: unknown };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
  readonly childIds?: readonly string[];
  readonly parentId?: string;
  readonly backendDOMNodeId?: number;
}

/** Roles without a line of their own. Their children take their place. */
const passedOver = new Set([
  ...['none', 'generic', 'presentation', 'InlineTextBox', 'LineBreak', 'ListMarker'],
  ...['LabelText', 'MenuListPopup', 'SvgRoot'],
]);
const shownStates = [
  'level',
  'checked',
  'pressed',
  'selected',
  'expanded',
  'disabled',
  'required',
  'invalid',
  'focused',
];
const nameLimit = 200;

/** @param refOf returns the reference of a DOM node */
export function formatPageOutline(
  nodes: readonly AxNode[],
  refOf: (backendNodeId: number, words: string) => string,
  framesAt: ReadonlyMap<number, readonly AxNode[]> = new Map(),
): readonly string[] {
  const byId = new Map(nodes.map(node => [node.nodeId, node]));
  const lines: string[] = [];
  // Uses a loop, since deeply nested pages would overflow the stack.
  const open = nodes
    .filter(({ parentId }) => parentId === undefined || !byId.has(parentId))
    .map(node => ({ node, depth: 0, above: '' }))
    .reverse();
  while (open.length > 0) {
    const { node, depth, above } = open.pop()!;
    const role = node.role?.value ?? '';
    const name = headOf((node.name?.value ?? '').replace(/\s+/g, ' ').trim(), nameLimit);
    const isText = role === 'StaticText';
    const isOwn =
      !node.ignored && !passedOver.has(role) && !(isText && (name === '' || above.includes(name)));
    if (isOwn)
      lines.push(
        `${'  '.repeat(Math.min(depth, 20))}- ${isText ? `text: ${name}` : describe(node, role, name, refOf)}`,
      );
    if (role === 'InlineTextBox' || isText) continue;
    const inner = isOwn ? depth + 1 : depth;
    const children = (node.childIds ?? []).flatMap(id => byId.get(id) ?? []);
    for (const child of children.reverse())
      open.push({
        node: child,
        depth: inner,
        above: isOwn ? `${name} ${String(node.value?.value ?? '')}` : above,
      });
    const frame = node.backendDOMNodeId === undefined ? undefined : framesAt.get(node.backendDOMNodeId);
    if (frame)
      for (const line of formatPageOutline(frame, refOf, framesAt))
        lines.push(`${'  '.repeat(Math.min(inner, 20))}${line}`);
  }
  return lines;
}

function describe(
  { value, properties = [], backendDOMNodeId }: AxNode,
  role: string,
  name: string,
  refOf: (backendNodeId: number, words: string) => string,
): string {
  const states = properties.flatMap(({ name: state, value: { value: is } }) => {
    if (!shownStates.includes(state) || is === false || is === 'false' || is === undefined) return [];
    if (state === 'focused' && role === 'RootWebArea') return [];
    return is === true || is === 'true' ? [state] : [`${state}=${String(is)}`];
  });
  const shownRole = role === 'RootWebArea' ? 'document' : role;
  const words = name === '' ? shownRole : `${shownRole} ${JSON.stringify(name)}`;
  const text =
    value?.value === undefined || value.value === ''
      ? []
      : [`value=${JSON.stringify(headOf(String(value.value), nameLimit))}`];
  const ref = backendDOMNodeId === undefined ? [] : [`[${refOf(backendDOMNodeId, words)}]`];
  return [words, ...ref, ...text, ...states].join(' ');
}

/**
 * Lines that are new (`+`), removed (`-`) or changed (`~`) for the same element. A change of focus alone does not
 * count.
 */
export function diffOutlines(before: readonly string[], after: readonly string[]): readonly string[] {
  const added = without(before, after);
  const refs = new Set(added.map(refIn));
  const gone = without(after, before).filter(line => refIn(line) === undefined || !refs.has(refIn(line)));
  const known = new Set(before.map(refIn));
  const sign = (line: string) => (refIn(line) !== undefined && known.has(refIn(line)) ? '~' : '+');
  return [...gone.map(line => `- ${wordsOf(line)}`), ...added.map(line => `${sign(line)} ${wordsOf(line)}`)];
}

/** Lines that occur more often than in `others`. */
function without(others: readonly string[], lines: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of others.map(plain)) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter(line => {
    const count = left.get(plain(line)) ?? 0;
    left.set(plain(line), count - 1);
    return count <= 0;
  });
}

function plain(line: string): string {
  return wordsOf(line).replace(/ focused$/, '');
}

function wordsOf(line: string): string {
  return line.trim().slice(2);
}

function refIn(line: string): string | undefined {
  return / \[(e\d+)\](?: |$)/.exec(line)?.[1];
}

/** @param more tells how to see the rest */
export function truncateLines(lines: readonly string[], limit: number, more: string): string {
  let length = 0;
  const shown = lines.findIndex(line => {
    length += line.length + 1;
    return length > limit;
  });
  if (shown < 0) return lines.join('\n');
  return [
    ...lines.slice(0, shown),
    `[${lines.length - shown} of ${lines.length} lines left out: ${more}]`,
  ].join('\n');
}
