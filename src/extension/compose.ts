/*
 * The composition root of the extension. What is needed only after the first request (the core, its tools, the model
 * SDK, the rehearsal) is imported on demand.
 */

import type { ExtensionContext } from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import { loadSchemaCheck } from './compose/otherExtensions.ts';
import { makeWindowPorts } from './compose/ports.ts';
import { FolioWindow } from './compose/window.ts';
import type { FolioApi } from './vscode/api/folioApi.ts';
import { makeFolioApi } from './vscode/api/makeFolioApi.ts';

interface Composed {
  readonly api: FolioApi;
  /** Ends everything and flushes to the file system. */
  readonly shutDown: () => Promise<void>;
}

/** @throws after disposing of everything that it registered */
export async function compose(context: ExtensionContext): Promise<Composed> {
  const store = new DisposableStore();
  try {
    const ports = await makeWindowPorts(context, store);
    const folio = new FolioWindow(context, ports, store);
    folio.open();
    const { session, prepare } = folio;
    return {
      api: makeFolioApi(session, prepare, ports.clientExtensions, loadSchemaCheck, ports.log),
      shutDown: () => folio.close(),
    };
  } catch (error) {
    // The page that reports the failure registers the same view.
    store.dispose();
    throw error;
  }
}
