import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../run.ts';

/** A measured Node program that carries out one prompt without a user. */
export interface Contestant {
  readonly name: string;
  /** Arguments for Node. */
  readonly args: (task: Task) => readonly string[];
  /** Writes its settings into the home folder. */
  readonly prepare: (home: string, settings: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Maximum number of model answers in one turn. */
  readonly maxSteps: number;
  /** True for agents of others. If one fails, the benchmark continues without it. */
  readonly peer?: true;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Task {
  readonly prompt: string;
  readonly workspace: string;
  /** Emptied after the run. */
  readonly home: string;
}

/** A model that every contestant knows, and none treats specially. */
export const benchModel = 'gemini-2.5-flash';

export const loop: Contestant = {
  name: 'minimal loop',
  args: ({ prompt, workspace }) => [
    join(import.meta.dirname, 'minimalLoop.mjs'),
    '--prompt',
    prompt,
    '--workspace',
    workspace,
    '--model',
    benchModel,
  ],
  prepare: async () => undefined,
  maxSteps: Number.POSITIVE_INFINITY,
};

/** Disables limits that would end a long turn early. */
const unlimited = {
  'folio.maxSteps': 1000,
  'folio.budget.turnTokens': 0,
  'folio.budget.turnCost': 0,
  'folio.budget.sessionTokens': 0,
  'folio.budget.sessionCost': 0,
};

const headless = join(projectRoot, 'dist', 'headless.cjs');

/** Returns Node arguments of a host for several sessions over the Agent Client Protocol. */
export function acpArgs(task: Omit<Task, 'prompt'>): readonly string[] {
  return [headless, '--acp', ...shared(task)];
}

function shared({ workspace, home }: Omit<Task, 'prompt'>): readonly string[] {
  return [
    ...['--workspace', workspace, '--model', benchModel, '--approval-mode', 'yolo'],
    ...['--session-dir', join(home, 'sessions'), '--settings', join(home, 'settings.json')],
  ];
}

export const folio: Contestant = {
  name: 'Folio',
  args: ({ prompt, ...task }) => [
    ...[headless, '--prompt', prompt, '--output-format', 'stream-json'],
    ...shared(task),
  ],
  prepare: async (home, settings) => {
    if (!existsSync(headless)) {
      throw new Error('There is no dist/headless.cjs to measure. Run `npm run build` first.');
    }
    await writeFile(join(home, 'settings.json'), JSON.stringify({ ...unlimited, ...settings }));
  },
  maxSteps: 1000,
};

/** Gemini CLI, whose settings and tools Folio follows, with its usual options. */
export function geminiCli(program: string): Contestant {
  return {
    name: 'Gemini CLI',
    args: ({ prompt }) => [program, '--prompt', prompt, '--model', benchModel, '--approval-mode', 'yolo'],
    prepare: async home => {
      await mkdir(join(home, '.gemini'), { recursive: true });
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      };
      await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    },
    maxSteps: 90,
    peer: true,
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  };
}
