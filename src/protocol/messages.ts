/* What crosses between host and webview. ToHost are intentions, ToWebview are facts. */

import type { RestoredFile, RewindPoint, RewindScope } from './changes.ts';
import type { ConnectAction, Connecting, ConnectWay } from './connecting.ts';
import type { ContextBreakdown } from './context.ts';
import type { UnseenItem } from './customizations.ts';
import type { ApprovalMode, Attachment, SessionEvent } from './events.ts';
import type { UnseenHook } from './hooks.ts';
import type { McpAction, McpServer } from './mcp.ts';
import type { CompletionChoice, CompletionTrigger } from './mentions.ts';
import type { Permission } from './permissions.ts';
import type { Answer } from './questions.ts';
import type { QueuedPrompt } from './queue.ts';
import type { FallbackDecision } from './routing.ts';
import type { OpenSession, SessionEntry } from './sessions.ts';
import type { Item, SessionState } from './state.ts';

export type ToHost =
  /** The page has loaded and wants a snapshot. */
  | { readonly type: 'panel.ready' }
  | { readonly type: 'prompt.send'; readonly text: string; readonly attachments: readonly Attachment[] }
  | { readonly type: 'turn.stop' }
  /** Sends the last prompt's turn on, after it failed or was stopped. `endId`: of the end that was shown. */
  | { readonly type: 'turn.retry'; readonly endId: string }
  /** Ends the waiting before a retry. */
  | { readonly type: 'retry.now' }
  /** `askId`: of the ask that was shown; another one of the same call is not decided on by it. */
  | {
      readonly type: 'call.decide';
      readonly callId: string;
      readonly askId: string;
      readonly decision: PanelDecision;
    }
  /** Opens the proposal of a call in the diff editor. */
  | { readonly type: 'diff.open'; readonly callId: string }
  /** Opens everything that the session changed in the multi-file diff editor. */
  | { readonly type: 'changes.open' }
  /** Opens the whole output of a call, or the whole text of a prompt or thought, in an editor. */
  | { readonly type: 'output.open'; readonly callId: string }
  | { readonly type: 'file.open'; readonly path: string; readonly line?: number }
  | { readonly type: 'link.open'; readonly url: string }
  | { readonly type: 'text.copy'; readonly text: string }
  /** `shown`: the files that it is about, as they were shown; one that has changed since is not decided on. */
  | { readonly type: 'review.accept'; readonly place: PanelReviewPlace; readonly shown: readonly ShownFile[] }
  | { readonly type: 'review.reject'; readonly place: PanelReviewPlace; readonly shown: readonly ShownFile[] }
  | { readonly type: 'review.bringBack'; readonly path: string; readonly hunkId: number }
  /** Opens the file in the editor, at the hunk. */
  | { readonly type: 'review.open'; readonly path: string; readonly hunkId?: number }
  /** Asks what going back would do to files; answered by `rewind.previewed`. */
  | { readonly type: 'rewind.preview'; readonly to: RewindPoint }
  | { readonly type: 'rewind.do'; readonly to: RewindPoint; readonly scope: RewindScope }
  | { readonly type: 'rewind.undo' }
  | { readonly type: 'mode.set'; readonly mode: ApprovalMode }
  | { readonly type: 'model.set'; readonly model: string }
  /** Opens VS Code's picker of models. */
  | { readonly type: 'model.select' }
  | { readonly type: 'session.new' }
  | { readonly type: 'session.open'; readonly sessionId: string }
  /** Those whose title, chapters or prompts hold all words of the query; empty: all. */
  | { readonly type: 'sessions.list'; readonly query: string }
  | { readonly type: 'session.rename'; readonly sessionId: string; readonly title: string }
  /** Takes it out of the list; `session.restore` brings it back until Folio tidies up. */
  | { readonly type: 'session.delete'; readonly sessionId: string }
  | { readonly type: 'session.restore'; readonly sessionId: string }
  /** Asks for the items of a chapter that the snapshot left out; answered by `chapter.loaded`. */
  | { readonly type: 'chapter.load'; readonly chapterId: string }
  /** How the turn goes on whose model failed. `askId`: of the question that was shown. */
  | { readonly type: 'fallback.decide'; readonly askId: string; readonly decision: FallbackDecision }
  | { readonly type: 'key.set' }
  /** The card that connects a model is shown and wants to know what is there; answered by `connect.told`. */
  | { readonly type: 'connect.open' }
  | { readonly type: 'connect.start'; readonly way: ConnectWay }
  /** `id`: of an `OfferedModel` that was told. */
  | { readonly type: 'connect.choose'; readonly id: string }
  | { readonly type: 'connect.act'; readonly action: ConnectAction }
  /** Ends what is being looked for or tried. */
  | { readonly type: 'connect.stop' }
  | { readonly type: 'settings.open' }
  | { readonly type: 'folder.open' }
  | { readonly type: 'trust.manage' }
  /** Makes a summary of the oldest part and asks whether to apply it. */
  | { readonly type: 'context.compress' }
  | { readonly type: 'compression.apply'; readonly compressionId: string }
  /** Opens the summary in an editor; saving changes it. */
  | { readonly type: 'compression.edit'; readonly compressionId: string }
  /** Ends one that is being made, or drops a proposed one. */
  | { readonly type: 'compression.discard'; readonly compressionId: string }
  | { readonly type: 'compression.undo'; readonly compressionId: string }
  | { readonly type: 'pin.set'; readonly id: string; readonly pinned: boolean }
  /** Asks what fills the context; answered by `context.described`. */
  | { readonly type: 'context.describe' }
  /** Opens the newest request in an editor. */
  | { readonly type: 'request.show' }
  | { readonly type: 'chapter.rename'; readonly chapterId: string; readonly title: string }
  /** The person folded or unfolded one by hand; how it looks is the page's own. */
  | { readonly type: 'chapter.folded'; readonly chapterId: string }
  /** Puts it on the clipboard as Markdown. */
  | { readonly type: 'chapter.copy'; readonly chapterId: string }
  | { readonly type: 'chapter.export'; readonly chapterId: string }
  /** Without an id: the one that is shown. */
  | { readonly type: 'session.export'; readonly sessionId?: string }
  /** While the agent works: waits, is told at the next step, or ends the turn and goes first. */
  | {
      readonly type: 'prompt.queue';
      readonly text: string;
      readonly attachments: readonly Attachment[];
      readonly how: QueuedPrompt['when'] | 'stopAndSend';
    }
  | { readonly type: 'queue.change'; readonly prompt: QueuedPrompt }
  | { readonly type: 'queue.remove'; readonly id: string }
  /** Ends the turn that runs and sends this prompt first. */
  | { readonly type: 'queue.sendNow'; readonly id: string }
  | { readonly type: 'permissions.list' }
  | { readonly type: 'permission.remove'; readonly id: string }
  /** Lets the workspace's hooks run, or keeps them from it. */
  | { readonly type: 'hooks.decide'; readonly allowed: boolean; readonly ids: readonly string[] }
  /** The same for everything else that the workspace brings and the person has not decided on. */
  | { readonly type: 'unseen.decide'; readonly allowed: boolean; readonly ids: readonly string[] }
  /** Ends the work of one subagent; the call fails with what it has found so far. */
  | { readonly type: 'agent.stop'; readonly callId: string }
  | { readonly type: 'mcp.list' }
  | { readonly type: 'mcp.act'; readonly server: string; readonly action: McpAction }
  | { readonly type: 'plan.open' }
  /** What could stand at the caret; answered by `completion.told` with the same number. */
  | {
      readonly type: 'completion.ask';
      readonly number: number;
      readonly trigger: CompletionTrigger;
      /** What was typed after the trigger. */
      readonly query: string;
    };

export type PanelDecision =
  | { readonly kind: 'once' }
  /** `choice`: the id of one of the ask's lasting permissions. */
  | { readonly kind: 'always'; readonly choice: string }
  /** One answer for each question. */
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
  /** Approves the plan as it stands in its file; from then on the session works in this mode. */
  | { readonly kind: 'plan'; readonly mode: 'default' | 'autoEdit' }
  /** Indices of the hunks of the ask's diff that are taken. */
  | { readonly kind: 'hunks'; readonly accepted: readonly number[] }
  | { readonly kind: 'deny'; readonly reason?: string };

/** Which hunks a decision is about; what is left out stands for all. */
export interface PanelReviewPlace {
  /** Absolute, as in `ReviewedFile.path`. */
  readonly path?: string;
  readonly hunkId?: number;
  readonly chapterId?: string;
}

/** As in `ReviewedFile`. */
export interface ShownFile {
  readonly path: string;
  readonly present: string;
}

/** Moves that a palette command makes in the transcript, where keys of the page do too. */
export type TranscriptMove =
  | 'nextChapter'
  | 'previousChapter'
  | 'nextCard'
  | 'previousCard'
  | 'toggleCard'
  | 'accept'
  | 'reject';

export type ToWebview =
  /** Replaces everything the page knows of the session. */
  | { readonly type: 'session.snapshot'; readonly state: SessionState }
  /** In order and without gaps but for events that the page has no use for (`message.added`). */
  | { readonly type: 'session.events'; readonly events: readonly SessionEvent[] }
  /** The same of the subagent that this call sent out. */
  | {
      readonly type: 'agent.events';
      readonly callId: string;
      readonly agent: string;
      readonly events: readonly SessionEvent[];
    }
  | { readonly type: 'surroundings.changed'; readonly surroundings: Surroundings }
  /** Newest first, the answer to the question with this query. `limited`: there were more. */
  | {
      readonly type: 'sessions.listed';
      readonly query: string;
      readonly sessions: readonly SessionEntry[];
      readonly limited: boolean;
    }
  /** Those that are open in this window beside the one that is shown. */
  | { readonly type: 'sessions.open'; readonly sessions: readonly OpenSession[] }
  /** All items of a chapter whose items were left out of the snapshot (`Chapter.unloaded`). */
  | { readonly type: 'chapter.loaded'; readonly chapterId: string; readonly items: readonly Item[] }
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
  | { readonly type: 'context.described'; readonly breakdown: ContextBreakdown }
  /** Told again whenever it changes. */
  | { readonly type: 'connect.told'; readonly connecting: Connecting }
  /** Best first. `limited`: there was more. */
  | {
      readonly type: 'completion.told';
      readonly number: number;
      readonly choices: readonly CompletionChoice[];
      readonly limited: boolean;
    }
  | { readonly type: 'transcript.moved'; readonly move: TranscriptMove }
  /** A view toolbar button or a command wants a page of the panel. */
  | {
      readonly type: 'view.shown';
      readonly view: 'transcript' | 'outline' | 'history' | 'permissions' | 'mcp' | 'connect';
    };

/** What the panel must know beside the session. */
export interface Surroundings {
  /** `none`: no key and no rehearsal, nothing can be sent. */
  readonly connection: 'none' | 'key' | 'rehearsal';
  /** Whom the person chose to answer; absent: Gemini. */
  readonly provider?: 'gemini' | 'openai' | 'vertex' | 'vscode';
  readonly trusted: boolean;
  readonly folders: readonly string[];
  readonly models: readonly ModelChoice[];
  /** File that is active in the editor, relative, as it would go into the prompt. */
  readonly activeFile?: string;
  /** Hooks that the trusted workspace brings and the person has not decided on; empty: none. */
  readonly unseenHooks: readonly UnseenHook[];
  /** What else it brings; empty or absent: nothing. */
  readonly unseen?: readonly UnseenItem[];
  /** Chapters fold when the next one begins. */
  readonly foldFinishedChapters: boolean;
}

export interface ModelChoice {
  readonly id: string;
  readonly label: string;
  /** Tokens that fit into one request. */
  readonly contextLimit: number;
  readonly price?: ModelPrice;
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  /** Of what the provider's cache had. */
  readonly cached: number;
  readonly output: number;
}
