/* The page's one door to the extension host. Nobody else calls `acquireVsCodeApi` or `postMessage`. */

import type { ToHost } from '../../protocol/intentions.ts';
import type { ToWebview } from '../../protocol/panel/messages.ts';

export interface Host<Sent = ToHost, Got = ToWebview> {
  /** Sends an intention. Never fails; what comes of it arrives as a fact. */
  act(intention: Sent): void;
  /** Facts arrive in the order in which the host sent them. */
  listen(receive: (fact: Got) => void): void;
  /** Returns the newest memory given to `remember` in this view, also after the page was hidden and built again. */
  recall(): unknown;
  remember(memory: unknown): void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export function connectHost<Sent = ToHost, Got = ToWebview>(): Host<Sent, Got> {
  const api = acquireVsCodeApi();
  return {
    act: intention => api.postMessage(intention),
    listen: receive =>
      window.addEventListener('message', event => {
        const fact: unknown = event.data;
        if (isOfHost(event) && isFact<Got>(fact)) receive(fact);
      }),
    recall: () => api.getState(),
    remember: memory => api.setState(memory),
  };
}

/**
 * Pages of servers lie in frames below this page, and could say anything; their origin is opaque. The frame that hands on
 * what the host sends has the origin of this page, and cannot be named: VS Code deletes `parent` and `top`.
 */
function isOfHost({ origin }: MessageEvent): boolean {
  return origin === window.origin;
}

/** The host is our own code, built together with this page: the shape behind a known type is trusted. */
function isFact<Got>(value: unknown): value is Got {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
