import { randomBytes } from 'node:crypto';
import type { WorktreeStart } from '../../platform/worktrees.ts';

/** @param base `.` or nothing: the current files; `HEAD`; otherwise a branch, tag or commit */
export function parseStart(base: string | undefined): WorktreeStart {
  if (base === undefined || base === '.') return { kind: 'seen' };
  return base === 'HEAD' ? { kind: 'head' } : { kind: 'ref', ref: base };
}

export function defaultWorktreeName(): string {
  return `work-${randomBytes(3).toString('hex')}`;
}
