/* JSON reports, parsed as a whole: Istanbul's coverage and V8's CPU profiles. */

import { fieldsOf, isRecord, textOrEmpty } from '../../base/record.ts';
import { Coverage, type CoveredFile, type Profile, type ProfileNode, ReportError } from './report.ts';

export function parseReportJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ReportError('It is no complete JSON: its program may not have ended. Make it again.');
  }
}

/** @param text of a coverage-final.json. A statement counts for the line of its start. */
export function parseIstanbul(text: string): readonly CoveredFile[] {
  const coverage = new Coverage();
  for (const [path, file] of Object.entries(fieldsOf(parseReportJson(text)))) {
    const { statementMap, s } = fieldsOf(file);
    const counts = fieldsOf(s);
    const least = new Map<number, number>();
    for (const [id, place] of Object.entries(fieldsOf(statementMap))) {
      const line = Number(fieldsOf(fieldsOf(place).start).line);
      const hits = Number(counts[id]);
      // A line with several statements is covered if all are.
      if (Number.isInteger(line) && hits >= 0) least.set(line, Math.min(hits, least.get(line) ?? hits));
    }
    for (const [line, hits] of least) coverage.add(path, line, hits);
  }
  return coverage.all;
}

/** @param text of a .cpuprofile, as Node, Chromium and VS Code write it */
export function parseCpuProfile(text: string): Profile {
  const { nodes: given, samples, timeDeltas } = fieldsOf(parseReportJson(text));
  if (!Array.isArray(given) || !Array.isArray(samples)) throw new ReportError('It has no nodes and samples.');
  const places = new Map<string, { name: string; path: string; line: number }>();
  const nodes = new Map<number, ProfileNode>();
  for (const node of given.filter(isRecord)) {
    const { key, place } = functionOfFrame(node.callFrame);
    places.set(key, place);
    const children = Array.isArray(node.children) ? node.children.map(Number) : [];
    nodes.set(Number(node.id), { key, children, self: 0 });
  }
  const deltas: readonly unknown[] = Array.isArray(timeDeltas) ? timeDeltas : [];
  for (const [at, id] of samples.entries()) {
    const node = nodes.get(Number(id));
    // The time until the next sample is attributed to this node.
    if (node) node.self += Math.max(0, Number(deltas[at + 1] ?? 0));
  }
  const sums = sumByFunction(nodes, places, Number(fieldsOf(given[0]).id));
  return { format: 'CPU profile', measure: 'microseconds', of: '', ...sums };
}

/** Returns the function of a call frame, and a key for it. */
export function functionOfFrame(callFrame: unknown) {
  const { functionName, url, lineNumber } = fieldsOf(callFrame);
  const place = {
    name: textOrEmpty(functionName) || '(anonymous)',
    path: textOrEmpty(url),
    line: Number(lineNumber) + 1,
  };
  return { key: `${place.name}\0${place.path}\0${place.line}`, place };
}

export function sumByFunction(
  nodes: ReadonlyMap<number, ProfileNode>,
  places: ReadonlyMap<string, { readonly name: string; readonly path: string; readonly line: number }>,
  root: number,
): Pick<Profile, 'total' | 'functions'> {
  const sums = new Map<string, { self: number; total: number }>();
  /** Number of occurrences of a function on the path from the root: recursion counts once. */
  const open = new Map<string, number>();
  const totals = new Map<number, number>();
  // Iterative, since stacks may be deep.
  const stack: { readonly id: number; readonly isEnd: boolean }[] = [{ id: root, isEnd: false }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { id, isEnd } = top;
    const node = nodes.get(id);
    if (!node || (!isEnd && totals.has(id))) continue;
    if (!isEnd) {
      totals.set(id, node.self);
      open.set(node.key, (open.get(node.key) ?? 0) + 1);
      stack.push({ id, isEnd: true });
      for (const child of node.children) stack.push({ id: child, isEnd: false });
      continue;
    }
    const total = node.children.reduce((sum, child) => sum + (totals.get(child) ?? 0), node.self);
    totals.set(id, total);
    const depth = open.get(node.key)! - 1;
    open.set(node.key, depth);
    const sum = sums.get(node.key) ?? { self: 0, total: 0 };
    sums.set(node.key, { self: sum.self + node.self, total: sum.total + (depth === 0 ? total : 0) });
  }
  const functions = [...sums].map(([key, sum]) => ({ ...places.get(key)!, ...sum }));
  return { total: totals.get(root) ?? 0, functions };
}
