/* Sessions over the built headless entry, each prompt a run of its own. */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { oneLine } from '../../src/extension/base/text.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import {
  eventsOf,
  type HeadlessOptions,
  type HeadlessResult,
  type RunHeadless,
  runInOwnProcess,
} from '../support/headlessProgram.ts';
import { judgeLines } from './commandLines.ts';
import { type EvalSession, RunTrouble, type Turn } from './eval.ts';

/** Who answers, as the headless entry is told. */
export interface EvalModel {
  readonly provider: 'gemini' | 'anthropic' | 'openai-responses' | 'openai' | 'vertex' | 'bedrock';
  readonly model: string;
  /** The service's own address unless told. */
  readonly baseUrl?: string | undefined;
  /** Keys, and where credentials are found. */
  readonly env: Readonly<Record<string, string>>;
}

/** A run that hangs is given up after this. */
const patience = 600_000;

/** Ends of a turn that are the model's doing: whoever judges the attempt hears of them. */
const ownEnds: ReadonlySet<Turn['end']> = new Set(['rested', 'loop', 'budget']);

/**
 * Gives `work` a session on a folder with these files; both are gone afterwards.
 * @param heard gets the events of each run
 * @param run starts the agent
 */
export async function inSession<T>(
  files: Readonly<Record<string, string>>,
  model: EvalModel,
  work: (session: EvalSession) => Promise<T>,
  heard: (events: readonly SessionEvent[]) => void = () => {},
  run: RunHeadless = runForAWhile,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-eval-'));
  try {
    const workspace = join(folder, 'workspace');
    await mkdir(workspace);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), text);
    }
    let sessionId: string | undefined;
    return await work({
      async ask(prompt, mode = 'yolo') {
        const args = argumentsOf({ folder, workspace, sessionId, prompt, mode }, model);
        const turn = await runTurn(run, args, model, heard);
        sessionId ??= findSession(turn.events);
        return turn;
      },
      readFiles: () => readTree(workspace),
      check: code => runModule(code, workspace),
      classify: (lines, task) => judgeLines(lines, task, model, heard),
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Place {
  readonly folder: string;
  readonly workspace: string;
  readonly sessionId: string | undefined;
  readonly prompt: string;
  readonly mode: string;
}

function argumentsOf(
  { folder, workspace, sessionId, prompt, mode }: Place,
  { provider, model, baseUrl }: EvalModel,
): string[] {
  return [
    '--prompt',
    prompt,
    '--workspace',
    workspace,
    '--provider',
    provider,
    '--model',
    model,
    '--session-dir',
    join(folder, 'sessions'),
    '--approval-mode',
    mode,
    '--output-format',
    'stream-json',
    ...(baseUrl === undefined ? [] : ['--base-url', baseUrl]),
    ...(sessionId === undefined ? [] : ['--resume', sessionId]),
  ];
}

async function runForAWhile(options: HeadlessOptions): Promise<HeadlessResult> {
  let limit: NodeJS.Timeout | undefined;
  const result = await runInOwnProcess({
    ...options,
    onStart: child => {
      limit = setTimeout(() => child.kill('SIGKILL'), patience);
    },
  });
  clearTimeout(limit);
  return result;
}

async function runTurn(
  run: RunHeadless,
  args: readonly string[],
  { env }: EvalModel,
  heard: (events: readonly SessionEvent[]) => void,
): Promise<Turn> {
  const { code, out, error } = await run({ args, env });
  const events = eventsOf(out);
  heard(events);
  const ended = events.findLast(event => event.type === 'turn.ended');
  const end = ended?.type === 'turn.ended' ? ended.end.kind : undefined;
  if (code !== 0 && !(end !== undefined && ownEnds.has(end))) {
    const said = error.trim().split('\n').at(-1);
    throw new RunTrouble(said || `The agent ended with code ${code} and said nothing.`);
  }
  // An entry that is being built again at this moment is an empty program, which ends well.
  if (events.length === 0)
    throw new RunTrouble('The agent ended without a word. Build it with "npm run build", and not meanwhile.');
  return { events, answer: answerOf(events), end };
}

function findSession(events: readonly SessionEvent[]): string | undefined {
  return events.find(event => event.type === 'session.started')?.sessionId;
}

/** Of the newest message that says something. */
function answerOf(events: readonly SessionEvent[]): string {
  const texts = events.flatMap(event => {
    if (event.type !== 'message.added' || event.message.role !== 'model') return [];
    const said = event.message.parts.flatMap(part => (part.kind === 'text' ? part.text : []));
    return said.join('').trim() === '' ? [] : [said.join('')];
  });
  return texts.at(-1) ?? '';
}

async function runModule(code: string, cwd: string): Promise<string | undefined> {
  try {
    const args = ['--input-type=module', '--eval', code];
    await promisify(execFile)(process.execPath, args, { cwd, timeout: patience });
    return undefined;
  } catch (error) {
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    return oneLine(/^\w*Error\b.*$/m.exec(text)?.[0] ?? text, 200);
  }
}

async function readTree(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries.filter(each => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files[path.slice(root.length + 1).replaceAll('\\', '/')] = await readFile(path, 'utf8');
  }
  return files;
}
