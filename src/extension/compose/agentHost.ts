/* Ports that an agent is assembled over, provided by a window or a headless run. */

import type { Part } from '../../protocol/events.ts';
import type { IsolatedPlace } from '../../protocol/worktree.ts';
import type { ConsentService } from '../core/consent/consentService.ts';
import type { Inbox } from '../core/context/inbox/inbox.ts';
import type { LoadedCustomizations } from '../core/customizations/loadedCustomizations.ts';
import type { Hooks } from '../core/hooks/hooks.ts';
import type { Policy } from '../core/policy/policy.ts';
import type { SessionForTools, SessionStores } from '../core/session/sessionServices.ts';
import type { SessionSlots } from '../core/session/sessionSlots.ts';
import type { AnyTool } from '../core/tool.ts';
import type { McpServers } from '../mcp/mcpServers.ts';
import type { SessionObservers } from '../observers/sessionObservers.ts';
import type { SessionBrowsers } from '../platform/browser/browser.ts';
import type { Clock } from '../platform/clock.ts';
import type { ConcurrentWrites } from '../platform/concurrentWrites.ts';
import type { PolicyFiles } from '../platform/customizations/policyFiles.ts';
import type { Debugger } from '../platform/debug/debugger.ts';
import type { DiagnosticReader } from '../platform/diagnostics.ts';
import type { Editor } from '../platform/editor.ts';
import type { EditorTests } from '../platform/editorTests.ts';
import type { FileSystem } from '../platform/fileSystem.ts';
import type { HttpTransport } from '../platform/http/httpTransport.ts';
import type { Languages } from '../platform/languages.ts';
import type { Log } from '../platform/log.ts';
import type { Machine } from '../platform/machine.ts';
import type { Processes } from '../platform/processes.ts';
import type { ProgramSandbox, Sandbox, SandboxGrants } from '../platform/sandbox.ts';
import type { Search } from '../platform/search.ts';
import type { Settings } from '../platform/settings.ts';
import type { VersionControl } from '../platform/versionControl.ts';
import type { Workbench } from '../platform/workbench.ts';
import type { Worktrees } from '../platform/worktrees.ts';
import type { ModelAccess } from './modelAccess.ts';
import type { LoadShellParser } from './shellGrammars.ts';

/** Differences between a window and a headless run. */
export interface AgentHost {
  readonly machine: Machine;
  readonly user: UserInteraction;
  readonly workspace: HostWorkspace;
  readonly editor: Editor;
  /** State of the window that is not in files. */
  readonly workbench: Workbench;
  readonly processes: Processes;
  readonly sandbox: HostSandbox;
  readonly storage: HostStorage;
  readonly settings: Settings;
  readonly access: ModelAccess;
  /** Connects to agents on other servers. */
  readonly transport: HttpTransport;
  readonly worktrees: Worktrees;
  readonly added: HostCustomizations;
  readonly clock: Clock;
  readonly log: Log;
  /** Browsers whose pages the user may take over; absent if nobody can. */
  readonly pages?: SessionBrowsers;
  readonly observers: Pick<SessionObservers, 'follow'>;
  /** Returns the same host for the folders of a worktree, or with its commands in a container. */
  moveTo(place: IsolatedPlace): AgentHost;
}

/** Storage that outlives a session. */
export interface HostStorage extends Omit<SessionStores, 'inbox'> {
  /** Absent if sessions propose no memories. */
  readonly inbox?: Inbox;
}

export interface HostSandbox extends Sandbox, ProgramSandbox {
  /** Access that every command of the host gets. */
  readonly grants: SandboxGrants;
}

/** The user who reads and answers. */
export interface UserInteraction {
  /** True if they can answer questions. */
  readonly interactive: boolean;
  /** True if they use a window, where they can type into terminals and see diagrams and charts. */
  readonly hasWindow?: boolean;
  /** Shows the user a sentence outside of any session. */
  readonly notify: (sentence: string) => void;
  /** Number of times they changed a key, which has its own quota; absent if never. */
  readonly keyChanges?: () => number;
}

export interface HostWorkspace {
  /** Absolute. The first is the base of relative paths. */
  readonly folders: readonly string[];
  readonly trusted: () => boolean;
  readonly files: FileSystem;
  /** Writes of the user's editors, in a window. */
  readonly editors?: ConcurrentWrites;
  readonly search: Search;
  /** Detects changes by commands. */
  readonly versionControl: VersionControl;
  /** Absent without language servers. */
  readonly languages?: Languages;
  /** Problems from language servers, without other checks. Absent if there is no other source than `diagnostics`. */
  readonly serverProblems?: Pick<DiagnosticReader, 'settle' | 'settleAll'>;
  /** Absent if no editor offers tests. */
  readonly tests?: EditorTests;
  /** Makes a debugger for a session; absent if only an adapter from the settings can debug. */
  readonly makeDebugger?: () => Debugger;
  /** Limits the number of concurrently working sessions; absent without limit. */
  readonly slots?: SessionSlots;
  /** For one session, whose policy decides on the commands that check for problems. */
  diagnostics(policy: Pick<Policy, 'classify'>, shellParser: LoadShellParser): DiagnosticReader;
}

/** Customizations from files, servers and other programs. */
export interface HostCustomizations {
  readonly consent: ConsentService;
  /** Rules and permanent permissions. */
  readonly policyFiles: PolicyFiles;
  readonly hooks?: Hooks;
  readonly additions?: LoadedCustomizations;
  readonly servers?: () => McpServers | undefined;
  /** Dynamic tools, each list read before each request; absent if only `additions` provide tools. */
  readonly tools?: readonly ((session: SessionForTools) => () => readonly AnyTool[])[];
  /** True if these tools can open pages, so that Folio's own browser tool is off. */
  readonly hasBrowser?: () => boolean;
  /** Context to send before the user's prompt. Never rejects. */
  readonly promptContext?: (prompt: string, signal: AbortSignal) => Promise<readonly Part[]>;
}
