/*
 * The few tools that the rehearsal calls, made of Node's own means and on a copy of the sample project: enough to
 * walk through the scene without the rest of Folio. A test overrules a tool to deny it or let it fail.
 */

import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { ModelProvider, ToolDeclaration } from '../../src/extension/core/model.ts';
import type { Message, Part } from '../../src/protocol/events.ts';
import { notify, requestOf, succeeded, user } from './geminiClient.ts';

type CallPart = Extract<Part, { kind: 'call' }>;
type Args = Readonly<Record<string, unknown>>;
type ToolRun = (args: Args, folder: string) => Promise<string>;

/** Rejecting means the tool failed, or was denied. */
export type Tools = Readonly<Record<string, ToolRun>>;

export const sampleTools: Tools = {
  create_new_topic: async ({ title }) => `Topic changed to: "${title}"`,
  list_directory: async ({ dir_path }, folder) => (await readdir(join(folder, String(dir_path)))).join('\n'),
  read_file: async ({ file_path }, folder) => readFile(join(folder, String(file_path)), 'utf8'),
  run_shell_command: async ({ command }, folder) => runOnce(String(command), folder),
  replace: async ({ file_path, old_string, new_string }, folder) => {
    const path = join(folder, String(file_path));
    const before = await readFile(path, 'utf8');
    if (before.split(String(old_string)).length !== 2)
      throw new Error('old_string does not occur exactly once.');
    await writeFile(
      path,
      before.replace(String(old_string), () => String(new_string)),
    );
    return `Replaced 1 occurrence in ${file_path}.`;
  },
};

const parameters: Readonly<Record<string, readonly string[]>> = {
  create_new_topic: ['title', 'summary'],
  list_directory: ['dir_path'],
  read_file: ['file_path'],
  run_shell_command: ['command', 'description'],
  replace: ['file_path', 'old_string', 'new_string'],
  exit_plan_mode: ['title', 'plan'],
};

export async function copySample(): Promise<{ folder: string; dispose: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-sample-'));
  await cp(join(import.meta.dirname, '../../sample'), folder, { recursive: true });
  return { folder, dispose: () => rm(folder, { recursive: true, force: true }) };
}

export interface Scene {
  readonly history: readonly Message[];
  /** Names of the tools called, oldest first; topics with their title. */
  readonly calls: readonly string[];
  /** Of the answer that called nothing. */
  readonly answer: string;
}

/** One turn: asks, runs what is called for, until nothing is. */
export async function playScene(
  provider: ModelProvider,
  prompt: string,
  folder: string,
  tools: Tools = sampleTools,
  before: readonly Message[] = [],
): Promise<Scene> {
  const history = [...before, user('Editor: nothing is open.', prompt)];
  const calls: string[] = [];
  const declared = Object.keys(tools).map(declare);
  for (let step = 0; step < 20; step++) {
    const { end, text } = await notify(
      provider.stream(requestOf(history, { model: 'rehearsal', tools: declared })),
    );
    const { message } = succeeded(end);
    history.push(message);
    const asked = message.parts.filter((part): part is CallPart => part.kind === 'call');
    if (asked.length === 0) return { history, calls, answer: text };
    calls.push(...asked.map(({ name, args }) => (name === 'create_new_topic' ? `# ${args.title}` : name)));
    const results: Part[] = [];
    for (const call of asked) results.push(await runTool(call, tools, folder));
    history.push(user(...results));
  }
  throw new Error('The scene does not end.');
}

async function runTool({ id, name, args }: CallPart, tools: Tools, folder: string): Promise<Part> {
  try {
    return { kind: 'result', id, name, ok: true, text: await tools[name]!(args, folder) };
  } catch (error) {
    return { kind: 'result', id, name, ok: false, text: (error as Error).message };
  }
}

function declare(name: string): ToolDeclaration {
  const properties = Object.fromEntries((parameters[name] ?? []).map(key => [key, { type: 'string' }]));
  return { name, description: `Does ${name}.`, parameters: { type: 'object', properties } };
}

const outputs = new Map<string, Promise<string>>();

/** Runs a command once for each content of the folder: the sample's tests print the same for the same files. */
async function runOnce(command: string, folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = paths.sort().map(async path => [relative(folder, path), await readFile(path, 'utf8')]);
  const key = JSON.stringify([command, await Promise.all(texts)]);
  if (!outputs.has(key)) outputs.set(key, runCommand(command, folder));
  return await outputs.get(key)!;
}

/** Ends with its own exit: the sample's tests are over in a moment. */
function runCommand(command: string, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // Without the mark of a test run around it, which would change the output of `node --test`.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const child = spawn(command, { cwd, env, shell: true });
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    child.on('error', reject);
    child.on('close', code => resolve(`${output}\nExit code: ${code}`));
  });
}
