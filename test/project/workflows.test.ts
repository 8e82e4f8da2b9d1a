import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { options } from '../../src/extension/headless/options.ts';
import { readText, repositoryRoot } from '../support/sourceFiles.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: object;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: unknown; readonly steps: readonly Step[] }>
  >;
}

const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await loadParser();
const folder = '.github/workflows';
const files = await readdir(join(repositoryRoot, folder));

test('there is a workflow for changes and one for releases', () => {
  expect(files.toSorted()).toEqual(['ci.yml', 'release.yml']);
});

describe.each(files)('%s', file => {
  test("is a workflow by GitHub's own schema", async () => {
    expect(await errorsOf(file, await readText(`${folder}/${file}`))).toEqual([]);
  });

  test('runs only npm scripts that are there', async () => {
    const { scripts } = JSON.parse(await readText('package.json'));
    const named = (await stepsOf(file)).flatMap(({ run }) => npmScriptsIn(run ?? ''));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(name => !(name in scripts))).toEqual([]);
  });

  test('pins what it uses, reads and nothing more, and shows a secret only to the step that needs it', async () => {
    const text = await readText(`${folder}/${file}`);
    const { on, permissions, jobs }: Workflow = parse(text);
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.values(jobs).map(job => job.permissions)).toEqual(Object.values(jobs).map(() => undefined));
    expect(Object.keys(on)).not.toContain('pull_request_target');
    const steps = await stepsOf(file);
    for (const { uses } of steps)
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@(v\d+|[0-9a-f]{40})$/);
    const shown = steps
      .flatMap(({ env }) => Object.values(env ?? {}))
      .filter(value => /secrets\./.test(value));
    expect(text.match(/secrets\./g)?.length ?? 0).toBe(shown.length);
  });
});

describe('templates for a CI', () => {
  const templates = ['folio-issue.github.yml', 'folio-tasks.github.yml', 'folio.gitlab-ci.yml'];

  test.each(templates.slice(0, 2))('%s follows the schema, and pins what it uses', async name => {
    const text = await readText(`docs/ci/${name}`);
    expect(await errorsOf(name, text)).toEqual([]);
    const { permissions, jobs }: Workflow = parse(text);
    expect(permissions).toEqual({ contents: 'read' });
    for (const { uses, run } of Object.values(jobs).flatMap(({ steps }) => steps)) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
      // What others write would become a part of the command.
      expect(run ?? '').not.toContain('${{');
    }
  });

  test('the one for GitLab is YAML with a job for each task and its artifact', async () => {
    const { folio } = parse(await readText('docs/ci/folio.gitlab-ci.yml'));
    expect(folio).toMatchObject({
      parallel: { matrix: [{ TASK: expect.any(Array) }] },
      artifacts: { when: 'always', paths: ['session.jsonl'] },
      script: expect.any(Array),
    });
  });

  test.each(templates)('%s runs Folio with options that there are', async name => {
    const text = JSON.stringify(parse(await readText(`docs/ci/${name}`)));
    const [run = ''] = /headless\.cjs(?:[^"\\]|\\.)*/.exec(text) ?? [];
    const named = [...run.matchAll(/ --([\w-]+)/g)].map(([, option = '']) => option);
    expect(named).toContain('session-file');
    expect(named.filter(option => !(option in options))).toEqual([]);
  });
});

test('a mistake in a workflow is seen', async () => {
  const text = await readText(`${folder}/ci.yml`);
  expect(await errorsOf('ci.yml', text.replace('runs-on:', 'run-on:'))).not.toEqual([]);
  expect(await errorsOf('ci.yml', text.replace('matrix.os }}', 'matrix.os |}'))).not.toEqual([]);
});

/** The package imports JSON as only bundlers do, so it is bundled first. */
async function loadParser(): Promise<typeof import('@actions/workflow-parser')> {
  const scratch = await mkdtemp(join(tmpdir(), 'folio-workflows-'));
  try {
    const outfile = join(scratch, 'parser.mjs');
    const entryPoints = ['@actions/workflow-parser'];
    await build({
      entryPoints,
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'browser',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function errorsOf(name: string, content: string): Promise<readonly string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(error => error.message);
}

async function stepsOf(file: string): Promise<readonly Step[]> {
  const { jobs }: Workflow = parse(await readText(`${folder}/${file}`));
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

/** `npm test` and `npm run NAME`; `npm ci` is npm's own. */
function npmScriptsIn(run: string): readonly string[] {
  return [...run.matchAll(/\bnpm (?:run ([\w:]+)|(test|start)\b)/g)].map(match => match[1] ?? match[2]!);
}
