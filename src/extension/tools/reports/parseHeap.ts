/* Parses V8's memory reports: allocation samples and heap snapshots. */

import { fieldsOf, isRecord, textOrEmpty } from '../../base/record.ts';
import { functionOfFrame, parseReportJson, sumByFunction } from './parseJson.ts';
import { type HeapRow, type Profile, type ProfileNode, ReportError } from './report.ts';

/** @param text of a .heapprofile: samples of allocations that are still live */
export function parseHeapProfile(text: string): Profile {
  const { head } = fieldsOf(parseReportJson(text));
  if (!isRecord(head)) throw new ReportError('It has no functions.');
  const places = new Map<string, ReturnType<typeof functionOfFrame>['place']>();
  const nodes = new Map<number, ProfileNode>();
  const waiting: Readonly<Record<string, unknown>>[] = [head];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { key, place } = functionOfFrame(node.callFrame);
    places.set(key, place);
    const children = Array.isArray(node.children) ? node.children.filter(isRecord) : [];
    const self = Math.max(0, Number(node.selfSize) || 0);
    nodes.set(Number(node.id), { key, children: children.map(({ id }) => Number(id)), self });
    waiting.push(...children);
  }
  return {
    format: 'heap profile',
    measure: 'bytes',
    of: '',
    ...sumByFunction(nodes, places, Number(head.id)),
  };
}

/**
 * @param text of a .heapsnapshot
 * @returns the objects by their constructor
 */
export function parseHeapSnapshot(text: string): {
  readonly total: number;
  readonly rows: readonly HeapRow[];
} {
  const { snapshot, nodes, strings } = fieldsOf(parseReportJson(text));
  const { node_fields: names, node_types: types } = fieldsOf(fieldsOf(snapshot).meta);
  if (![nodes, strings, names, types].every(Array.isArray)) throw new ReportError('It has no objects.');
  const [given, words] = [nodes as readonly unknown[], strings as readonly unknown[]];
  const fields = names as readonly unknown[];
  const kinds: readonly unknown[] = (types as readonly unknown[])[0] as readonly unknown[];
  const [type, name, size] = ['type', 'name', 'self_size'].map(each =>
    fields.indexOf(each),
  ) as unknown as Columns;
  if (Math.min(type, name, size) < 0 || !Array.isArray(kinds)) throw new ReportError('It has no objects.');
  const detached = fields.indexOf('detachedness');
  const rows = new Map<string, { count: number; bytes: number }>();
  let total = 0;
  for (let at = 0; at + fields.length <= given.length; at += fields.length) {
    const kind = textOrEmpty(kinds[Number(given[at + type])]);
    const isDetached = detached >= 0 && given[at + detached] === 2;
    const own = kind === 'object' || kind === 'native' ? textOrEmpty(words[Number(given[at + name])]) : '';
    const key = `${isDetached && !own.startsWith('Detached') ? 'Detached ' : ''}${own || `(${kind})`}`;
    const bytes = Number(given[at + size]) || 0;
    const row = rows.get(key) ?? { count: 0, bytes: 0 };
    rows.set(key, { count: row.count + 1, bytes: row.bytes + bytes });
    total += bytes;
  }
  return { total, rows: [...rows].map(([of, row]) => ({ name: of, ...row })) };
}

type Columns = readonly [type: number, name: number, size: number];
