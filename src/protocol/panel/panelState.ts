/*
 * The page's knowledge of a session: its state, with references in the place of long parts. The host cuts it
 * (`vscode/panel/excerpt.ts`) and sends its changes; the page applies them and folds no events. Parts that were left
 * out are asked for: items by `items.load`, whole texts by `output.open`.
 */

import type { DisplayDetail } from '../asks.ts';
import type { CompressionPlan } from '../compression.ts';
import type { Display } from '../events.ts';
import type { Pages } from '../pages.ts';
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
    'seq' | 'answering' | 'shelved' | 'comments' | 'chapters' | 'compression' | 'compressions' | 'rewound'
  > {
  /** So many comments go to the agent with what is sent next. */
  readonly openComments: number;
  readonly chapters: readonly PanelChapter[];
  readonly compression?: PanelOpenCompression;
  readonly compressions: readonly PanelCompression[];
  readonly rewound?: PanelRewound;
}

export interface PanelChapter extends Omit<Chapter, 'items'> {
  readonly items: Pages<PanelItem>;
  /** So many items were left out of `items`, which is empty until they are asked for. */
  readonly unloaded?: number;
  /** Only where items were left out: the last of them says that a turn did not come to rest. */
  readonly brokenOff?: true;
}

export type PanelItem =
  | Exclude<Item, PromptItem | ThoughtItem | CallItem>
  | PanelPrompt
  | PanelThought
  | PanelCall;

export interface PanelPrompt extends PromptItem, Cut {}

export interface PanelThought extends ThoughtItem, Cut {}

/** Where the rest of the text was left out. */
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
  /** So many lines of the middle were left out. */
  readonly cutLines?: number;
}

export interface PanelAgent extends Omit<AgentRun, 'session'> {
  /** Answers of its model. */
  readonly steps: number;
  readonly session: PanelState;
}

/** Its messages are for the model. */
export interface PanelPlan extends Omit<CompressionPlan, 'replacement' | 'cut' | 'keptFrom'> {}

interface PanelCompression extends Omit<Compression, 'plan'> {
  readonly plan: PanelPlan;
}

type PanelOpenCompression =
  | Extract<OpenCompression, { status: 'running' }>
  | (Omit<Extract<OpenCompression, { status: 'proposed' }>, 'plan'> & { readonly plan: PanelPlan });

/** A rewind without the parts that it took away: undoing brings them back. */
export interface PanelRewound extends Pick<Rewound, 'rewindId' | 'to' | 'scope' | 'files'> {
  readonly chapters: readonly PanelChapter[];
}
