/* An agent is assembled over these ports: a window brings them, and so does a run without one. */

import type { Part } from '../../protocol/events.ts';
import type { Elsewhere } from '../../protocol/worktree.ts';
import type { Consent } from '../core/consent/consent.ts';
import type { Inbox } from '../core/context/inbox/inbox.ts';
import type { Additions } from '../core/customizations/additions.ts';
import type { Hooks } from '../core/hooks/hooks.ts';
import type { Policy } from '../core/policy/policy.ts';
import type { SessionSlots } from '../core/session/sessionSlots.ts';
import type { Storage, ToolSurface } from '../core/session/workplace.ts';
import type { AnyTool } from '../core/tool.ts';
import type { McpServers } from '../mcp/mcpServers.ts';
import type { Observers } from '../observers/observers.ts';
import type { SessionPages } from '../platform/browser/browser.ts';
import type { Clock } from '../platform/clock.ts';
import type { PolicyFiles } from '../platform/customizations/policyFiles.ts';
import type { Debugger } from '../platform/debug/debugger.ts';
import type { Diagnostics } from '../platform/diagnostics.ts';
import type { Editor } from '../platform/editor.ts';
import type { EditorTests } from '../platform/editorTests.ts';
import type { FileSystem } from '../platform/fileSystem.ts';
import type { HttpTransport } from '../platform/http/httpTransport.ts';
import type { Languages } from '../platform/languages.ts';
import type { Log } from '../platform/log.ts';
import type { Machine } from '../platform/machine.ts';
import type { OtherWriters } from '../platform/otherWriters.ts';
import type { Processes } from '../platform/processes.ts';
import type { ProgramSandbox, Sandbox, SandboxGrants } from '../platform/sandbox.ts';
import type { Search } from '../platform/search.ts';
import type { Settings } from '../platform/settings.ts';
import type { VersionControl } from '../platform/versionControl.ts';
import type { Workbench } from '../platform/workbench.ts';
import type { Worktrees } from '../platform/worktrees.ts';
import type { ModelAccess } from './modelAccess.ts';
import type { LoadShellParser } from './shellGrammars.ts';

/** The differences between a window and a run without one. */
export interface Host {
  readonly machine: Machine;
  readonly user: UserInteraction;
  readonly workspace: HostWorkspace;
  readonly editor: Editor;
  /** The window's knowledge beside files. */
  readonly workbench: Workbench;
  readonly processes: Processes;
  readonly sandbox: HostSandbox;
  readonly storage: HostStorage;
  readonly settings: Settings;
  readonly access: ModelAccess;
  /** The way to agents on other servers. */
  readonly transport: HttpTransport;
  readonly worktrees: Worktrees;
  readonly added: Added;
  readonly clock: Clock;
  readonly log: Log;
  /** The user may take over pages of these; absent: nobody can. */
  readonly pages?: SessionPages;
  readonly observers: Pick<Observers, 'follow'>;
  /** The same host over the folders of a worktree, or with its commands in a container. */
  moveTo(place: Elsewhere): Host;
}

/** Things that outlive a session. */
export interface HostStorage extends Omit<Storage, 'inbox'> {
  /** Absent: sessions propose nothing. */
  readonly inbox?: Inbox;
}

export interface HostSandbox extends Sandbox, ProgramSandbox {
  /** Every command of the host gets these. */
  readonly grants: SandboxGrants;
}

/** The user who reads and answers. */
export interface UserInteraction {
  /** They are there to decide. */
  readonly interactive: boolean;
  /** They follow in a window, can type into the terminals of commands, and see diagrams and charts drawn. */
  readonly hasWindow?: boolean;
  /** Takes a sentence for them that is no part of a session. */
  readonly notify: (sentence: string) => void;
  /** How often they have changed a key, whose quota is another one's; absent: never. */
  readonly keyChanges?: () => number;
}

export interface HostWorkspace {
  /** Absolute, the first is the base of relative paths. */
  readonly folders: readonly string[];
  readonly trusted: () => boolean;
  readonly files: FileSystem;
  /** The user's, where a window shows them. */
  readonly editors?: OtherWriters;
  readonly search: Search;
  /** Tells what commands change. */
  readonly versionControl: VersionControl;
  /** Absent: no language server can be asked. */
  readonly languages?: Languages;
  /** Problems that servers know, without other checks; absent: `diagnostics` has nothing else. */
  readonly serverProblems?: Pick<Diagnostics, 'settle' | 'debounce'>;
  /** Absent: no editor offers tests. */
  readonly tests?: EditorTests;
  /** Makes one for a session; absent: only an adapter of the settings can debug. */
  readonly makeDebugger?: () => Debugger;
  /** Limits how many sessions work at once; absent: nothing does here. */
  readonly places?: SessionSlots;
  /** For one session, whose policy decides on commands that look for problems. */
  diagnostics(policy: Pick<Policy, 'classify'>, shellParser: LoadShellParser): Diagnostics;
}

/** Things that files, servers and other programs add to Folio. */
export interface Added {
  readonly consent: Consent;
  /** Rules and lasting permissions. */
  readonly policyFiles: PolicyFiles;
  /** Absent: none run. */
  readonly hooks?: Hooks;
  /** Absent: nothing is added. */
  readonly additions?: Additions;
  /** Those that run; absent or nothing: none do. */
  readonly servers?: () => McpServers | undefined;
  /** Tools that come and go, each list asked before each request; absent: only those that `additions` lead to. */
  readonly tools?: readonly ((session: ToolSurface) => () => readonly AnyTool[])[];
  /** Their tools open pages in a browser, so Folio's own does not; absent: none do. */
  readonly hasBrowser?: () => boolean;
  /** Context that goes along with a prompt, before the user's words. Never rejects. */
  readonly promptContext?: (prompt: string, signal: AbortSignal) => Promise<readonly Part[]>;
}
