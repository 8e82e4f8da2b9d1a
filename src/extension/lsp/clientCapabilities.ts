/** Parts of the protocol that Folio uses; a server leaves out the rest. */
export const clientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    // Without operations on files, which nobody would review.
    workspaceEdit: { documentChanges: true, resourceOperations: [], failureHandling: 'abort' },
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    // Folio looks for changes automatically, and a server that registers leaves its own watching.
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    symbol: {},
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    references: {},
    definition: { linkSupport: true },
    typeDefinition: { linkSupport: true },
    implementation: { linkSupport: true },
    callHierarchy: {},
    rename: { prepareSupport: true },
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source', 'source.organizeImports'] },
      },
      dataSupport: true,
      disabledSupport: true,
      isPreferredSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    formatting: {},
    publishDiagnostics: { versionSupport: true },
    diagnostic: { relatedDocumentSupport: true },
  },
  window: { workDoneProgress: true },
} as const;
