/* Adding a server as a user does, by steps or by a command, with real servers and real files. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { serverAccess } from '../../src/extension/compose/serverAccess.ts';
import {
  askServerDetails,
  type ServerAnswers,
  type ServerDialogs,
} from '../../src/extension/core/commands/servers/askServerDetails.ts';
import { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import { Customizations } from '../../src/extension/core/customizations/customizations.ts';
import { NodeCustomFiles } from '../../src/extension/node/customizations/customFiles.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { MemorySecrets } from '../../src/extension/node/memorySecrets.ts';
import { SeenItemsFile } from '../../src/extension/node/settings/seenItemsFile.ts';
import { NodeSettingsDocuments } from '../../src/extension/node/settings/settingsDocuments.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import { runCommand, type SurfaceMembers, tableWith } from '../support/commandBench.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { mcpWorld, noSandbox, packaged } from './support/mcpWorld.ts';

/** Knows what it holds. */
class NotedSecrets extends MemorySecrets {
  readonly names = new Set<string>();

  override async keep(name: string, value: string): Promise<void> {
    this.names.add(name);
    await super.keep(name, value);
  }

  override async drop(name: string): Promise<void> {
    this.names.delete(name);
    await super.drop(name);
  }
}

const log = { debug() {}, info() {}, warn() {}, error() {} };
const secret = 'tide-key-0123456789';

let folder: string;
let home: string;
let work: string;
let gate: string;
let secrets: NotedSecrets;
let all: Customizations;
let around: Partial<SurfaceMembers>;

beforeEach(async () => {
  folder = await temporaryFolder('folio-add-');
  [home, work] = [join(folder, 'home'), join(folder, 'work')];
  await mkdir(home);
  await mkdir(work);
  // Starts only for who knows its key.
  gate = join(folder, 'the gate.mjs');
  const program = packaged('@modelcontextprotocol/server-memory/dist/index.js');
  await writeFile(
    gate,
    `if (process.env.TIDE_KEY !== ${JSON.stringify(secret)}) { console.error('wrong key ' + process.env.TIDE_KEY); process.exit(3); }\nawait import(${JSON.stringify(program)});\n`,
  );
  secrets = new NotedSecrets();
  all = new Customizations({
    files: new NodeCustomFiles({ home, folders: () => [work] }, new NodeSettingsDocuments()),
    consent: new ConsentService(SeenItemsFile.ofUser(home), () => true),
    disabled: () => [],
  });
  around = makeSurface();
});

function makeSurface(env: Readonly<Record<string, string>> = {}): Partial<SurfaceMembers> {
  const access = serverAccess({
    files: new NodeFileSystem(),
    all,
    log,
    home,
    secrets,
    clock: new SystemClock(),
    env: { PATH: process.env.PATH, ...env },
    sandbox: noSandbox,
    folders: () => [work],
    version: '0.0.0-test',
    servers: () => undefined,
    shorten: path => path,
  });
  return {
    place: () => ({ home: join(home, '.gemini'), extra: [], trusted: true, folders: [work], names: [] }),
    servers: async () => access,
  };
}

const run = (text: string) => runCommand(text, tableWith(), around);
const textOf = (place: string) => readFile(join(place, '.gemini', 'settings.json'), 'utf8');

/** A user who answers each step with the next of these; the questions are noted. */
function user(answers: readonly string[], asked: string[] = []): ServerDialogs {
  const left = [...answers];
  return {
    pick: async (title, choices) => {
      asked.push(title);
      return choices.find(({ value }) => value === left[0] && left.shift())?.value;
    },
    enter: async question => {
      asked.push(question.title);
      const answer = left.shift();
      expect(answer === undefined ? undefined : question.findFault(answer)).toBeUndefined();
      return answer;
    },
  };
}

describe('a server that is added by steps', () => {
  test('is started, written without its secret, let run, and starts with what was kept', async () => {
    const asked: string[] = [];
    const command = `"${process.execPath}" "${gate}"`;
    // The name that is derived is that of another server.
    const answers = ['stdio', command, `TIDE_KEY=${secret}`, 'tides', 'project'];
    const words = await askServerDetails(user(answers, asked), true, [basename(process.execPath)]);
    expect(asked).toEqual([
      'Add a server: how it is reached',
      'Add a server: its command',
      'Add a server: variables, if it needs any',
      'Add a server: its name',
      'Add the server tides: where it is kept',
    ]);
    const [said, ...more] = await run(`/mcp add ${words}`);
    expect(more).toEqual([]);
    expect(said).toMatch(
      /^The server tides is added and works\. Secrets are in the secret storage, not in the file\. It is active in this workspace and is stored in .+settings\.json\.$/,
    );
    const written = await textOf(work);
    expect(written).not.toContain(secret);
    expect(JSON.parse(written)).toEqual({
      mcpServers: {
        tides: { command: process.execPath, args: [gate], env: { TIDE_KEY: '${input:tides-tide_key}' } },
      },
    });
    await all.refresh();
    expect(all.of('server')).toMatchObject([{ name: 'tides', origin: { kind: 'workspace' } }]);
    const world = await mcpWorld({ secrets, home, folders: () => [work] });
    onTestFinished(() => world.end());
    world.servers.set(all.list);
    await world.until('tides', 'ready');
    expect(secrets.names.size).toBe(1);
    expect((await run('/mcp remove tides'))[0]).toContain('was removed from');
    expect(secrets.names.size).toBe(0);
  });

  test('has a derived name that can be changed, and must be if it is taken, and nothing happens when the user leaves', async () => {
    const values: string[] = [];
    const faults: (string | undefined)[] = [];
    const questions: ServerDialogs = {
      pick: async (_title, choices) => choices[1]?.value,
      enter: async ({ title, value, findFault }) => {
        if (!title.endsWith('its name')) return value.replace(/^https:..$/, 'https://issues.example/mcp');
        values.push(value);
        faults.push(findFault('issues.example'), findFault('issues'));
        return undefined;
      },
    };
    expect(await askServerDetails(questions, true, ['issues.example'])).toBeUndefined();
    expect(values).toEqual(['issues.example']);
    expect(faults).toEqual(['There is already a server issues.example. Type another name.', undefined]);
    expect(
      await askServerDetails(user(['stdio', 'npx -y @tides/server@1.2 --all']), false, []),
    ).toBeUndefined();
  });

  test.each([
    ['stdio', 'npx -y tide-server', 'TIDE_KEY=wool-4711', 'project'],
    ['sse', 'https://issues.example/mcp', 'Authorization: Bearer wool-4711', 'user'],
  ])('is asked for again with everything that was typed: %s', async (transport, target, more, scope) => {
    const known: ServerAnswers = {};
    const words = await askServerDetails(user([transport, target, more, 'tides', scope]), true, [], known);
    // Accepts whatever is filled in, or first.
    const questions: ServerDialogs = {
      pick: async (_title, choices, { active, typing }) => {
        typing?.keep(typing.value);
        const present = typing ? typing.choiceFor(typing.value) : active;
        expect(choices.some(({ value }) => value === present)).toBe(true);
        return present;
      },
      enter: async ({ value }) => value,
    };
    expect(words).toContain('4711');
    expect(await askServerDetails(questions, true, [], known)).toBe(words);
  });

  test('is named anew when another program was typed, unless the name was changed', async () => {
    const known: ServerAnswers = {};
    const names = async (target: string, name?: string) => {
      let offered = '';
      const dialogs = user(['stdio', target, '']);
      const enter: ServerDialogs['enter'] = async question => {
        if (!question.title.endsWith('its name')) return dialogs.enter(question);
        offered = question.value;
        return name ?? offered;
      };
      await askServerDetails({ ...dialogs, enter }, false, [], known);
      return offered;
    };
    expect(await names('npx -y tides')).toBe('tides');
    expect(await names('npx -y waves', 'sea')).toBe('waves');
    expect(await names('npx -y winds')).toBe('sea');
  });

  /** Pastes the text where the kind is asked for, and accepts whatever is suggested. */
  async function paste(typed: string, hasFolder = false) {
    const asked: string[] = [];
    const questions: ServerDialogs = {
      pick: async (title, choices, { typing }) => {
        asked.push(title);
        typing?.keep(typed);
        return choices.find(({ value }) => !typing || value === typing.choiceFor(typed))?.value;
      },
      enter: async ({ title, value }) => {
        asked.push(title);
        return value;
      },
    };
    return { words: await askServerDetails(questions, hasFolder, []), asked: asked.slice(1) };
  }

  const itsName = 'Add a server: its name';
  const variables = 'Add a server: variables, if it needs any';

  test.each([
    ['npx -y @tides/server@1.2', 'stdio', 'server', variables],
    ['node /srv/tides/dist/index.js', 'stdio', 'tides', variables],
    ['https://issues.example/mcp', 'http', 'issues.example', 'Add a server: a header, if it needs one'],
  ])(
    'that is typed where its kind is asked for is not asked for again: %s',
    async (typed, transport, name, step) => {
      const { words, asked } = await paste(typed);
      expect(words?.replaceAll('"', '')).toBe(`--transport ${transport} --scope user ${name} -- ${typed}`);
      expect(asked).toEqual([step, itsName]);
    },
  );

  test('that is pasted with the command that adds it to an agent is asked only for its place, if that is missing', async () => {
    const line = '--transport http issues https://issues.example/mcp';
    const place = 'Add the server issues: where it is kept';
    expect(await paste(`claude mcp add ${line}`, true)).toEqual({
      words: `--scope user ${line}`,
      asked: [place],
    });
    expect(await paste(`/mcp add ${line} --scope project`, true)).toEqual({
      words: `${line} --scope project`,
      asked: [],
    });
    const refused = '--scope local tides npx -y tide-server';
    expect(await paste(`mcp add ${refused}`, true)).toEqual({ words: refused, asked: [] });
    expect(await paste('mcp-add npx', true)).toMatchObject({
      asked: [variables, itsName, expect.stringContaining('mcp-add')],
    });
  });
});

describe('/mcp add', () => {
  const memory = () => `${process.execPath} ${packaged('@modelcontextprotocol/server-memory/dist/index.js')}`;

  test('takes the options of a terminal and keeps what stands in the file', async () => {
    await mkdir(join(home, '.gemini'));
    await writeFile(join(home, '.gemini', 'settings.json'), '{\n  // mine\n  "theme": "dark"\n}\n');
    const options =
      '-s user --timeout 5000 --trust --description "My notes" --include-tools a,b -e REGION=north';
    const [said] = await run(`/mcp add ${options} notes ${memory()} --all -x`);
    expect(said).toContain('The server notes is added');
    expect(await textOf(home)).toContain('\n  // mine\n  "theme": "dark"\n}');
    const { mcpServers } = JSON.parse((await textOf(home)).replace('// mine', ''));
    const [command, program] = memory().split(' ');
    expect(mcpServers.notes).toEqual({
      command,
      args: [program, '--all', '-x'],
      env: { REGION: 'north' },
      timeout: 5000,
      trust: true,
      description: 'My notes',
      includeTools: ['a', 'b'],
    });
    expect((await run(`/mcp add -s user notes ${memory()}`))[0]).toContain('already has a server');
    expect((await run('/mcp remove nots'))[0]).toBe('nots was not found. Did you mean notes?');
    expect((await run('/mcp remove notes'))[0]).toContain('was removed from');
    expect(await textOf(home)).toContain('// mine');
    expect(await textOf(home)).not.toContain('notes');
  });

  test('writes nothing for a server that does not start, unless it is told to', async () => {
    const [refused] = await run(`/mcp add tides "${process.execPath}" "${gate}"`);
    expect(refused).toMatch(/^The server tides was not added: .+ Use --unchecked to add it anyway\.$/);
    const missing = await run(`/mcp add tides "${process.execPath}" "${join(home, 'gone.js')}"`);
    expect(missing[0]).toContain(`Error: Cannot find module '${join(home, 'gone.js')}'.`);
    const [wrong] = await run(
      `/mcp add -e TIDE_KEY=another-0123456789 tides "${process.execPath}" "${gate}"`,
    );
    expect(wrong).toMatch(/^The server tides was not added: .*wrong key /s);
    expect(wrong).not.toContain('another-0123456789');
    expect(secrets.names.size).toBe(0);
    await expect(textOf(home)).rejects.toMatchObject({ code: 'ENOENT' });
    const [said] = await run(`/mcp add --unchecked tides "${process.execPath}" "${gate}"`);
    expect(said).toContain('The server tides is added. It is active in all your workspaces and is stored in');
  });

  test('leads to the page of servers, which says it, but still warns of a readable secret', async () => {
    const pages: string[] = [];
    around = { ...around, showPage: async page => pages.push(page) > 0 };
    expect(await run('/mcp add --unchecked tides npx -y tide-server')).toEqual([]);
    expect(JSON.parse(await textOf(home)).mcpServers).toHaveProperty('tides');
    const [warned] = await run(`/mcp add --unchecked waves npx --api-key=${secret}`);
    expect(warned).toContain('is stored in the file as plain text');
    expect(pages).toEqual(['mcp', 'mcp']);
    expect((await run('/mcp add tides npx -y tide-server'))[0]).toContain('already has a server');
    expect(pages).toHaveLength(2);
  });

  test('takes the words of another agent, at each transport and scope', async () => {
    await run('/mcp add --unchecked --transport http sentry https://mcp.example/mcp');
    await run('/mcp add --unchecked --transport sse --scope project atlas https://mcp.example/v1/sse');
    await run(
      '/mcp add --unchecked --transport stdio --scope user click --env A=1 --env B=2 -- npx -y click',
    );
    const inWork = JSON.parse(await textOf(work)).mcpServers;
    expect(inWork).toEqual({ atlas: { url: 'https://mcp.example/v1/sse', type: 'sse' } });
    expect(JSON.parse(await textOf(home)).mcpServers).toEqual({
      sentry: { url: 'https://mcp.example/mcp', type: 'http' },
      click: { command: 'npx', args: ['-y', 'click'], env: { A: '1', B: '2' } },
    });
  });

  test('names a variable of the environment in the place of a secret that it holds', async () => {
    around = makeSurface({ TIDE_TOKEN: secret });
    const address = 'https://tides.example/mcp';
    await run(
      `/mcp add --unchecked -H "Authorization: Bearer ${secret}" -H "X-Region: north" tides ${address}`,
    );
    const { tides } = JSON.parse(await textOf(home)).mcpServers;
    expect(tides).toEqual({
      url: address,
      type: 'http',
      headers: { Authorization: 'Bearer ${TIDE_TOKEN}', 'X-Region': 'north' },
    });
  });

  test('says what is wrong in one sentence and does nothing', async () => {
    const sentences: Readonly<Record<string, RegExp>> = {
      '/mcp add tides': /^Add a name/,
      '/mcp add -t tcp tides x': /^--transport takes stdio, http or sse, not tcp\.$/,
      '/mcp add -t http tides x': /is not an address/,
      '/mcp add -s all tides x': /^--scope takes user or project/,
      '/mcp add "a b" x': /cannot name a server/,
      '/mcp add __proto__ x': /cannot name a server/,
      '/mcp add -e "=x" tides x': /^--env takes NAME=VALUE\. Value 1 is not in this form\.$/,
      '/mcp add tides x --timeout soon': /^--timeout takes a number of milliseconds/,
      '/mcp add -s project --trust tides x': /^--trust works only with --scope user/,
      '/mcp add tides https://x.example y': /^Nothing can follow the address/,
      '/mcp add tides x --env': /needs a value/,
      '/mcp ad': /Did you mean \/mcp add\?/,
      '/mcp remove': /^Add a name/,
      '/mcp restart': /^No server is configured/,
      '/mcp auth tides': /^tides was not found.$/,
    };
    for (const [text, sentence] of Object.entries(sentences)) {
      const did = await run(text);
      expect(did).toHaveLength(1);
      expect(did[0], text).toMatch(sentence);
    }
    for (const place of [work, home]) await expect(textOf(place)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
