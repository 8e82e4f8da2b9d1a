import { describe, expect, it } from 'vitest';
import { findProtection } from '../../src/extension/core/protectedPaths.ts';
import { isUserBinFolder } from '../../src/extension/node/processes/programs.ts';
import type { WorldCase } from './report.ts';

/** The title is a path as Windows writes it, relative to the workspace. */
const cases: readonly (WorldCase & { readonly kind: 'sealed' | 'asks' | 'open' })[] = [
  { title: '.GIT\\hooks\\pre-commit', source: 'report', kind: 'sealed' },
  { title: 'sub\\.git\\config', source: 'report', kind: 'sealed' },
  { title: 'GIT~1\\config', source: 'report', kind: 'sealed' },
  { title: '.env.', source: 'report', kind: 'asks' },
  { title: '.ENV::$DATA', source: 'report', kind: 'asks' },
  { title: 'config\\.env .', source: 'trial', kind: 'asks' },
  { title: '.VSCODE\\Tasks.json', source: 'report', kind: 'asks' },
  { title: 'src\\a.ts', source: 'report', kind: 'open' },
];

describe('files are protected under each name that Windows has for them', () => {
  it.each(cases)('$kind: $title', ({ title, kind }) => {
    expect(findProtection(title, 'write')?.kind ?? 'open').toBe(kind);
  });

  it.each(['.LOCAL\\Bin', '.local/bin'])('tools of the user are known in either case: %s', inside => {
    expect(isUserBinFolder(inside)).toBe(true);
  });
});
