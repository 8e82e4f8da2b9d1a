import { describe, expect, it } from 'vitest';
import { findReachedTests } from '../../scripts/testing/reach.ts';
import { readSources } from '../support/sourceFiles.ts';

const sources = [
  { path: 'src/a.ts', text: "export const a = 1;\nexport { b } from './b.ts';" },
  { path: 'src/b.ts', text: 'export const b = 2;' },
  { path: 'src/extension/headless.ts', text: "import { b } from '../b.ts';" },
  { path: 'src/webview/main.tsx', text: "import './main.css';" },
  { path: 'test/a.test.ts', text: "import { a } from '../src/a.ts';" },
  { path: 'test/lazy.test.ts', text: "const { b } = await import('../src/b.ts');" },
  { path: 'test/support/headlessRun.ts', text: "resolve(import.meta.dirname, '../../dist/headless.cjs')" },
  { path: 'test/headless/run.test.ts', text: "import '../support/headlessRun.ts';" },
  { path: 'test/support/panelServer.ts', text: "entryPoints: ['src/webview/main.tsx']" },
  { path: 'test/panel/panel.spec.ts', text: "import '../support/panelServer.ts';" },
  { path: 'test/layers.test.ts', text: "await readSources('src');" },
  { path: 'test/docs.test.ts', text: "join(repositoryRoot, 'docs', 'api.md')" },
];

describe('the tests that a change can reach', () => {
  it('are those that import it, also through others, and those that read its folder', () => {
    expect(findReachedTests(sources, ['src/b.ts'])).toEqual([
      'test/a.test.ts',
      'test/headless/run.test.ts',
      'test/layers.test.ts',
      'test/lazy.test.ts',
    ]);
  });

  it('are those that use a bundle or a page that it is built into', () => {
    expect(findReachedTests(sources, ['src/extension/headless.ts'])).toEqual([
      'test/headless/run.test.ts',
      'test/layers.test.ts',
    ]);
    expect(findReachedTests(sources, ['src/webview/main.css'])).toEqual([
      'test/layers.test.ts',
      'test/panel/panel.spec.ts',
    ]);
  });

  it('are those that name a page or its folder, and no other', () => {
    expect(findReachedTests(sources, ['docs/api.md'])).toEqual(['test/docs.test.ts']);
    expect(findReachedTests(sources, ['media/api.svg'])).toEqual([]);
  });

  it('are the changed tests themselves', () => {
    expect(findReachedTests(sources, ['test/new.test.ts'])).toEqual(['test/new.test.ts']);
  });

  it('are all of them when it concerns how everything is built', () => {
    for (const path of ['package.json', 'package-lock.json', 'esbuild.mjs', 'vitest.panel.config.ts'])
      expect(findReachedTests(sources, [path])).toBe('everything');
  });

  it('hold in this project: a style reaches the panel, a tool reaches the headless runs, a page of docs little', async () => {
    const real = (await Promise.all(['src', 'test', 'scripts'].map(readSources))).flat();
    const style = findReachedTests(real, ['src/webview/review/review.css']);
    expect(style).toContain('test/panel/review.spec.ts');
    expect(style).toContain('test/workbench/scenario.spec.ts');
    expect(style).not.toContain('test/headless/headless.test.ts');
    const tool = findReachedTests(real, ['src/extension/tools/readFile.ts']);
    expect(tool).toContain('test/headless/headless.test.ts');
    expect(tool).toContain('test/workbench/scenario.spec.ts');
    expect(tool).not.toContain('test/panel/review.spec.ts');
    expect(findReachedTests(real, ['docs/api.md'])).toContain('test/vscode/api/docs.test.ts');
    expect(findReachedTests(real, ['docs/review.md']).length).toBeLessThan(20);
  });
});
