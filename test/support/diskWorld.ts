/* A session over real files, with the real tools and ports of a headless run; only the model is scripted. */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentHost } from '../../src/extension/compose/agentHost.ts';
import { hostSandbox } from '../../src/extension/compose/hostSandbox.ts';
import { makeSessionManager } from '../../src/extension/compose/makeSessionManager.ts';
import { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import { readJournals } from '../../src/extension/core/recording/readEvents.ts';
import { readSession } from '../../src/extension/core/recording/restore.ts';
import type { Session } from '../../src/extension/core/session/session.ts';
import type { SessionManager } from '../../src/extension/core/session/sessionManager.ts';
import { foldersInWorktree } from '../../src/extension/core/worktrees/worktreeFolders.ts';
import { noWorkbench } from '../../src/extension/headless/editorStandIns.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { GitWorktrees } from '../../src/extension/node/git/gitWorktrees.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { NodeBlobStore } from '../../src/extension/node/sessions/nodeBlobStore.ts';
import { NodeSessionStore } from '../../src/extension/node/sessions/nodeSessionStore.ts';
import { SystemClock } from '../../src/extension/node/systemClock.ts';
import type { Clock } from '../../src/extension/platform/clock.ts';
import type { DiagnosticReader } from '../../src/extension/platform/diagnostics.ts';
import type { EditorContext } from '../../src/extension/platform/editor.ts';
import type { UserProxy } from '../../src/extension/platform/sandbox.ts';
import { defaultSettings, type Settings } from '../../src/extension/platform/settings.ts';
import type { Message, Part, SessionEvent } from '../../src/protocol/events.ts';
import { type EmittedEvent, isAgentEvent } from '../../src/protocol/fold/agents.ts';
import type { ApprovalMode } from '../../src/protocol/intentions.ts';
import type { SessionState } from '../../src/protocol/state.ts';
import { isContainer } from '../../src/protocol/worktree.ts';
import { noDiagnostics, noPolicyFiles, nothingSeen } from './absentPorts.ts';
import { HostedGit } from './hostedGit.ts';
import { ScriptedModel } from './scriptedModel.ts';
import type { UserEditor } from './userEditor.ts';

export type ScriptedCall = readonly [name: string, args: Readonly<Record<string, unknown>>];

export interface DiskWorld {
  readonly workspace: string;
  readonly agent: SessionManager;
  readonly model: GrowingModel;
  readonly processes: Pick<NodeProcesses, 'onDidStart' | 'dispose'>;
  readonly session: Session;
  readonly events: readonly SessionEvent[];
  /** Sends a prompt. The model answers with these calls, one per step. */
  turn(prompt: string, ...calls: readonly ScriptedCall[]): Promise<void>;
  /** Restarts the host and reads the session from its journal. */
  reopen(): Promise<void>;
  /** Simulates a kill: cuts the journal to these lines and reads the session from it. */
  cutJournal(keep: (lines: readonly string[]) => readonly string[]): Promise<void>;
  /** Returns the folded journal. */
  readFold(): Promise<SessionState>;
  /** Returns all files of the workspace. */
  readFiles(): Promise<Readonly<Record<string, string>>>;
  dispose(): Promise<void>;
}

/** A model whose script can grow during a test. */
class GrowingModel {
  readonly requests: { readonly messages: readonly Message[] }[] = [];
  private readonly parts: Part[][] = [];
  private calls = 0;

  script(...calls: readonly ScriptedCall[]): void {
    for (const [name, args] of calls) {
      this.parts.push([{ kind: 'call', id: `call${++this.calls}`, name, args }]);
    }
    this.parts.push([{ kind: 'text', text: 'Done.' }]);
  }

  next(): ScriptedModel {
    const parts = this.parts.shift();
    const model = new ScriptedModel(parts ? [{ parts }] : []);
    this.requests.push({
      get messages() {
        return model.requests[0]?.messages ?? [];
      },
    });
    return model;
  }
}

export interface DiskWorldOptions {
  readonly mode?: ApprovalMode;
  /** True if the test decides asks. */
  readonly interactive?: boolean;
  /** True if the user can type into terminals of commands. */
  readonly hasWindow?: boolean;
  /** Commands run inside the sandbox. */
  readonly sandbox?: 'on';
  /** Through which the user reaches the network; absent: straight. */
  readonly proxy?: UserProxy;
  /** How time passes; absent: as it does. */
  readonly clock?: Clock;
  /** Reports problems of written files. Absent: none. */
  readonly diagnostics?: DiagnosticReader;
  /** Globs of ignored files that are reviewed. */
  readonly alsoIgnored?: readonly string[];
  /** The user's editor. Absent: nobody edits. */
  readonly user?: UserEditor;
}

export async function makeDiskWorld(
  editor: EditorContext = { open: [] },
  options: DiskWorldOptions = {},
): Promise<DiskWorld> {
  const { mode = 'yolo', interactive = false, diagnostics = noDiagnostics, alsoIgnored = [] } = options;
  const { user, hasWindow, proxy, sandbox = 'ask', clock = new SystemClock() } = options;
  const folder = await mkdtemp(join(tmpdir(), 'folio-disk-'));
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const processes = new NodeProcesses(process.env, clock.newId());
  const store = new NodeSessionStore(join(folder, 'sessions'));
  const model = new GrowingModel();
  const chosen = { approvalMode: mode, 'review.alsoIgnored': alsoIgnored, sandbox } as const;
  const values = { ...defaultSettings, ...chosen, loopDetection: false, correctEdits: false };
  const settings: Settings = {
    get: name => values[name],
    isSet: () => true,
    onDidChange: () => ({ dispose: () => {} }),
  };
  const host: AgentHost = {
    clock,
    settings,
    processes,
    sandbox: hostSandbox({
      folders: () => [workspace],
      home: folder,
      platform: process.platform,
      path: process.env.PATH,
      instructionNames: () => [],
      proxy: proxy && (() => proxy),
    }),
    machine: { home: folder, platform: process.platform, env: {} },
    user: { interactive, hasWindow, notify: () => {} },
    workspace: {
      folders: [workspace],
      trusted: () => true,
      files: user ?? new NodeFileSystem(),
      editors: user,
      search: new NodeSearch(),
      versionControl: new HostedGit(),
      diagnostics: () => diagnostics,
    },
    transport: new NodeTransport(),
    editor: { readContext: () => editor, onDidChange: () => ({ dispose: () => {} }) },
    workbench: noWorkbench,
    storage: { sessions: store, blobs: new NodeBlobStore(join(folder, 'blobs')) },
    access: {
      name: 'openai',
      others: [],
      models: [],
      get provider() {
        return model.next();
      },
    },
    added: { consent: new ConsentService(nothingSeen, () => true), policyFiles: noPolicyFiles },
    worktrees: new GitWorktrees(join(folder, 'worktrees'), new ProgramFinder(() => [workspace])),
    observers: { follow: () => undefined },
    moveTo: place => {
      if (isContainer(place)) throw new Error('There is no container.');
      return { ...host, workspace: { ...host.workspace, folders: foldersInWorktree(place, [workspace]) } };
    },
    log: { debug() {}, info() {}, warn() {}, error: (text, cause) => console.error(text, cause) },
  };
  const agent = makeSessionManager(host);
  const events: SessionEvent[] = [];
  const listener = (reported: EmittedEvent) => {
    if (!isAgentEvent(reported)) events.push(reported);
  };
  let session = agent.newSession(listener);
  return {
    workspace,
    agent,
    model,
    processes,
    events,
    get session() {
      return session;
    },
    turn: async (prompt, ...calls) => {
      model.script(...calls);
      const end = await session.send(prompt);
      if (end.kind !== 'rested') throw new Error(`The turn did not rest: ${JSON.stringify(end)}`);
    },
    reopen: async () => {
      await session.dispose();
      session = await agent.openSession(session.id, listener);
    },
    cutJournal: async keep => {
      await session.dispose();
      const path = join(folder, 'sessions', session.id, 'journal.jsonl');
      const lines = keep((await readFile(path, 'utf8')).split('\n').filter(Boolean));
      await writeFile(path, lines.map(line => `${line}\n`).join(''));
      session = await agent.openSession(session.id, listener);
    },
    readFold: async () => {
      return readSession(await readJournals(store, session.id)).state;
    },
    readFiles: async () => {
      const names = (await readdir(workspace)).sort();
      const texts = names.map(async name => [name, await readFile(join(workspace, name), 'utf8')] as const);
      return Object.fromEntries(await Promise.all(texts));
    },
    dispose: async () => {
      await session.dispose();
      await processes.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
