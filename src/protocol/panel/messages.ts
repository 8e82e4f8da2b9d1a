/* The facts that the host tells the webview. The webview's intentions stand in `intentions.ts`. */

import type { ApprovalMode, Attachment, RewindPoint } from '../intentions.ts';
import type { CompletionChoice } from '../mentions.ts';
import type { Permission } from '../permissions.ts';
import type { LineRange, RestoredFile } from '../values.ts';
import type { Comparison } from './comparison.ts';
import type { ConnectState } from './connecting.ts';
import type { ContextBreakdown } from './context.ts';
import type { UnseenItem } from './customizations.ts';
import type { InboxEntry } from './inbox.ts';
import type { McpServer } from './mcp.ts';
import type { PanelState } from './panelState.ts';
import type { Patch } from './patches.ts';
import type { OpenSession, SessionEntry } from './sessions.ts';
import type { Statistics } from './statistics.ts';

/** Moves that commands make in the transcript, where keys of the page do too. */
export type TranscriptMove =
  | 'nextChapter'
  | 'previousChapter'
  | 'nextCard'
  | 'previousCard'
  | 'toggleCard'
  | 'accept'
  | 'reject'
  /** As `reject`, without the question why. */
  | 'deny'
  /** Accepts, and for this workspace from now on. */
  | 'always';

/** A chapter, or a call's card, that something outside of the panel leads to. */
export interface TranscriptPlace {
  readonly kind: 'chapter' | 'call';
  readonly id: string;
}

export type StoredDrafts = readonly (readonly [of: string, text: string])[];

export type ToWebview =
  /**
   * Drafts that the host kept, by `of` of `panel.drafted`; those that are empty are gone. Once for each page. `page`:
   * under which the host keeps the draft of the page's new session; the page remembers it.
   */
  | { readonly type: 'drafts.kept'; readonly drafts: StoredDrafts; readonly page: string }
  /** Replaces everything the page knows of the session. */
  | { readonly type: 'session.shown'; readonly state: PanelState }
  /** The differences from all that was told before. */
  | { readonly type: 'session.changed'; readonly patches: readonly Patch[] }
  | { readonly type: 'environment.changed'; readonly environment: Environment }
  /** Newest first, the answer to the question with this query. `limited`: there were more. */
  | {
      readonly type: 'sessions.listed';
      readonly query: string;
      readonly sessions: readonly SessionEntry[];
      readonly limited: boolean;
    }
  /** Sessions that are open in this window, the shown one among them; told again when a fact of one changes. */
  | { readonly type: 'sessions.open'; readonly sessions: readonly OpenSession[] }
  | { readonly type: 'attachment.added'; readonly attachment: Attachment }
  | { readonly type: 'composer.focused' }
  /**
   * The text of a prompt that was rewound or could not be sent comes back; what stood in the composer goes below it.
   * `hint`: a sentence why.
   */
  | {
      readonly type: 'composer.filled';
      readonly text: string;
      readonly attachments: readonly Attachment[];
      readonly hint?: string;
    }
  | { readonly type: 'rewind.previewed'; readonly to: RewindPoint; readonly files: readonly RestoredFile[] }
  /** In the order in which they are asked. */
  | { readonly type: 'permissions.listed'; readonly permissions: readonly Permission[] }
  /** In the order of the configuration; told again whenever one changes while the page shows them. */
  | { readonly type: 'mcp.listed'; readonly servers: readonly McpServer[] }
  /** Told again whenever it changes. `problem`: why it cannot be read. */
  | { readonly type: 'inbox.listed'; readonly entries: readonly InboxEntry[]; readonly problem?: string }
  /** Told again whenever it changes; absent: nothing is compared. */
  | { readonly type: 'comparison.told'; readonly comparison?: Comparison }
  /** Answers `panel.statistics` with the same `days`. `problem`: why there are none. */
  | {
      readonly type: 'statistics.told';
      readonly days: number;
      readonly statistics?: Statistics;
      readonly problem?: string;
    }
  /** Answers `panel.picture`. `address`: a data URL; absent: the picture is gone. */
  | { readonly type: 'picture.told'; readonly callId: string; readonly address?: string }
  /** Answers `panel.app`. `problem`: a sentence, why it cannot be shown. */
  | {
      readonly type: 'app.told';
      readonly callId: string;
      readonly app?: ShownApp;
      readonly problem?: string;
    }
  /** The answer to a message of this page, as JSON. */
  | { readonly type: 'app.answered'; readonly app: string; readonly text: string }
  /** All texts that pages of servers add to the next prompt of the shown session; told again whenever one changes. */
  | { readonly type: 'app.adds'; readonly additions: readonly AppAddition[] }
  | { readonly type: 'context.described'; readonly breakdown: ContextBreakdown }
  /** Told again whenever it changes. */
  | { readonly type: 'connect.told'; readonly connecting: ConnectState }
  /** Best first. `limited`: there was more. */
  | {
      readonly type: 'completion.told';
      readonly number: number;
      readonly choices: readonly CompletionChoice[];
      readonly limited: boolean;
    }
  | { readonly type: 'transcript.moved'; readonly move: TranscriptMove }
  | { readonly type: 'place.shown'; readonly place: TranscriptPlace }
  /** A view toolbar button or a command wants a page of the panel. */
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

export interface AppAddition {
  /** The ID of the page. */
  readonly app: string;
  readonly server: string;
  readonly text: string;
}

/** A page of a server, as the panel shows it. */
export interface ShownApp {
  /** Another one each time that it is opened. */
  readonly id: string;
  readonly address: string;
  /** Origins that the page wants to reach. */
  readonly hosts: readonly string[];
  /** The user let it reach them. */
  readonly isGranted: boolean;
  /** Origins that it may reach at present, in the words of the protocol. */
  readonly csp: object;
  /** The page gets this of its call. */
  readonly given: {
    /** The tool as its server describes it; absent: it has it no longer. */
    readonly tool?: object | undefined;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly result: Readonly<Record<string, unknown>>;
  };
}

/** Facts that the panel needs beside the session. */
export interface Environment {
  /** `none`: no key and no rehearsal, nothing can be sent. */
  readonly connection: 'none' | 'key' | 'rehearsal';
  /** The provider that the user chose; absent: Gemini. */
  readonly provider?:
    | 'gemini'
    | 'anthropic'
    | 'openai-responses'
    | 'openai'
    | 'vertex'
    | 'bedrock'
    | 'vscode';
  readonly trusted: boolean;
  readonly folders: readonly string[];
  readonly models: readonly ModelChoice[];
  /** File that is active in the editor, relative, as it would go into the prompt. */
  readonly activeFile?: string;
  /** Lines of it that are selected, so that they go along. */
  readonly selectedLines?: LineRange;
  /** Things that the trusted workspace brings and the user has not decided on. */
  readonly unseen: readonly UnseenItem[];
  /** Chapters fold when the next one begins. */
  readonly foldFinishedChapters: boolean;
  readonly spoken: Spoken;
  /** The effort that is set, by the id of a model; `*` stands for all that are not named. */
  readonly efforts: Readonly<Record<string, Effort>>;
  /** Approval modes that the organisation allows beside `plan`; absent: all. */
  readonly modes?: readonly ApprovalMode[] | undefined;
}

/** Announcements of a screen reader, as VS Code's settings have it. */
export interface Spoken {
  /** An ask is said, by `accessibility.signals.chatUserActionRequired`. */
  readonly asks: boolean;
  /** Chapters and retries are said while the agent works, by `accessibility.verboseChatProgressUpdates`. */
  readonly progress: boolean;
  /** The way to the transcript as text is said, by `accessibility.verbosity.panelChat`. */
  readonly hints: boolean;
}

export type Effort = 'low' | 'medium' | 'high' | 'max';

export interface ModelChoice {
  readonly id: string;
  readonly label: string;
  /** Tokens that fit into one request. */
  readonly contextLimit: number;
  readonly price?: ModelPrice;
  /** How hard it can be told to think, the least first; absent: it has no such choice. */
  readonly efforts?: readonly Effort[];
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  /** The price of tokens from the provider's cache. */
  readonly cached: number;
  readonly output: number;
}
