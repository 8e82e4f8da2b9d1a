/* Ports with nothing behind them, for worlds in which no test asks for more. */

import type { PolicyFiles } from '../../src/extension/platform/customizations/policyFiles.ts';
import type { SeenItems } from '../../src/extension/platform/customizations/seenItems.ts';
import type { Diagnostics } from '../../src/extension/platform/diagnostics.ts';

/** Nothing beside the defaults. */
export const noPolicyFiles: PolicyFiles = {
  alwaysFile: undefined,
  read: async () => ({ files: [], settings: [], problems: [] }),
  change: async () => {
    throw new Error('There is no file for lasting permissions.');
  },
};

/** Nobody knows problems of files. */
export const noDiagnostics: Diagnostics = {
  read: async () => [],
  settle: async () => undefined,
  settleAll: async () => true,
};

/** For environment in which nobody can be shown anything. */
export const nothingSeen: SeenItems = {
  isSeen: async () => false,
  markSeen: async () => {},
  forget: async () => {},
};
