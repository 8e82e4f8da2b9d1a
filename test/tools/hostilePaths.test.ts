import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ToolFailure } from '../../src/extension/core/tool.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { createMentionFiles } from '../../src/extension/tools/createMentionFiles.ts';
import { allTests } from '../support/eachTest.ts';
import { type PolicyOptions, PolicyWorld } from '../support/policyWorld.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import { type ToolBench, toolBench } from '../support/toolBench.ts';

/** Arguments of a tool whose values are paths, by the names that they have. */
const pathLike = /path$|^path|_dir|^dir|folder|^files?$|^include$/;

/** What every tool takes beside its paths. A new argument that must be given wants a line here. */
const fillers: Readonly<Record<string, unknown>> = {
  pattern: 'secret',
  content: 'x',
  instruction: 'x',
  old_string: 'x',
  new_string: 'y',
  command: 'ls',
  name: 'secret',
  new_name: 'open',
  operations: [{ op: 'delete', cell: 1 }],
};

/** Places outside of the workspace, however they are written; `%` is the folder that holds the workspace. */
const outside = [
  '..',
  '../outside/secret.txt',
  'src/../../outside/secret.txt',
  '%/outside/secret.txt',
  'link-out',
  'link-out/secret.txt',
  'link-file',
  'link-chain/secret.txt',
  '/',
  '/etc/passwd',
  '//etc/passwd',
  '/etc/../etc/passwd',
  '~',
  '~/.ssh/id_rsa',
  '~root/.bashrc',
  '/proc/self/environ',
  '/proc/self/cwd/../outside/secret.txt',
  '/dev/sda',
  '/dev/null',
  '\\\\server\\share\\x',
  '//server/share/x',
  '\\\\?\\C:\\x',
  '\\\\.\\PhysicalDrive0',
  'C:\\Windows\\win.ini',
  'c:/windows/win.ini',
  '%/WORKSPACE/../outside/secret.txt',
  '%/workspace-other/x',
  '%/Workspace/src/a.ts',
  'link-circle',
  'nul\0byte',
] as const;

let bench: ToolBench;
let world: PolicyWorld;
const call = allTests(() => RecordingCall.make());

beforeAll(async () => {
  const options: PolicyOptions = {
    files: {
      'workspace/src/a.ts': 'const secret = 1;\n',
      'workspace/.env': 'secret=1\n',
      'workspace/config/.env.local': 'secret=2\n',
      'workspace/.env.example': 'secret=\n',
      'workspace/keys/server.pem': 'secret\n',
      'workspace/.ssh/config': 'secret\n',
      'workspace/config/config': 'secret of no concern\n',
      'outside/secret.txt': 'secret\n',
      'workspace-other/x': 'secret\n',
    },
  };
  world = await PolicyWorld.make(options);
  await world.link('../outside', 'workspace/link-out');
  await world.link('../outside/secret.txt', 'workspace/link-file');
  await world.link('link-out', 'workspace/link-chain');
  await world.link('link-circle', 'workspace/link-circle');
  bench = toolBench(world);
});
afterAll(async () => {
  await Promise.all([world.dispose(), bench.dispose()]);
});

function parametersOf(tool: (typeof bench.tools)[number]): readonly { name: string; isList: boolean }[] {
  const schema = z.toJSONSchema(tool.input()) as { properties?: Record<string, { type?: string }> };
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => pathLike.test(name))
    .map(([name, { type }]) => ({ name, isList: type === 'array' }));
}

function argumentsOf(tool: (typeof bench.tools)[number], name: string, value: unknown) {
  const schema = z.toJSONSchema(tool.input()) as { required?: readonly string[] };
  const others = (schema.required ?? []).filter(each => each !== name);
  const unknown = others.filter(each => !(each in fillers) && !pathLike.test(each));
  if (unknown.length > 0)
    throw new Error(`Say in this test what ${tool.name} takes for ${unknown.join(', ')}.`);
  return { ...Object.fromEntries(others.map(each => [each, fillers[each] ?? 'src/a.ts'])), [name]: value };
}

/** As the scheduler does it: the tool prepares, then the policy classifies. `undefined`: neither said no. */
async function refusalOf(tool: (typeof bench.tools)[number], args: unknown): Promise<string | undefined> {
  try {
    const { target } = await call.prepare(tool, args);
    const { name, effect } = tool;
    const verdict = await world.policy.classify({
      tool: name,
      effect,
      args,
      mode: 'yolo',
      ...(target && { target }),
    });
    return verdict.kind === 'allow' ? undefined : verdict.reason();
  } catch (error) {
    if (error instanceof ToolFailure) return error.message;
    throw error;
  }
}

describe('every tool that takes a path', () => {
  it('is known: those without one are these', () => {
    const without = bench.tools.filter(tool => parametersOf(tool).length === 0).map(({ name }) => name);
    expect(without.sort()).toEqual([
      'activate_skill',
      'ask_user',
      'create_new_topic',
      'enter_plan_mode',
      'exit_plan_mode',
      'google_web_search',
      'recall_chapter',
      'save_memory',
      'send_input',
      'web_fetch',
      'write_todos',
    ]);
  });

  it('reaches what lies in the workspace', async () => {
    for (const tool of bench.tools) {
      for (const { name, isList } of parametersOf(tool)) {
        const place = name.startsWith('dir') ? 'src' : tool.effect === 'edit' ? 'src/new.ts' : 'src/a.ts';
        // What only changes what is there has nothing to do in a new file.
        if (['edit_notebook', 'rename_symbol', 'apply_code_action'].includes(tool.name)) continue;
        const args = {
          ...argumentsOf(tool, name, isList ? [place] : place),
          ...(tool.name === 'replace' && { old_string: '' }),
        };
        expect(await refusalOf(tool, args), `${tool.name} ${name}`).toBeUndefined();
      }
    }
  });

  it.each(outside)('is kept from %j', async hostile => {
    const path = hostile.replace('%', world.root);
    for (const tool of bench.tools) {
      for (const { name, isList } of parametersOf(tool)) {
        const said = await refusalOf(tool, argumentsOf(tool, name, isList ? ['src/a.ts', path] : path));
        expect(said, `${tool.name} ${name}`).toMatch(/outside|is not supported|cannot be used|NUL/);
      }
    }
  });

  it.each([
    '.env',
    'config/.env.local',
    './src/../.env',
    '.ENV',
    '.env.',
    '.env::$DATA',
    'keys/server.pem',
    '.ssh',
    '.ssh/config',
  ])('asks before it touches %j, or does not touch it, whatever the mode', async path => {
    for (const tool of bench.tools.filter(({ effect }) => effect === 'read' || effect === 'edit')) {
      for (const { name, isList } of parametersOf(tool)) {
        const args = argumentsOf(tool, name, isList ? [path] : path);
        // An edit of what does not fit has nothing to ask about.
        if (tool.effect === 'edit' && (path === '.ssh' || ['replace', 'edit_notebook'].includes(tool.name)))
          continue;
        expect(await refusalOf(tool, args), `${tool.name} ${name}`).toMatch(/may hold secrets/);
      }
    }
  });
});

describe('what looks at many files', () => {
  const use = async (name: string, args: unknown) => {
    const tool = bench.tools.find(each => each.name === name);
    return call.use(tool!, args);
  };

  it('leaves protected ones out of a search, without a word of what is in them', async () => {
    for (const args of [
      { pattern: 'secret', no_ignore: true },
      { pattern: 'secret', no_ignore: true, names_only: true },
      { pattern: 'secret', no_ignore: true, total_max_matches: 3 },
    ]) {
      const { text } = await use('grep_search', args);
      expect(text).not.toMatch(/\.env(?!\.example)|server\.pem|\.ssh/);
      expect(text).toContain('src/a.ts');
      expect(text).toContain('config/config');
    }
    const { text } = await use('grep_search', {
      pattern: 'secret=[12]',
      no_ignore: true,
      total_max_matches: 1,
    });
    expect(text).toMatch(/^No match .* not at all\.$/);
  });

  it('leaves them out of a list of files and says how many', async () => {
    const { text } = await use('glob', { pattern: '**/*', respect_git_ignore: false });
    expect(text).toContain('(4 protected files left out)');
    expect(text).not.toMatch(/\.env(?!\.example)|server\.pem|\.ssh/);
    await expect(use('glob', { pattern: '../**' })).resolves.toMatchObject({
      display: { summary: 'No files' },
    });
  });

  it('reads them only when they are named', async () => {
    const { text } = await use('read_many_files', { include: ['**/*'] });
    expect(text).not.toMatch(/secret=[12]/);
    expect(text).toContain('.env: protected, name it alone');
    expect((await use('read_many_files', { include: ['.env'] })).text).toContain('secret=1');
  });

  it('takes no mention of them', async () => {
    const files = createMentionFiles({
      files: new NodeFileSystem(),
      search: new NodeSearch(),
      paths: world.gate,
    });
    expect(await files.find('.env')).toMatchObject({
      kind: 'file',
      leftOutBy: 'Folio, because it is protected',
    });
    expect(await files.find('src/a.ts')).toMatchObject({ kind: 'file', leftOutBy: undefined });
    expect(await files.find('link-out/secret.txt')).toMatchObject({ kind: 'refused' });
    const listed = await files.list(world.workspace, new AbortController().signal);
    expect(listed.join('\n')).not.toMatch(/\.env(?!\.example)|server\.pem|\.ssh/);
  });
});
