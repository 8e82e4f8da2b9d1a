/* What the window and the headless entry have in common: an agent over whatever ports they bring. */

import { join } from 'node:path';
import type { Usage } from '../protocol/events.ts';
import { Agent } from './core/agent.ts';
import { IdeContext } from './core/context/ideContext.ts';
import { type MemoryPlace, personalName } from './core/context/memory.ts';
import { SessionMemory } from './core/context/sessionMemory.ts';
import { estimateText } from './core/context/tokens.ts';
import { readMentions } from './core/mentions/readMentions.ts';
import type { MentionSources } from './core/mentions/sources.ts';
import type { ModelProvider } from './core/model.ts';
import { WorkspacePaths } from './core/paths.ts';
import { Policy } from './core/policy/policy.ts';
import { promptReader } from './core/prompt/promptReader.ts';
import { sectionsSwitchedOff } from './core/prompt/sectionNames.ts';
import type { SessionSurroundings } from './core/session/surroundings.ts';
import type { BlobStore } from './platform/blobs.ts';
import type { Clock } from './platform/clock.ts';
import type { Diagnostics } from './platform/diagnostics.ts';
import type { Editor } from './platform/editor.ts';
import type { FileSystem } from './platform/fileSystem.ts';
import type { Http } from './platform/http.ts';
import type { Log } from './platform/log.ts';
import type { Processes } from './platform/processes.ts';
import type { Search } from './platform/search.ts';
import type { Settings } from './platform/settings.ts';
import type { SessionStore } from './platform/storage.ts';
import type { VersionControl, WorkingDiff } from './platform/versionControl.ts';
import type { Workbench } from './platform/workbench.ts';
import { namedFiles } from './tools/namedFiles.ts';
import { namedPage } from './tools/namedPage.ts';
import { builtInTools } from './tools/tools.ts';

export interface AgentParts {
  /** Absolute workspace folders, the first is the base of relative paths. */
  readonly folders: readonly string[];
  readonly files: FileSystem;
  readonly search: Search;
  readonly processes: Processes;
  readonly http: Http;
  readonly editor: Editor;
  readonly diagnostics: Diagnostics;
  readonly store: SessionStore;
  readonly blobs: BlobStore;
  readonly versionControl: VersionControl;
  readonly workingDiff: WorkingDiff;
  /** What a window knows beside files. */
  readonly workbench: Workbench;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly provider: () => ModelProvider;
  /** Tokens that fit into one request of a model. */
  readonly contextLimit: (model: string) => number;
  /** US dollars of one answer; `undefined` where no price is known. */
  readonly costOf: (model: string, usage: Usage) => number | undefined;
  readonly trusted: () => boolean;
  /** A person is there to decide. */
  readonly interactive: boolean;
  /** The person's home folder, absolute. */
  readonly home: string;
  readonly platform: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A sentence for the person that is no part of a session. */
  readonly tell: (sentence: string) => void;
}

export function assembleAgent(parts: AgentParts): Agent {
  const { settings } = parts;
  return new Agent(() => sessionSurroundings(parts), {
    model: () => settings.get('model'),
    mode: () => settings.get('approvalMode'),
  });
}

/** Where memory files are looked for, by the settings as they are then. */
export function memoryPlace({
  settings,
  home,
  folders,
  trusted,
}: Pick<AgentParts, 'settings' | 'home' | 'folders' | 'trusted'>): () => MemoryPlace {
  return () => ({
    ...{ folders, trusted: trusted(), home: join(home, '.gemini') },
    names: settings.get('contextFileNames'),
    extra: settings.get('memoryFolders'),
  });
}

/** Permissions and what was told of the editor belong to one session, so each gets its own. */
function sessionSurroundings(parts: AgentParts): SessionSurroundings {
  const { folders, files, store, clock, log, diagnostics, provider, settings, editor, home, env } = parts;
  const switchedOff = sectionsSwitchedOff(env);
  const told = new IdeContext(folders);
  const { trusted, interactive, platform, shell, tell } = parts;
  const place = memoryPlace({ settings, home, folders, trusted });
  const memory = new SessionMemory(files, place, clock.newId().slice(0, 8));
  const outputLimit = () => settings.get('toolOutputLimit');
  return {
    folders,
    files,
    blobs: parts.blobs,
    versionControl: parts.versionControl,
    store,
    clock,
    log,
    diagnostics,
    provider,
    policy: new Policy(trusted, interactive),
    readPrompt: promptReader({
      ...{ files, clock, folders, trusted, interactive, home, platform, shell, env, tell },
      readMemory: () => memory.read(),
      memoryKey: memory.key,
      without: () => [...settings.get('promptWithout'), ...switchedOff],
    }),
    editorContext: () => told.next(editor.readContext()),
    readMentions: (text, attachments, signal) =>
      readMentions(mentionSources(parts, folders), text, attachments, signal),
    contextLimit: parts.contextLimit,
    costOf: parts.costOf,
    compressionThreshold: () => settings.get('compressionThreshold'),
    beforeCompression: async () => {},
    tellOfFolders: folders => memory.tellOf(folders),
    folderMemory: () => memory.ofFolders,
    forgetEditorContext: () => {
      told.reset();
      memory.forget();
    },
    maxSteps: () => settings.get('maxSteps'),
    maxAttempts: () => settings.get('maxAttempts'),
    outputLimit,
    tools: session => {
      const outputFolder = () => store.outputsFolder(session.sessionId);
      return builtInTools({
        ...{ clock, outputLimit, outputFolder },
        files: session.files,
        search: parts.search,
        processes: parts.processes,
        http: parts.http,
        paths: new WorkspacePaths(files, folders, () => [outputFolder()]),
        memoryFile: () => join(place().home, personalName),
        model: () => ({ provider: provider(), model: session.model() }),
        inactivityTimeout: () => settings.get('shellInactivityTimeout'),
        startTopic: (title, summary) => session.startTopic(title, summary),
        setTodos: todos => session.setTodos(todos),
        chapters: () => session.chapters(),
        hasCompressed: () => session.hasCompressed(),
        estimateTokens: estimateText,
      });
    },
  };
}

/** The same files and the same web as the tools have. */
function mentionSources(parts: AgentParts, folders: readonly string[]): MentionSources {
  const { files, search, http, workbench, workingDiff: diff, trusted, log } = parts;
  const paths = new WorkspacePaths(files, folders);
  return {
    ...{ workbench, diff, folders, trusted, log },
    files: namedFiles({ files, search, paths }),
    readPage: (url, signal) => namedPage(http, url, signal),
  };
}
