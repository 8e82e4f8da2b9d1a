/*
 * The composition root of the extension. What takes part only once something is asked (the core, its tools, the model
 * SDK, the rehearsal) is imported when it is.
 */

import type { ExtensionContext } from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import { loadSchemaCheck } from './compose/otherExtensions.ts';
import { openPorts } from './compose/ports.ts';
import { FolioWindow } from './compose/window.ts';
import type { FolioApi } from './vscode/api/folioApi.ts';
import { windowApi } from './vscode/api/windowApi.ts';

interface Composed {
  /** For other extensions. */
  readonly api: FolioApi;
  /** Ends everything and leaves it on the disk. */
  readonly shutDown: () => Promise<void>;
}

/** @throws after it has disposed of everything it registered */
export async function compose(context: ExtensionContext): Promise<Composed> {
  const store = new DisposableStore();
  try {
    const ports = await openPorts(context, store);
    const folio = new FolioWindow(context, ports, store);
    folio.open();
    const { session, prepare } = folio;
    return {
      api: windowApi(session, prepare, ports.clientExtensions, loadSchemaCheck, ports.log),
      shutDown: () => folio.close(),
    };
  } catch (error) {
    // The page that reports the failure registers the same view.
    store.dispose();
    throw error;
  }
}
