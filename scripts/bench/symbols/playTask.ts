/* Plays a task with the built headless program, and counts the tokens sent. */

import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { estimateTokens } from '../../../src/extension/rehearsal/wire.ts';
import { call, text } from '../../../test/support/geminiAnswers.ts';
import { lastResults, type RecordedRequest } from '../../../test/support/geminiServer.ts';
import { HeadlessWorld } from '../../../test/support/headlessWorld.ts';
import { projectRoot } from '../../run.ts';
import type { Task, TaskScript } from './tasks.ts';

export interface TaskCost {
  readonly requests: number;
  /** Tokens of all requests and answers. Each request has the whole conversation. */
  readonly tokens: number;
}

/**
 * Plays a task. Fails if the files differ from the expected ones, an edit was not read before, or a call failed.
 *
 * @param settings settings of both ways; by default a language server for one, and none for the other
 */
export async function playTask(
  task: Task,
  kind: 'meaning' | 'spelling',
  settings: object = serversOf(kind),
): Promise<TaskCost> {
  const world = await HeadlessWorld.make();
  try {
    const way = kind === 'meaning' ? task.byMeaning : task.bySpelling;
    await writeProject(world.workspace, task.files);
    const file = join(world.folder, 'settings.json');
    await writeFile(file, JSON.stringify(settings));
    const answers = [
      ...way.map(calls => calls.map(({ name, args }) => call(name, args))),
      [text(task.answer)],
    ];
    world.server.script(...answers);
    const args = ['--approval-mode', 'yolo', '--trusted', '--server-start', '120', '--settings', file];
    const { code, error } = await world.run([...args, '--prompt', task.prompt], { cwd: world.workspace });
    const { requests } = world.server;
    if (code !== 0 || world.server.unplayed > 0)
      throw new Error(
        `${task.name} by ${kind} ended with ${code} after ${requests.length} requests: ${error}`,
      );
    const asked = requests.filter(({ method }) => method === 'streamGenerateContent');
    checkResults(task, way, asked);
    await checkFiles(task, world.workspace);
    const sent = asked.reduce((sum, { bytes }) => sum + estimateTokens(bytes), 0);
    const received = answers.reduce((sum, each) => sum + estimateTokens(JSON.stringify(each).length), 0);
    return { requests: asked.length, tokens: sent + received };
  } finally {
    await world.dispose();
  }
}

/** Returns the language servers: none for the way by spelling, which then has no language tools. */
function serversOf(kind: 'meaning' | 'spelling'): object {
  return { 'folio.languageServers': kind === 'meaning' ? {} : { '*': false } };
}

async function writeProject(folder: string, files: Task['files']): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await mkdir(join(folder, 'node_modules'));
  await symlink(
    resolve(projectRoot, 'node_modules', 'typescript'),
    join(folder, 'node_modules', 'typescript'),
  );
}

function checkResults(task: Task, way: TaskScript, asked: readonly RecordedRequest[]): void {
  let seen = '';
  for (const [step, calls] of way.entries()) {
    for (const { name, args } of calls) {
      const isSeen = name !== 'replace' || seen.includes(`${args.old_string}`);
      if (!isSeen) throw new Error(`${task.name}: ${args.file_path} is edited where nothing was seen of it.`);
    }
    const results = lastResults(asked[step + 1]!);
    const failed = results.find(({ error }) => error !== undefined);
    if (failed || results.length !== calls.length)
      throw new Error(`${task.name}, step ${step + 1}: ${failed?.error ?? 'results are missing'}`);
    seen += results.map(({ output }) => output).join('\n');
  }
  const missing = task.evidence.find(word => !seen.includes(word));
  if (missing !== undefined) throw new Error(`${task.name}: nothing has reported ${missing}.`);
}

async function checkFiles(task: Task, folder: string): Promise<void> {
  for (const [path, content] of Object.entries(task.after)) {
    const text = await readFile(join(folder, path), 'utf8');
    if (text !== content) throw new Error(`${task.name}: ${path} is not as it should be.`);
  }
}
