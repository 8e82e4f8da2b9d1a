/* Sessions over the built headless entry, each prompt a run of its own. */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { eventsOf, runHeadless } from '../support/headlessRun.ts';
import { type EvalSession, RunTrouble, type Turn } from './eval.ts';

export interface EvalModel {
  readonly apiKey: string;
  /** The service's own address unless told. */
  readonly baseUrl?: string;
  readonly model: string;
}

/** A run that hangs is given up after this. */
const patience = 600_000;

/** Gives `work` a session on a folder with these files; both are gone afterwards. */
export async function inSession<T>(
  files: Readonly<Record<string, string>>,
  model: EvalModel,
  work: (session: EvalSession) => Promise<T>,
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
      async ask(prompt) {
        const args = argumentsOf({ folder, workspace, sessionId, prompt }, model);
        const turn = await runTurn(args, model);
        sessionId ??= findSession(turn.events);
        return turn;
      },
      readFiles: () => readTree(workspace),
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
}

function argumentsOf(
  { folder, workspace, sessionId, prompt }: Place,
  { model, baseUrl }: EvalModel,
): string[] {
  return [
    ...['--prompt', prompt, '--workspace', workspace, '--model', model],
    ...['--session-dir', join(folder, 'sessions'), '--approval-mode', 'yolo'],
    ...['--output-format', 'stream-json'],
    ...(baseUrl === undefined ? [] : ['--base-url', baseUrl]),
    ...(sessionId === undefined ? [] : ['--resume', sessionId]),
  ];
}

async function runTurn(args: readonly string[], { apiKey }: EvalModel): Promise<Turn> {
  let limit: NodeJS.Timeout | undefined;
  const { code, out, error } = await runHeadless({
    args,
    env: { GEMINI_API_KEY: apiKey },
    onStart: child => {
      limit = setTimeout(() => child.kill('SIGKILL'), patience);
    },
  });
  clearTimeout(limit);
  if (code !== 0) {
    const said = error.trim().split('\n').at(-1);
    throw new RunTrouble(said || `The agent ended with code ${code} and said nothing.`);
  }
  const events = eventsOf(out);
  return { events, answer: answerOf(events) };
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

async function readTree(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries.filter(each => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files[path.slice(root.length + 1).replaceAll('\\', '/')] = await readFile(path, 'utf8');
  }
  return files;
}
