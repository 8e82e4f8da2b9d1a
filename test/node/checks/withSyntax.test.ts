import { expect, test } from 'vitest';
import { withSyntax } from '../../../src/extension/node/checks/withSyntax.ts';
import type { Diagnostic } from '../../../src/extension/platform/diagnostics.ts';
import { noDiagnostics } from '../../support/absentPorts.ts';

const ofTool: Diagnostic = { severity: 'error', line: 1, message: 'Of a tool.' };
const ofSyntax: Diagnostic = { severity: 'error', line: 2, message: 'Of the syntax.' };
const syntax = { check: async () => [ofSyntax] };
const { signal } = new AbortController();

test('what was known before an edit is what tools and the syntax said', async () => {
  const checks = withSyntax({ ...noDiagnostics, read: async () => [ofTool] }, syntax);
  expect(await checks.read('a.py', signal)).toEqual([ofTool, ofSyntax]);
});

test('after it the syntax counts only where no tool has spoken', async () => {
  const spoken = withSyntax({ ...noDiagnostics, settle: async () => [ofTool] }, syntax);
  expect(await spoken.settle('a.py', signal)).toEqual([ofTool]);
  const silent = withSyntax({ ...noDiagnostics, settle: async () => undefined }, syntax);
  expect(await silent.settle('a.py', signal)).toEqual([ofSyntax]);
});
