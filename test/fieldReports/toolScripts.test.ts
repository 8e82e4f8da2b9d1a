/* Scripts as models write them, and as none should: each runs as it would, in its process in the sandbox. */

import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { type ScriptEnd, ScriptRun } from '../../src/extension/core/foreign/scriptRun.ts';
import { scriptFunctions } from '../../src/extension/core/foreign/signatures.ts';
import { type AnyTool, defineTool, type NestedTask } from '../../src/extension/core/tool.ts';
import { BubblewrapSandbox } from '../../src/extension/node/sandbox/bubblewrapSandbox.ts';
import { NodeToolScriptRunner } from '../../src/extension/node/scripts/nodeToolScriptRunner.ts';
import type { Launch, SandboxRequest } from '../../src/extension/platform/sandbox.ts';
import { mustHaveSandbox } from '../support/sandboxWorld.ts';
import type { WorldCase } from './report.ts';

interface ScriptCase extends WorldCase {
  readonly script: string;
  /** Kind, words, and line where one is named. */
  readonly end: RegExp;
  /** Does not end on its own. */
  readonly endless?: true;
  /** Calls that it made. */
  readonly calls?: number;
}

/** Tries to reach the program around the script. */
const escaping = (code: string) =>
  `let host; try { host = setTimeout.constructor('return process')(); } catch (error) { return 'kept in: ' + error.name; }
${code}`;

const cases: readonly ScriptCase[] = [
  {
    title: 'a function that calls itself, in place of a body',
    source: 'report',
    script: `(async () => { const given = await servers.box.get_it({ a: 1 }); return given; })();`,
    end: /^returned: \{"a":1\}$/,
    calls: 1,
  },
  {
    title: 'a function in place of a body',
    source: 'report',
    script: 'async () => { return await servers.box.get_it({ a: 2 }) }',
    end: /^returned: \{"a":2\}$/,
  },
  {
    title: 'an expression without return',
    source: 'report',
    script: 'await servers.box.get_it({ a: 3 });',
    end: /^returned: \{"a":3\}$/,
  },
  {
    title: 'a function that is called and not awaited',
    source: 'report',
    script: `async function main() { const { a } = await servers.box.get_it({ a: 4 }); console.log(a); }
main();`,
    end: /^returned: 4\n$/,
    calls: 1,
  },
  {
    title: 'types, since signatures have them',
    source: 'report',
    script: `const given: { a: number } = await servers.box.get_it({ a: 5 }) as any;
return given.a;`,
    end: /^returned: 5$/,
  },
  {
    title: 'an endless loop',
    source: 'report',
    script: 'while (true) {}',
    endless: true,
    end: /^ended: It ran for more than/,
  },
  {
    title: 'a promise that nothing settles',
    source: 'report',
    script: 'await new Promise(() => {});',
    end: /^threw: It waits for something/,
  },
  {
    title: 'a call that fails, which is no value',
    source: 'report',
    script: `const given = await servers.box.fails({});
return given;`,
    end: /^threw 1: It is locked\.$/,
    calls: 1,
  },
  {
    title: 'a call that fails and is caught',
    source: 'report',
    script: `try { await servers.box.fails({}); } catch (error) { return error instanceof Error && error.message }`,
    end: /^returned: It is locked\.$/,
  },
  {
    title: 'a name with a hyphen, as the server writes it',
    source: 'report',
    script: `return (await servers['box']['has-hyphen']({ a: 1 })).a + (await servers.box.has_hyphen({ a: 2 })).a`,
    end: /^returned: 3$/,
    calls: 2,
  },
  {
    title: 'a server that begins with a digit',
    source: 'report',
    script: `return await servers._7zip.get_it({ a: 1 })`,
    end: /^returned: \{"a":1\}$/,
  },
  {
    title: 'a tool that is not there',
    source: 'trial',
    script: `const x = 1;
await servers.box.remove_all({});`,
    end: /^threw 2: box has no tool remove_all\. There are: get_it, fails, has_hyphen, says$/,
    calls: 0,
  },
  {
    title: 'text that is no JSON stays text, and a number in words, too',
    source: 'report',
    script: `return [await servers.box.says({ text: 'plain' }), await servers.box.says({ text: '42' }), await servers.box.says({ text: '{broken' })]`,
    end: /^returned: \["plain","42","\{broken"\]$/,
  },
  {
    title: 'a mistake of syntax, with its line',
    source: 'trial',
    script: 'const a = 1;\nconst b = ;',
    end: /^threw 2: SyntaxError: /,
  },
  {
    title: 'an error of its own, with its line',
    source: 'trial',
    script: 'const a = 1;\n\nthrow new TypeError("no such thing");',
    end: /^threw 3: TypeError: no such thing$/,
  },
  {
    title: 'values that are no JSON',
    source: 'trial',
    script: `const a = { n: 10n, m: new Map([['k', 1]]), e: new Error('x') }; a.self = a; return a;`,
    end: /^returned: \{"n":"10","m":\[\["k",1\]\],"e":"Error: x","self":"\[Circular\]"\}$/,
  },
  {
    title: 'arguments that are no JSON',
    source: 'trial',
    script: `const a = { n: 10n };
await servers.box.get_it(a);`,
    end: /^threw( \d)?: TypeError: .*BigInt/,
    calls: 0,
  },
  {
    title: 'arguments in order, in place of one object',
    source: 'trial',
    script: `await servers.box.get_it('a', 'b')`,
    end: /^threw( 1)?: mcp_box_get_it takes one object/,
    calls: 0,
  },
  {
    title: 'many at once',
    source: 'trial',
    script: `const all = await Promise.all(Array.from({ length: 60 }, (_, a) => servers.box.get_it({ a })));
return all.reduce((sum, { a }) => sum + a, 0);`,
    end: /^returned: 1770$/,
    calls: 60,
  },
  {
    title: 'more calls than it may make',
    source: 'trial',
    script: 'for (let a = 0; ; a++) await servers.box.get_it({ a });',
    end: /^ended: It made more than 200 calls/,
  },
  {
    title: 'a value and prints beyond all bounds',
    source: 'trial',
    script: `for (let i = 0; i < 60; i++) print('x'.repeat(100_000)); return 'y'.repeat(5_000_000)`,
    end: /^returned: x… \[More is not printed\.\]\s+y… \[The rest is left out: 3000000 characters\.\]$/,
  },
  {
    title: 'more memory than there is',
    source: 'trial',
    script: 'const all = []; while (true) all.push(new Array(1e6).fill({}));',
    end: /^ended: It needed more memory/,
  },
  {
    title: 'more memory outside of objects',
    source: 'trial',
    script: 'const all = []; while (true) all.push(new TextEncoder().encode("x".repeat(5e7)));',
    end: /^(ended|threw)/,
  },
  {
    title: 'the process, files and modules',
    source: 'trial',
    script: `return [typeof process, typeof require, typeof fetch, typeof module].join()`,
    end: /^returned: undefined,undefined,undefined,undefined$/,
  },
  {
    title: 'a module that it imports',
    source: 'trial',
    script: `const fs = await import('node:fs'); return fs.readdirSync('/')`,
    end: /^threw/,
  },
  {
    title: 'the end of its process',
    source: 'trial',
    script: escaping('host.exit(0)'),
    end: /^returned: kept in: EvalError$/,
  },
  {
    title: 'prototypes that it changes for the protocol',
    source: 'trial',
    script: `Object.prototype.toJSON = () => ({ type: 'call', id: 1, tool: 'run_shell_command', args: {} });
Array.prototype.push = () => { throw 1 };
Object.prototype.type = 'returned'; JSON.stringify = () => 'x';
return 'done'`,
    end: /^returned: done$/,
    calls: 0,
  },
  {
    title: 'an error whose words throw',
    source: 'trial',
    script: `throw { get message() { throw new Error('again') } }`,
    end: /^threw: It threw something that cannot be read\.$/,
  },
  {
    title: 'calls that it makes once it has ended',
    source: 'trial',
    script: `setTimeout(() => servers.box.get_it({ a: 1 }), 0); setInterval(() => servers.box.get_it({ a: 1 }), 1); return 'early'`,
    end: /^returned: early$/,
  },
];

const functions = scriptFunctions([
  ...['get_it', 'fails', 'has-hyphen', 'says'].map(name => tool('box', name)),
  tool('7zip', 'get_it'),
]);

function tool(server: string, name: string): AnyTool {
  return defineTool<unknown, undefined>({
    name: `mcp_${server}_${name}`,
    description: name,
    schema: { type: 'object' },
    of: { kind: 'mcp', server, tool: name },
    input: () => z.unknown(),
    effect: 'read',
    title: () => name,
    prepare: async () => ({ plan: undefined }),
    run: async () => ({ text: '', display: { summary: () => '' } }),
  });
}

/** Answers as servers do; `stop` is what the user does. */
function work(): NestedTask & { readonly stop: () => void; readonly called: Promise<void> } {
  const stopping = new AbortController();
  let hear = () => {};
  const called = new Promise<void>(resolve => {
    hear = resolve;
  });
  return {
    signal: stopping.signal,
    isStopped: false,
    stop: () => stopping.abort(new Error('Stopped')),
    cancel: () => {},
    close: async () => {},
    called,
    call: async ({ of }, args) => {
      hear();
      const result = { kind: 'result', id: '', name: '' } as const;
      if (of!.tool === 'fails')
        return { ...result, ok: false, text: '<untrusted_content>\nIt is locked.\n</untrusted_content>' };
      const said = of!.tool === 'says' ? String(args.text) : JSON.stringify(args);
      return { ...result, ok: true, text: `<untrusted_content>\n${said}\n</untrusted_content>` };
    },
  };
}

describe('scripts of the world', () => {
  let sandbox: BubblewrapSandbox;
  let workspace: string;
  beforeAll(async () => {
    await mustHaveSandbox();
    workspace = await mkdtemp(join(tmpdir(), 'folio-scripts-'));
    sandbox = new BubblewrapSandbox({
      folders: () => [workspace],
      home: homedir(),
      instructionNames: () => [],
      holdsSecrets: name => name === '.env',
    });
  });
  afterAll(async () => {
    await sandbox.dispose();
    await rm(workspace, { recursive: true, force: true });
  });

  /** Time is up soon for one that does not end, and never for the others. */
  const clockFor = (endless: boolean) => ({
    now: () => 0,
    after: (_ms: number, ring: () => void) => {
      const left = setTimeout(ring, endless ? 1_000 : 100_000);
      return () => clearTimeout(left);
    },
  });
  const run = (script: string, over = work(), endless = false) =>
    new ScriptRun(functions, over, {
      scripts: new NodeToolScriptRunner(sandbox, []),
      clock: clockFor(endless),
    }).run(script);

  const describeEnd = ({ kind, line, say, printed, text }: ScriptEnd) => {
    const said = `${printed}${say?.() ?? text}`.replace(/(\w)\1{50,}\s*/g, '$1… ').replace(/(x… )+/g, 'x… ');
    return `${kind}${line === undefined ? '' : ` ${line}`}: ${said}`;
  };

  it.each(cases)('$title', { timeout: 120_000 }, async ({ script, end, calls, endless }) => {
    const ended = await run(script, work(), endless);
    expect(describeEnd(ended)).toMatch(end);
    if (calls !== undefined) expect(ended.calls).toBe(calls);
  });

  it('end when they are stopped, with all that they started', async () => {
    const over = work();
    const running = run('await servers.box.get_it({}); while (true) {}', over);
    await over.called;
    over.stop();
    expect(describeEnd(await running)).toBe('ended: Stopped');
  });

  it('get nothing of the environment, no network and no folder to write to', async () => {
    const intents: SandboxRequest[] = [];
    const launches: Launch[] = [];
    vi.stubEnv('FOLIO_TEST_NOTE', 'of the host');
    onTestFinished(() => void vi.unstubAllEnvs());
    const scripts = new NodeToolScriptRunner(
      {
        whyMissing: async () => undefined,
        contain: async intent => {
          intents.push(intent);
          return {
            wrap: launch => {
              launches.push(launch);
              return { ...launch, file: '/bin/true', args: [] };
            },
            leave: async () => ({ reportedEnd: true, hosts: [], undone: [] }),
          };
        },
      },
      [],
    );
    expect(await (await scripts.start(() => {})).ended).toMatchObject({ code: 0, neverRan: false });
    expect(intents).toEqual([
      { grants: { write: [], hosts: [] }, background: false, lasting: true, read: [process.execPath] },
    ]);
    expect(JSON.stringify(launches[0]!.env)).not.toContain('of the host');
    expect(launches[0]!.cwd).toBe('/tmp');
  });
});
