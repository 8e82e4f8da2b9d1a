/* Messages from the host to the webview. `intentions.ts` has the opposite direction. */

import type { ApprovalMode, Attachment, RewindTarget } from '../intentions.ts';
import type { CompletionChoice } from '../mentions.ts';
import type { Permission } from '../permissions.ts';
import type { LineRange, RestoredFile } from '../values.ts';
import type { Comparison } from './comparison.ts';
import type { ConnectState } from './connecting.ts';
import type { ContextBreakdown } from './context.ts';
import type { PendingCustomization } from './customizations.ts';
import type { InboxEntry } from './inbox.ts';
import type { McpServer } from './mcp.ts';
import type { PanelState } from './panelState.ts';
import type { Patch } from './patches.ts';
import type { OpenSession, SessionEntry } from './sessions.ts';
import type { Statistics } from './statistics.ts';

/** Moves in the transcript, by commands or by keys of the page. */
export type TranscriptMove =
  | 'nextChapter'
  | 'previousChapter'
  | 'nextCard'
  | 'previousCard'
  | 'toggleCard'
  | 'accept'
  | 'reject'
  /** Rejects without asking for a reason. */
  | 'deny'
  /** Accepts always in this workspace. */
  | 'always'
  /** Runs the command in a terminal. */
  | 'terminal';

/** A chapter or card to reveal, as chosen outside of the panel. */
export interface TranscriptPlace {
  readonly kind: 'chapter' | 'call';
  readonly id: string;
}

export type StoredDrafts = readonly (readonly [of: string, text: string])[];

export type ToWebview =
  /**
   * Stored drafts by `of` of `panel.drafted`; empty: removed. Sent once to each page. `page`: key of the draft
   * of the page's new session, which the page remembers.
   */
  | { readonly type: 'drafts.kept'; readonly drafts: StoredDrafts; readonly page: string }
  /** Replaces the whole session state of the page. */
  | { readonly type: 'session.shown'; readonly state: PanelState }
  /** Changes since the last `session.shown` or `session.changed`. */
  | { readonly type: 'session.changed'; readonly patches: readonly Patch[] }
  | { readonly type: 'environment.changed'; readonly environment: Environment }
  /** Answers `sessions.list` with the same query, newest first. `limited`: there are more. */
  | {
      readonly type: 'sessions.listed';
      readonly query: string;
      readonly sessions: readonly SessionEntry[];
      readonly limited: boolean;
    }
  /** All open sessions of this window, including the shown one. Sent again when a fact of one changes. */
  | { readonly type: 'sessions.open'; readonly sessions: readonly OpenSession[] }
  | { readonly type: 'attachment.added'; readonly attachment: Attachment }
  | { readonly type: 'composer.focused' }
  /**
   * Returns the text of a prompt that was rewound or not sent to the composer, above its current text. `hint`: one
   * sentence with the reason.
   */
  | {
      readonly type: 'composer.filled';
      readonly text: string;
      readonly attachments: readonly Attachment[];
      readonly hint?: string;
    }
  | { readonly type: 'rewind.previewed'; readonly to: RewindTarget; readonly files: readonly RestoredFile[] }
  /** In the order in which rules are evaluated. */
  | { readonly type: 'permissions.listed'; readonly permissions: readonly Permission[] }
  /** In the order of the configuration. Sent again after each change while the page shows them. */
  | { readonly type: 'mcp.listed'; readonly servers: readonly McpServer[] }
  /** Sent again after each change. `problem`: why the inbox cannot be read. */
  | { readonly type: 'inbox.listed'; readonly entries: readonly InboxEntry[]; readonly problem?: string }
  /** Sent again after each change. Absent: there is no comparison. */
  | { readonly type: 'comparison.told'; readonly comparison?: Comparison }
  /** Answers `panel.statistics` with the same `days`. `problem`: why statistics are missing. */
  | {
      readonly type: 'statistics.told';
      readonly days: number;
      readonly statistics?: Statistics;
      readonly problem?: string;
    }
  /** The user edited the file of a plan. `path`: absolute. */
  | { readonly type: 'plan.told'; readonly path: string; readonly text: string }
  /**
   * Answers `panel.picture`. `address`: a data URL; absent: the picture is gone. `isOpen`: the browser of the session
   * still has a page.
   */
  | {
      readonly type: 'picture.told';
      readonly callId: string;
      readonly address?: string | undefined;
      readonly isOpen?: boolean;
    }
  /** Answers `panel.app`. `problem`: one sentence why the page cannot be shown. */
  | {
      readonly type: 'app.told';
      readonly callId: string;
      readonly app?: ShownApp;
      readonly problem?: string;
    }
  /** Answers `panel.appSent`, as JSON. */
  | { readonly type: 'app.answered'; readonly app: string; readonly text: string }
  /** All texts that MCP pages add to the next prompt of the shown session. Sent again after each change. */
  | { readonly type: 'app.adds'; readonly additions: readonly AppPromptText[] }
  | { readonly type: 'context.described'; readonly breakdown: ContextBreakdown }
  /** Sent again after each change. */
  | { readonly type: 'connect.told'; readonly connecting: ConnectState }
  /** Best first. `limited`: there are more. */
  | {
      readonly type: 'completion.told';
      readonly number: number;
      readonly choices: readonly CompletionChoice[];
      readonly limited: boolean;
    }
  | { readonly type: 'transcript.moved'; readonly move: TranscriptMove }
  | { readonly type: 'place.shown'; readonly place: TranscriptPlace }
  /** Opens a page of the panel for a toolbar button or a command. */
  | {
      readonly type: 'view.shown';
      readonly view:
        | 'transcript'
        | 'outline'
        | 'history'
        | 'permissions'
        | 'mcp'
        | 'inbox'
        | 'comparison'
        | 'statistics'
        | 'connect';
    };

export interface AppPromptText {
  /** The ID of the page. */
  readonly app: string;
  readonly server: string;
  readonly text: string;
}

/** Page of an MCP server for display. */
export interface ShownApp {
  /** New each time the page is opened. */
  readonly id: string;
  readonly address: string;
  /** Origins that the page requests to reach. */
  readonly hosts: readonly string[];
  /** True if the user allowed these origins. */
  readonly isGranted: boolean;
  /** Allowed origins, as `csp` of MCP Apps. */
  readonly csp: object;
  /** Data of the call for the page. */
  readonly given: {
    /** Declaration of the tool. Absent: the server no longer has it. */
    readonly tool?: object | undefined;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly result: Readonly<Record<string, unknown>>;
  };
}

/** Facts for the panel besides the session. */
export interface Environment {
  /** `none`: neither key nor rehearsal, so nothing can be sent. */
  readonly connection: 'none' | 'key' | 'rehearsal';
  /** Provider of the settings. Absent: Gemini. */
  readonly provider?:
    | 'gemini'
    | 'anthropic'
    | 'openai-responses'
    | 'openai'
    | 'vertex'
    | 'bedrock'
    | 'vscode';
  /** Why the key in use does not work, as far as known. */
  readonly keyProblem?: string | undefined;
  readonly trusted: boolean;
  readonly folders: readonly string[];
  readonly models: readonly ModelChoice[];
  /** Active file of the editor, as a path for a mention. */
  readonly activeFile?: string;
  /** Selected lines of the active file, which are sent with the prompt unless the user left them out. */
  readonly selectedLines?: LineRange;
  readonly isSelectionOmitted?: boolean;
  /** Customizations of the trusted workspace that wait for a decision. */
  readonly unseen: readonly PendingCustomization[];
  /** True if a chapter folds when the next one begins. */
  readonly foldFinishedChapters: boolean;
  readonly spoken: AnnouncementSettings;
  /** Effort by model id; `*` applies to all others. */
  readonly efforts: Readonly<Record<string, Effort>>;
  /** Approval modes that the organisation allows beside `plan`; absent: all. */
  readonly modes?: readonly ApprovalMode[] | undefined;
}

/** Screen reader announcements, by VS Code's settings. */
export interface AnnouncementSettings {
  /** Announces asks (`accessibility.signals.chatUserActionRequired`). */
  readonly asks: boolean;
  /** Announces chapters and retries (`accessibility.verboseChatProgressUpdates`). */
  readonly progress: boolean;
  /** Announces the hint about the text transcript (`accessibility.verbosity.panelChat`). */
  readonly hints: boolean;
}

export type Effort = 'low' | 'medium' | 'high' | 'max';

export interface ModelChoice {
  readonly id: string;
  readonly label: string;
  /** Tokens that fit into one request. */
  readonly contextLimit: number;
  readonly price?: ModelPrice;
  /** Efforts that can be chosen, lowest first. Absent: none. */
  readonly efforts?: readonly Effort[];
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  /** Price of tokens read from the provider's cache. */
  readonly cached: number;
  readonly output: number;
}
