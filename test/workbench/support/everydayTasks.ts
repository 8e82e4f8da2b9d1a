/*
 * Everyday tasks with their input counts. The workbench test does each as described in `how` and checks `count`;
 * docs/everyday-tasks.md shows them. Counts of other agents come from their documentation of November 2026, unmeasured.
 */

import type { InputCount } from './countedUser.ts';

export interface EverydayTask {
  readonly task: string;
  /** State in which counting begins. */
  readonly from: string;
  /** Markdown. */
  readonly how: string;
  readonly count: InputCount;
  readonly others: Readonly<Record<Peer, OtherWay>>;
}

export type Peer = 'copilot' | 'claude' | 'cursor';

export const peerNames: Readonly<Record<Peer, string>> = {
  copilot: 'Copilot Chat',
  claude: 'Claude Code',
  cursor: 'Cursor',
};

/** `undefined`: the agent does not offer the task. */
export type OtherWay = { readonly total: number; readonly how: string } | undefined;

export type EverydayTaskName = keyof typeof everydayTasks;

export const everydayTasks = {
  firstAnswer: {
    task: 'Get a first answer with a key',
    from: 'No model is connected; the key is at hand.',
    how: "`Ctrl+'`, *Gemini API key*, the key, `Enter`, a prompt, `Enter`",
    count: { keys: 3, clicks: 1, texts: 2 },
    others: {
      copilot: {
        total: 11,
        how: '`Ctrl+Alt+I`, model picker, *Manage Models*, *Add Models*, provider, name, `Enter`, the key, `Enter`, a prompt, `Enter`',
      },
      // Its panel has no field for a key: one is set in the environment, or the user signs in.
      claude: undefined,
      cursor: {
        total: 7,
        how: '`Ctrl+Shift+J`, *Models*, the key, its switch, `Ctrl+I`, a prompt, `Enter`',
      },
    },
  },
  fixTest: {
    task: 'Fix a failing test',
    from: 'The test has failed in the Testing view. The agent runs it, edits a file and runs it again.',
    how: '*Fix Test with Folio* on its row, `Ctrl+Enter` for each of two commands and the edit',
    count: { keys: 3, clicks: 1, texts: 0 },
    others: {
      copilot: {
        total: 4,
        how: '*Fix Test Failure* on its row, `Ctrl+Enter` for each of two commands, *Keep*',
      },
      claude: {
        total: 6,
        how: '`Ctrl+Esc`, a prompt, `Enter`, one press for each of two commands and the edit',
      },
      cursor: {
        total: 4,
        how: '`Ctrl+I`, a prompt, `Enter`, `Ctrl+Enter` (its sandbox runs the commands unasked)',
      },
    },
  },
  allButOneHunk: {
    task: 'Accept all but one change of a file',
    from: 'An edit with three changes waits for a decision.',
    how: 'the mark of the change, `Ctrl+Enter`',
    count: { keys: 1, clicks: 1, texts: 0 },
    others: {
      copilot: { total: 3, how: 'the file, *Undo* on the change, *Keep*' },
      // It decides on an edit as a whole.
      claude: undefined,
      cursor: { total: 2, how: '*Reject* on the change, `Ctrl+Enter`' },
    },
  },
  undoPrompt: {
    task: 'Undo the last prompt, with its files',
    from: 'The turn has ended.',
    how: '*Rewind…* on the prompt, *Rewind* (files only: *Undo* below the answer, one click)',
    count: { keys: 0, clicks: 2, texts: 0 },
    others: {
      copilot: { total: 2, how: '*Restore Checkpoint* on the prompt, *Yes*' },
      claude: { total: 2, how: 'the rewind button on the prompt, *Fork conversation and rewind code*' },
      cursor: { total: 2, how: '*Restore Checkpoint* on the prompt, *Continue*' },
    },
  },
  allowForGood: {
    task: 'Allow a command for good',
    from: 'The command asks.',
    how: '`Ctrl+Shift+Enter`',
    count: { keys: 1, clicks: 0, texts: 0 },
    others: {
      copilot: { total: 2, how: 'the arrow beside *Allow*, *Always Allow* in this workspace' },
      claude: { total: 1, how: "*Yes, and don't ask again*" },
      cursor: { total: 1, how: '*Add to allowlist*' },
    },
  },
  attachSelection: {
    task: 'Ask about the selected code',
    from: 'Lines are selected in the editor.',
    how: "`Ctrl+Shift+'`, a prompt, `Enter`",
    count: { keys: 2, clicks: 0, texts: 1 },
    others: {
      copilot: { total: 3, how: '`Ctrl+Alt+I`, a prompt, `Enter`' },
      claude: { total: 3, how: '`Ctrl+Esc`, a prompt, `Enter`' },
      cursor: { total: 3, how: '`Ctrl+Shift+L`, a prompt, `Enter`' },
    },
  },
  switchModel: {
    task: 'Switch to a certain model',
    from: 'The panel is open.',
    how: 'the model picker, the model',
    count: { keys: 0, clicks: 2, texts: 0 },
    others: {
      copilot: { total: 2, how: 'the model picker, the model' },
      claude: { total: 3, how: '`/`, *Switch model*, the model' },
      // Ctrl+/ goes to the next model, which is seldom the wanted one.
      cursor: { total: 2, how: 'the model picker, the model' },
    },
  },
  findSession: {
    task: "Find last week's session",
    from: 'The panel is open on another session.',
    how: '*Session History*, words of a prompt, `Enter`',
    count: { keys: 1, clicks: 1, texts: 1 },
    others: {
      copilot: { total: 3, how: 'the sessions, words of the title, the session' },
      claude: { total: 3, how: 'the past conversations, words, the session' },
      cursor: { total: 3, how: 'the history, words of the title, the chat' },
    },
  },
  addServer: {
    task: 'Add an MCP server',
    from: 'The command that starts it is known.',
    how: "`Ctrl+'`, `/mcp add NAME COMMAND`, `Enter`",
    count: { keys: 2, clicks: 0, texts: 1 },
    others: {
      copilot: {
        total: 9,
        how: '`F1`, *MCP: Add Server*, `Enter`, its kind, the command, `Enter`, a name, `Enter`, where it is kept',
      },
      claude: { total: 3, how: '``Ctrl+` ``, `claude mcp add NAME -- COMMAND` in the terminal, `Enter`' },
      cursor: { total: 5, how: '`Ctrl+Shift+J`, *Tools & MCP*, *New MCP Server*, JSON, `Ctrl+S`' },
    },
  },
  planAndBuild: {
    task: 'Plan, then build',
    from: 'The editor has the focus. The plan leads to one edit.',
    how: "`Ctrl+'`, `/plan` with a task, `Enter`, `Ctrl+Enter` for the plan and the edit",
    count: { keys: 4, clicks: 0, texts: 1 },
    others: {
      copilot: {
        total: 5,
        how: '`Ctrl+Alt+I`, `/plan` with a task, `Enter`, *Start Implementation*, *Keep*',
      },
      claude: {
        total: 6,
        how: '`Ctrl+Esc`, two presses of the mode, a prompt, `Enter`, *Yes, and auto-accept edits*',
      },
      cursor: { total: 6, how: '`Ctrl+I`, `Shift+Tab`, a prompt, `Enter`, *Build*, `Ctrl+Enter`' },
    },
  },
  compress: {
    task: 'Compress the context',
    from: 'The cursor is in the prompt.',
    how: '`/compress now`, `Enter` (without *now* the summary is shown first, and *Apply* is one more)',
    count: { keys: 1, clicks: 0, texts: 1 },
    others: {
      copilot: { total: 2, how: '`/compact`, `Enter`' },
      claude: { total: 2, how: '`/compact`, `Enter`' },
      cursor: { total: 2, how: '`/summarize`, `Enter`' },
    },
  },
  commit: {
    task: 'Commit with a message that was written for you',
    from: 'Files have changed.',
    how: '`Ctrl+Shift+G`, *Draft Commit Message* (from the chapters), *Commit*',
    count: { keys: 1, clicks: 2, texts: 0 },
    others: {
      copilot: { total: 3, how: '`Ctrl+Shift+G`, *Generate Commit Message* (from the diff), *Commit*' },
      claude: { total: 3, how: 'a prompt, `Enter`, one press for the command' },
      cursor: { total: 3, how: '`Ctrl+Shift+G`, *Generate Commit Message* (from the diff), *Commit*' },
    },
  },
} as const satisfies Readonly<Record<string, EverydayTask>>;

export function totalOf({ keys, clicks, texts }: InputCount): number {
  return keys + clicks + texts;
}

/** Returns the lowest count of other agents. */
export function bestOfOthers({ others }: EverydayTask): { readonly peer: Peer; readonly total: number } {
  const ways = (Object.keys(peerNames) as Peer[]).flatMap(peer => {
    const way = others[peer];
    return way ? [{ peer, total: way.total }] : [];
  });
  return ways.reduce((best, each) => (each.total < best.total ? each : best));
}
