/* The page's one door to the extension host. Nobody else calls `acquireVsCodeApi` or `postMessage`. */

import type { ToHost } from '../../protocol/intentions.ts';
import type { ToWebview } from '../../protocol/panel/messages.ts';

export interface Host {
  /** Sends an intention. Never fails; what comes of it arrives as a fact. */
  act(intention: ToHost): void;
  /** Facts arrive in the order in which the host sent them. */
  listen(receive: (fact: ToWebview) => void): void;
  /** Returns the newest memory given to `remember` in this view, also after the page was hidden and built again. */
  recall(): unknown;
  remember(memory: unknown): void;
}

interface VsCodeApi {
  postMessage(message: ToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export function connectHost(): Host {
  const api = acquireVsCodeApi();
  return {
    act: intention => api.postMessage(intention),
    listen: receive =>
      window.addEventListener('message', event => {
        const fact: unknown = event.data;
        if (isFact(fact)) receive(fact);
      }),
    recall: () => api.getState(),
    remember: memory => api.setState(memory),
  };
}

/** The host is our own code, built together with this page: the shape behind a known type is trusted. */
function isFact(value: unknown): value is ToWebview {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
