import { expect, test } from 'vitest';
import { editorChecks } from '../../../src/extension/node/checks/editorChecks.ts';
import type { Diagnostic, DiagnosticReader } from '../../../src/extension/platform/diagnostics.ts';
import { noDiagnostics } from '../../support/absentPorts.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { loadTestParser } from '../../support/shellParser.ts';

const ofTool: Diagnostic = { severity: 'error', line: 1, message: 'Of a tool.' };
const ofSyntax = { severity: 'error', line: 1, message: 'This does not read as valid syntax.' };
const { signal } = new AbortController();

function checksWith(tools: Partial<DiagnosticReader>): DiagnosticReader {
  const files = new MemoryFileSystem({ '/w/a.py': 'def :\n' });
  return editorChecks({ ...noDiagnostics, ...tools }, { files, grammars: loadTestParser });
}

test('what was known before an edit is what tools and the syntax said', async () => {
  const checks = checksWith({ read: async () => [ofTool] });
  expect(await checks.read('/w/a.py', signal)).toEqual([ofTool, ofSyntax]);
});

test('after it the syntax counts only where no tool has spoken', async () => {
  const spoken = checksWith({ settle: async () => [ofTool] });
  expect(await spoken.settle('/w/a.py', signal)).toEqual([ofTool]);
  const silent = checksWith({ settle: async () => undefined });
  expect(await silent.settle('/w/a.py', signal)).toEqual([ofSyntax]);
});
