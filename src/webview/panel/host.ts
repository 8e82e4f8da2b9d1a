/* The page's only connection to the extension host. No other file calls `acquireVsCodeApi` or `postMessage`. */

import type { ToHost } from '../../protocol/intentions.ts';
import type { ToWebview } from '../../protocol/panel/messages.ts';

export interface HostPort<Sent = ToHost, Got = ToWebview> {
  /** Sends an intention. Never fails; results arrive as facts. */
  act(intention: Sent): void;
  /** Receives facts in the order of sending. */
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

export function connectHost<Sent = ToHost, Got = ToWebview>(): HostPort<Sent, Got> {
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
 * MCP pages are frames of this page with an opaque origin, and could send anything. The frame that forwards messages of
 * the host has the origin of this page. It cannot be compared itself, since VS Code deletes `parent` and `top`.
 */
function isOfHost({ origin }: MessageEvent): boolean {
  return origin === window.origin;
}

/** Checks only `type`, since the host is built together with this page. */
function isFact<Got>(value: unknown): value is Got {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
