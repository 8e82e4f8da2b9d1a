import type { PageFrame, PageInput, PageLoss } from '../../../protocol/panel/pageTab.ts';
import type { TabSharing } from './tabs.ts';

export type { PageFrame, PageInput, PageLoss };

/**
 * The browser of one session. It starts with the first page and has no profile of the user's. While the user shares one
 * of their tabs, the open page is that tab.
 */
export interface Browser {
  /** True if a browser program was found, or a tab is shared. */
  isAvailable(): boolean;
  /** True once a page was opened in this session. */
  readonly isUsed: boolean;
  /** Address of the open page, if any. */
  readonly address: string | undefined;
  /**
   * Navigates to an address that the policy allowed. From then on the page may also navigate within that host.
   *
   * @param width of the page in CSS pixels; unchanged if absent
   */
  open(address: string, width: number | undefined, signal: AbortSignal): Promise<PageChanges>;
  inspect(view: PageView, signal: AbortSignal): Promise<PageContent>;
  /** Reloads the open page and reports what no earlier result showed. `undefined`: no page of this machine is open. */
  check(signal: AbortSignal): Promise<PageProblems | undefined>;
  /** Takes the steps in order, up to the first that fails. */
  act(steps: readonly PageStep[], signal: AbortSignal): Promise<PageChanges>;
  run(script: string, signal: AbortSignal): Promise<PageChanges & { readonly value: string }>;
  /**
   * True while the user controls the page. Everything else then rejects with a `BrowserError` until they give it back.
   */
  readonly isUserControlled: boolean;
  /** Resolves once the user no longer controls the page; `true` if they did. Rejects with the signal's reason. */
  untilFree(signal: AbortSignal): Promise<boolean>;
  /** Gives the user control after the agent's running step. Rejects with a `BrowserError` without a page. */
  takeOver(viewer: PageViewer): Promise<ControlledPage>;
  readonly sharing: TabSharing;
  /** Resolves when no process of the browser is left. */
  close(): Promise<void>;
}

/** The browsers of open sessions, by session id. */
export type SessionBrowsers = Map<string, Browser>;

export interface PageViewer {
  /** Resolves once the frame is shown; only then comes the next. */
  show(frame: PageFrame): Promise<void>;
  /** Answers a dialog of the page, for a prompt with its text. `undefined` dismisses it. */
  answer(question: JavaScriptDialog): Promise<string | undefined>;
  /** Called once. @param lost what is gone; absent if the page was given back or its session closed */
  ended(lost?: PageLoss): void;
}

export interface JavaScriptDialog {
  /** Kind of dialog, as in `Page.javascriptDialogOpening` of the DevTools protocol. */
  readonly kind: string;
  readonly message: string;
  /** Default text of a prompt. */
  readonly value: string;
}

export interface ControlledPage {
  /** Takes effect in the order of the calls. Does nothing after the end. */
  input(event: PageInput): Promise<void>;
  /** Does nothing if the page is gone. */
  giveBack(): Promise<void>;
}

export const viewKinds = ['outline', 'picture', 'text', 'console', 'network'] as const;

export interface PageView {
  readonly what: (typeof viewKinds)[number];
  /** A reference of the outline, or a CSS selector; absent for the full page. */
  readonly at?: string | undefined;
  /** An image file to compare the picture with, in base64. */
  readonly compareTo?: string | undefined;
}

/** Content that the page controls: untrusted. */
export type PageContent =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'picture'; readonly difference?: PictureDifference | undefined } & Screenshot);

/** A screenshot of a page, or of an element of it. */
export interface Screenshot {
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
  /** Size of the other picture, as in its file. */
  readonly otherSize: Size;
  /** Factor by which the other picture was reduced; 1 if it was not. */
  readonly scale: number;
  /** Share of differing pixels among those that both have, 0 to 1. */
  readonly share: number;
  /** Largest first. */
  readonly regions: readonly PictureRegion[];
  /** Number of regions left out. */
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
  /** For an upload, the absolute path of a file that the policy allows to read. */
  readonly text?: string | undefined;
}

/** Problems since the last result. */
export interface PageProblems {
  readonly address: string;
  readonly consoleErrors: readonly string[];
  readonly failedRequests: readonly string[];
}

export interface PageChanges extends PageProblems {
  readonly title: string;
  /** True if the document is another than before. */
  readonly isNew: boolean;
  /** Number of steps taken. */
  readonly done: number;
  /** Why the next step was not taken, in English. */
  readonly failure?: string | undefined;
  /** Blocked dialogs, windows, downloads and navigations, in English. */
  readonly notices: readonly string[];
  /** The outline of a new document, else the changed lines. */
  readonly outline: string;
}

/** The message tells the model what is wrong, in English. */
export class BrowserError extends Error {
  override readonly name = 'BrowserError';
}
