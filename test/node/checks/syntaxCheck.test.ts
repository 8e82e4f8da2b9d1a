import { describe, expect, test } from 'vitest';
import { fileChecks } from '../../../src/extension/headless/checks/fileChecks.ts';
import { syntaxCheck } from '../../../src/extension/node/checks/syntaxCheck.ts';
import { readGrammar } from '../../../src/extension/node/grammarFiles.ts';
import { loadShellParser } from '../../../src/extension/shell/shellParser.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { homeOfTests, loadTestParser } from '../../support/shellParser.ts';

const parser = await loadTestParser();

async function check(name: string, text: string | Uint8Array) {
  const files = new MemoryFileSystem({ [`/w/${name}`]: text });
  const checks = fileChecks(files, [syntaxCheck({ files, grammars: async () => parser })]);
  const found = await checks.settle(`/w/${name}`, new AbortController().signal);
  return (found ?? []).map(({ line, message }) => [line, message]);
}

describe('the syntax of a file', () => {
  test.each([
    ['a.json', '{"a": [1, 2]}\n'],
    ['tsconfig.json', '{\n  // why\n  "a": 1,\n}\n'],
    ['.vscode/settings.json', '{ "a": 1, }\n'],
    ['a.yaml', 'a: 1\n---\nb: !Ref x\n'],
    ['empty.yml', ''],
    ['a.toml', '[a]\nb = 1\n'],
    ['a.sh', '#!/bin/bash\nif [ -f a ]; then\n  echo "$(cat a)"\nfi\n'],
    ['a.ps1', 'if ($a) {\n  Write-Output "b"\n}\n'],
    ['a.vue', 'const = ;\n'],
    ['Makefile', '\t{"a"\n'],
  ])('of %s that is right, or of a language that nobody knows here, is no problem', async (name, text) => {
    expect(await check(name, text)).toEqual([]);
  });

  test('is told with the line of the problem, and without the column, which moves', async () => {
    expect(await check('a.json', '{\n  "a": [1 2]\n}\n')).toEqual([[2, "invalid character '2'"]]);
    expect(await check('a.yaml', 'a: [1,\nb: 2\n')).toEqual([
      [2, 'Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ]);
    expect(await check('a.toml', 'a = 1\nb = \n')).toEqual([[2, 'Invalid TOML document: invalid value']]);
  });

  test('of scripts is told by the grammars that commands are read with', async () => {
    const bash = await check('a.sh', 'echo one\nif [ -f a ]; then\n  echo two\n');
    expect(bash).toHaveLength(1);
    expect(bash[0]![1]).toMatch(/^(Probably "fi" is missing|This does not read as valid syntax)/);
    const powershell = await check('a.ps1', 'Write-Output "a"\nif ($a {\n  "b"\n}\n');
    expect(powershell.length).toBeGreaterThan(0);
  });

  test.each([
    ['a.py', 'def f(a):\n    return [a, *a]\n', 'def f(a:\n    return [a, *a]\n'],
    ['a.js', 'const view = <b>{`${a ?? 1}`}</b>;\n', 'const view = <b>{`${a ?? 1}`}</i;\n'],
    ['a.ts', 'export type A<T extends B = C> = T[] | null;\n', 'export type A<T extends = C> = T[] | ;\n'],
    ['a.tsx', 'const f = <T,>(a: T) => <b {...a}>x</b>;\n', 'const f = <T,>(a: T) => <b {...a}>x</b;\n'],
    ['a.go', 'package a\n\nfunc f[T any](a T) {}\n', 'package a\n\nfunc f[T any(a T) {}\n'],
    ['a.java', 'record A(int b) { int c() { return b; } }\n', 'record A(int b) { int c( { return b; } }\n'],
    ['a.rs', "fn f<'a>(a: &'a str) -> &'a str { a }\n", "fn f<'a>(a: &'a str) -> { a \n"],
    [
      'a.cs',
      'class A { int B => 1; async Task C() { await D(); } }\n',
      'class A { int B => ; async Task C( { await D(); } }\n',
    ],
    ['a.rb', 'def f(a:, **b)\n  a&.c do |d| d end\nend\n', 'def f(a:, **b)\n  a&.c do |d| d end\n'],
    [
      'a.php',
      '<?php\nfunction f(?int $a): int { return $a ?? 1; }\n',
      '<?php\nfunction f(?int $a: int { return $a ?? 1; }\n',
    ],
  ])('of %s is told by a grammar that Folio brings', async (name, right, wrong) => {
    expect(await check(name, right)).toEqual([]);
    const found = await check(name, `${right}${wrong}`);
    expect(found).not.toEqual([]);
    for (const [line, message] of found) {
      expect(Number(line)).toBeGreaterThan(0);
      expect(message).toMatch(/^(Probably ".+" is missing|This does not read as valid syntax)\.$/);
    }
  });

  test('of many scripts reads each grammar once, since the library never gives its room back', async () => {
    const read: string[] = [];
    const own = await loadShellParser({
      readGrammar: file => {
        read.push(file);
        return readGrammar(file);
      },
      home: homeOfTests,
      shells: ['bash'],
    });
    const scripts = ['if ($a {', 'Write-Output "a"', 'if ($b {'];
    const found = await Promise.all(scripts.map(script => own.findSyntaxErrors(script, 'powershell')));
    expect(found.map(each => each.length > 0)).toEqual([true, false, true]);
    // The library itself is started once for all parsers of the process.
    const grammars = read.filter(name => name !== 'web-tree-sitter.wasm');
    expect(grammars).toEqual(['tree-sitter-bash.wasm', 'tree-sitter-powershell.wasm']);
  });

  test('of JSON with comments is a problem only where no program reads them', async () => {
    expect(await check('package.json', '{ "a": 1, }\n')).toEqual([
      [undefined, 'This is no strict JSON: it holds comments, a trailing comma or the like.'],
    ]);
  });

  test('of a file that is not there, or no text, is nobody’s business', async () => {
    const files = new MemoryFileSystem({});
    const check = syntaxCheck({ files, grammars: async () => parser });
    expect(await check.check('/w/none.json', new AbortController().signal)).toEqual([]);
  });
});
