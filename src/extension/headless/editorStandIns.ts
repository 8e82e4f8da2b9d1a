/* Stand-ins for parts of the editor that a headless run lacks. */

import type { SeenItems } from '../platform/customizations/seenItems.ts';
import type { Editor } from '../platform/editor.ts';
import type { Workbench } from '../platform/workbench.ts';

const nothing = { dispose: () => {} };

export const noEditor: Editor = { readContext: () => ({ open: [] }), onDidChange: () => nothing };

/** The user who starts the run vouches for everything in the workspace. */
export const allSeen: SeenItems = {
  isSeen: async () => true,
  markSeen: async () => {},
  forget: async () => {},
};

export const noWorkbench: Workbench = {
  findSymbols: async () => undefined,
  findDefinitions: async () => undefined,
  listProblems: () => undefined,
  lastCommand: () => undefined,
};
