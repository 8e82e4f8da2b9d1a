/*
 * The session state of the page, without long parts. The host makes this excerpt (`vscode/panel/excerpt.ts`) and sends
 * patches; the page applies them and folds no events. It loads omitted items by `items.load` and opens full texts by
 * `output.open`.
 */

import type { DisplayDetail } from '../asks.ts';
import type { CompressionPlan } from '../compression.ts';
import type { Display } from '../events.ts';
import type { PagedList } from '../pagedList.ts';
import type {
  AgentRun,
  CallItem,
  CallStatus,
  Chapter,
  Compression,
  Item,
  OpenCompression,
  PromptItem,
  Rewound,
  SessionState,
  ThoughtItem,
} from '../state.ts';

export interface PanelState
  extends Omit<
    SessionState,
    | 'seq'
    | 'answering'
    | 'newestStep'
    | 'shelved'
    | 'comments'
    | 'chapters'
    | 'compression'
    | 'compressions'
    | 'rewound'
  > {
  /** Number of comments that are sent with the next prompt. */
  readonly openComments: number;
  readonly chapters: readonly PanelChapter[];
  readonly compression?: PanelOpenCompression;
  readonly compressions: readonly PanelCompression[];
  readonly rewound?: PanelRewound;
}

export interface PanelChapter extends Omit<Chapter, 'items'> {
  readonly items: PagedList<PanelItem>;
  /** Number of items that are not loaded; `items` is then empty. */
  readonly unloaded?: number;
  /** Only with `unloaded`: true if the last item says that a turn did not end normally. */
  readonly brokenOff?: true;
}

export type PanelItem =
  | Exclude<Item, PromptItem | ThoughtItem | CallItem>
  | PanelPrompt
  | PanelThought
  | PanelCall;

export interface PanelPrompt extends PromptItem, Cut {}

export interface PanelThought extends ThoughtItem, Cut {}

/** Says where a text was cut. */
interface Cut {
  readonly cut?: true;
}

export interface PanelCall extends Omit<CallItem, 'agent' | 'said' | 'status'> {
  readonly agent?: PanelAgent;
  readonly status: PanelCallStatus;
}

export type PanelCallStatus =
  | Exclude<CallStatus, { kind: 'ended' }>
  | (Omit<Extract<CallStatus, { kind: 'ended' }>, 'display'> & { readonly display: PanelDisplay });

export interface PanelDisplay extends Omit<Display, 'detail'> {
  readonly detail?: PanelDetail;
}

export type PanelDetail =
  | Exclude<DisplayDetail, { kind: 'text' | 'command' }>
  | (Extract<DisplayDetail, { kind: 'text' }> & CutLines)
  | (Extract<DisplayDetail, { kind: 'command' }> & CutLines);

interface CutLines {
  /** Number of lines left out in the middle. */
  readonly cutLines?: number;
}

export interface PanelAgent extends Omit<AgentRun, 'session'> {
  /** Number of answers of its model. */
  readonly steps: number;
  readonly session: PanelState;
}

/** A compression plan without messages for the model. */
export interface PanelPlan extends Omit<CompressionPlan, 'replacement' | 'cut' | 'keptFrom'> {}

interface PanelCompression extends Omit<Compression, 'plan'> {
  readonly plan: PanelPlan;
}

type PanelOpenCompression =
  | Extract<OpenCompression, { status: 'running' }>
  | (Omit<Extract<OpenCompression, { status: 'proposed' }>, 'plan'> & { readonly plan: PanelPlan });

/** A rewind. `chapters` has only what `to` names, to describe it; the host keeps the rest for the undo. */
export interface PanelRewound extends Pick<Rewound, 'rewindId' | 'to' | 'scope' | 'files'> {
  readonly chapters: readonly PanelChapter[];
}
