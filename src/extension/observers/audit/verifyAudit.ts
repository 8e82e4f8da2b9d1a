import { readFile } from 'node:fs/promises';
import { errorCode } from '../../base/errors.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';
import { hashFileOf, hashOf, zeroHash } from './auditLog.ts';

type AuditCheck =
  | { readonly ok: true; readonly entries: number; readonly hash: string; readonly ended: boolean }
  /** `line` counts from 1. */
  | { readonly ok: false; readonly line: number; readonly why: string };

/** Rejects if the file cannot be read. */
export async function verifyAudit(path: string): Promise<AuditCheck> {
  const text = await readFile(path, 'utf8');
  const lines = text.split('\n');
  if (lines.pop() !== '') return { ok: false, line: lines.length + 1, why: 'the line has no end' };
  let hash = zeroHash;
  const hashes: string[] = [];
  for (const [at, line] of lines.entries()) {
    const why = problemOf(line, at + 1, hash);
    if (why !== undefined) return { ok: false, line: at + 1, why };
    hash = hashOf(line);
    hashes.push(hash);
  }
  const head = await readHead(path);
  const last = lines.length;
  if (!head) return { ok: false, line: last, why: `${hashFileOf(path)} does not say which line is the last` };
  // A process may be killed between writing the two files, so the log may be longer than its head says, but never
  // shorter.
  if (head.seq > last) return { ok: false, line: last, why: `the lines up to ${head.seq} are missing` };
  if (hashes[head.seq - 1] !== head.hash)
    return { ok: false, line: head.seq, why: 'it is not the line that was written' };
  return { ok: true, entries: last, hash, ended: parse(lines.at(-1) ?? '')?.event === 'log.ended' };
}

export function describeCheck(path: string, check: AuditCheck): string {
  if (!check.ok) return `${path} was changed: line ${check.line}: ${check.why}.`;
  const { entries, hash, ended } = check;
  const end = ended ? '' : ' Its process did not end it, or still runs.';
  return `${path} is as it was written: ${entries} entries, the last with the hash ${hash}.${end}`;
}

function problemOf(line: string, seq: number, prev: string): string | undefined {
  const entry = parse(line);
  if (!entry) return 'it is not an entry';
  if (entry.prev !== prev)
    return 'it does not follow the line before it, which was changed, removed or moved';
  return entry.seq === seq ? undefined : `it says that it is entry ${String(entry.seq)}`;
}

async function readHead(path: string): Promise<{ readonly seq: number; readonly hash: string } | undefined> {
  const text = await readFile(hashFileOf(path), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  });
  const head = parse(text);
  if (typeof head?.seq !== 'number' || head.seq < 1 || typeof head.hash !== 'string') return undefined;
  return { seq: head.seq, hash: head.hash };
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  const value = tryParseJson(line);
  return isRecord(value) ? value : undefined;
}
