/*
 * Summarises coverage files and profiles, of which few lines matter. `read_file` does this, since the declaration of a
 * separate tool would add to every request.
 */

import { formatBytes } from '../../base/text.ts';
import { type Report, ReportError } from './report.ts';

export type ReportFormat =
  | 'lcov'
  | 'Istanbul'
  | 'Cobertura'
  | 'Go cover'
  | 'CPU profile'
  | 'pprof'
  | 'heap profile'
  | 'heap snapshot';

/** Bytes. Parsing as a whole takes many times the size in memory and blocks the window. */
const limits = { byLine: 256 * 1024 * 1024, asWhole: 64 * 1024 * 1024 };

/** How to make a file smaller that is parsed as a whole. */
const advice: Partial<Record<ReportFormat, string>> = {
  'CPU profile': 'Profile a shorter time.',
  pprof: 'Profile a shorter time.',
  'heap profile': 'Profile a shorter time.',
  'heap snapshot': 'Take it with less in memory, or sample a heap profile instead.',
};

/** Detects the format by the usual file names, without opening the file. */
export function reportFormatOf(path: string): ReportFormat | undefined {
  const name = path.replaceAll('\\', '/').split('/').at(-1)!.toLowerCase();
  if (/^lcov.*\.info$|\.lcov$/.test(name) || name === 'coverage.info') return 'lcov';
  if (/^coverage-final\.json$/.test(name)) return 'Istanbul';
  if (/^(?:.*cobertura.*|coverage)\.xml$/.test(name)) return 'Cobertura';
  if (/^(?:cover|coverage|c)\.out$|\.coverprofile$/.test(name)) return 'Go cover';
  if (/\.(?:pb\.gz|pprof|prof)$/.test(name)) return 'pprof';
  if (name.endsWith('.heapprofile')) return 'heap profile';
  if (name.endsWith('.heapsnapshot')) return 'heap snapshot';
  return name.endsWith('.cpuprofile') ? 'CPU profile' : undefined;
}

/**
 * Throws `ReportError`.
 * @returns `undefined` if the file only has such a name
 */
export async function parseReport(
  format: ReportFormat,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Report | undefined> {
  const isWhole = format === 'Istanbul' || advice[format] !== undefined;
  const limit = isWhole ? limits.asWhole : limits.byLine;
  if (bytes.length > limit)
    throw new ReportError(
      `It has ${formatBytes(bytes.length)}; at most ${formatBytes(limit)} are read. ${
        advice[format] ?? 'Write it as lcov, or for fewer files.'
      }`,
    );
  const text = () => new TextDecoder().decode(bytes);
  const { parseHeapProfile, parseHeapSnapshot } = await import('./parseHeap.ts');
  const { parseCpuProfile, parseIstanbul } = await import('./parseJson.ts');
  if (format === 'CPU profile') return { kind: 'profile', ...parseCpuProfile(text()) };
  if (format === 'heap profile') return { kind: 'profile', ...parseHeapProfile(text()) };
  if (format === 'heap snapshot') return { kind: 'heap', format, ...parseHeapSnapshot(text()) };
  if (format === 'pprof') {
    const { parsePprof } = await import('./parsePprof.ts');
    const profile = await parsePprof(bytes, limit, signal);
    return profile && { kind: 'profile', ...profile };
  }
  const { parseCobertura, parseGoCover, parseLcov } = await import('./parseLines.ts');
  const parsers = { lcov: parseLcov, Cobertura: parseCobertura, 'Go cover': parseGoCover };
  const { files, isCut } =
    format === 'Istanbul'
      ? { files: parseIstanbul(text()), isCut: false }
      : await parsers[format](bytes, signal);
  return files.length === 0 ? undefined : { kind: 'coverage', format, files, isCut };
}
