import type { PageFrame, PageInput, PageLoss } from '../../../protocol/panel/pageTab.ts';
import type { TabSharing } from './tabs.ts';

export type { PageFrame, PageInput, PageLoss };

/**
 * The browser of one session. It starts with the first page, and has no profile of the user's. While they share a tab
 * of theirs, that is the open page.
 */
export interface Browser {
  /** A program was found that can be started, or a tab is shared. */
  isThere(): boolean;
  /** A page was opened in this session. */
  readonly isUsed: boolean;
  /** The address of the open page; absent: none is open. */
  readonly address: string | undefined;
  /**
   * Navigates to an address that the policy has let through, and to whose host the page may go from then on.
   *
   * @param width of the page in CSS pixels; absent: as it was
   */
  open(address: string, width: number | undefined, signal: AbortSignal): Promise<PageChanges>;
  look(view: PageView, signal: AbortSignal): Promise<Seen>;
  /**
   * Loads the open page again. What an earlier result has shown is left out. `undefined`: no page of this machine is
   * open.
   */
  check(signal: AbortSignal): Promise<PageFaults | undefined>;
  /** Takes the steps in order, up to the first that fails. */
  act(steps: readonly PageStep[], signal: AbortSignal): Promise<PageChanges>;
  /** Runs a script in the page. */
  run(script: string, signal: AbortSignal): Promise<PageChanges & { readonly value: string }>;
  /** The user has the page: everything else rejects with a `BrowserError` until they give it back. */
  readonly isUsers: boolean;
  /** Resolves once the user does not have the page; `true`: they had it. Rejects with the signal's reason. */
  untilFree(signal: AbortSignal): Promise<boolean>;
  /** Gives the page to the user, after the agent's step that runs. Rejects with a `BrowserError` without a page. */
  takeOver(viewer: PageViewer): Promise<TakenPage>;
  readonly sharing: TabSharing;
  /** Resolves when no process of the browser is left. */
  close(): Promise<void>;
}

/** The browsers of the sessions that are open, by session. */
export type SessionPages = Map<string, Browser>;

/** Shows the user the page that they have. */
export interface PageViewer {
  /** The next picture comes once this one is shown. */
  show(frame: PageFrame): Promise<void>;
  /** Answers a dialog of the page: the text of a prompt, else any; `undefined` dismisses it. */
  answer(question: PageQuestion): Promise<string | undefined>;
  /** Called once. @param lost what is gone; absent: the page was given back, or its session closed */
  ended(lost?: PageLoss): void;
}

export interface PageQuestion {
  /** As `Page.javascriptDialogOpening` of the DevTools protocol names it. */
  readonly kind: string;
  readonly message: string;
  /** The text that a prompt begins with. */
  readonly value: string;
}

export interface TakenPage {
  /** Takes effect in the order of the calls. What comes after the end does nothing. */
  input(event: PageInput): Promise<void>;
  /** Does nothing for a page that is gone. */
  giveBack(): Promise<void>;
}

export const viewKinds = ['outline', 'picture', 'text', 'console', 'network'] as const;

export interface PageView {
  readonly what: (typeof viewKinds)[number];
  /** A reference of the outline, or a CSS selector; absent: the whole page. */
  readonly at?: string | undefined;
  /** An image file, base64, that the picture is compared with. */
  readonly compareTo?: string | undefined;
}

/** Content of a page, as it says it itself: untrusted. */
export type Seen =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'picture'; readonly difference?: PictureDifference | undefined } & Picture);

export interface Picture {
  readonly mimeType: 'image/jpeg';
  /** Base64. */
  readonly data: string;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** In pixels from the top left corner of a picture. */
export interface PictureRegion extends Size {
  readonly x: number;
  readonly y: number;
}

export interface PictureDifference {
  readonly size: Size;
  /** The size of the picture that it was compared with, as its file has it. */
  readonly otherSize: Size;
  /** The other one is so many times as large, and was reduced. 1: it was not. */
  readonly scale: number;
  /** The part of the pixels that both have which differ: 0 to 1. */
  readonly share: number;
  /** The largest first. */
  readonly regions: readonly PictureRegion[];
  /** Regions that are left out. */
  readonly more: number;
}

export const stepKinds = [
  'click',
  'type',
  'press',
  'select',
  'upload',
  'hover',
  'scroll',
  'wait',
  'accept',
] as const;

export interface PageStep {
  readonly do: (typeof stepKinds)[number];
  readonly at?: string | undefined;
  /** For an upload, the absolute path of a file that the policy lets be read. */
  readonly text?: string | undefined;
}

/** New since the last result. */
export interface PageFaults {
  readonly address: string;
  readonly consoleErrors: readonly string[];
  readonly failedRequests: readonly string[];
}

export interface PageChanges extends PageFaults {
  readonly title: string;
  /** Another document than before. */
  readonly isNew: boolean;
  /** Steps that were taken. */
  readonly done: number;
  /** Why the next step was not taken, in English. */
  readonly failure?: string | undefined;
  /** Dialogs, windows, downloads and navigations that were held back, in English. */
  readonly notices: readonly string[];
  /** The outline of a new document, or the lines that differ. */
  readonly outline: string;
}

/** The message is a sentence for the model, in English. */
export class BrowserError extends Error {
  override readonly name = 'BrowserError';
}
