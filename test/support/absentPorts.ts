/* Empty implementations of ports, for tests that do not use them. */

import type { PolicyFiles } from '../../src/extension/platform/customizations/policyFiles.ts';
import type { SeenItems } from '../../src/extension/platform/customizations/seenItems.ts';
import type { DiagnosticReader } from '../../src/extension/platform/diagnostics.ts';

/** Default rules only. */
export const noPolicyFiles: PolicyFiles = {
  alwaysFile: undefined,
  read: async () => ({ files: [], settings: [], problems: [] }),
  change: async () => {
    throw new Error('There is no file for lasting permissions.');
  },
};

/** Reports no problems. */
export const noDiagnostics: DiagnosticReader = {
  read: async () => [],
  settle: async () => undefined,
  settleAll: async () => true,
};

/** For environments without a user. */
export const nothingSeen: SeenItems = {
  isSeen: async () => false,
  markSeen: async () => {},
  forget: async () => {},
};
